"""Which declaration a name in a file refers to: one resolver, and a table of rules per language."""
