"""English prose in the form of the Penn Treebank, and word vectors."""
