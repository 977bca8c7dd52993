"""The page of TreeGen: docs/results/treegen.md."""
