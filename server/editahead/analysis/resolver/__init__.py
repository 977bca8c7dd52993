"""Resolution of names in a file to their declarations, by a table of rules per language."""
