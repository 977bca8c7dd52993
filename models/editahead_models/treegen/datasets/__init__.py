"""The data sets of the paper, as examples: a description, and a program as a tree of a grammar."""
