"""The page of span copying: docs/results/copyspan.md, its tables and pictures."""
