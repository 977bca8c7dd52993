"""From a description to a program as a row of grammar rules: TreeGen (Sun et al., AAAI 2020)."""
