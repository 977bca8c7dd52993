"""Which declaration a name in a file means: one resolver, and a table of rules a language."""
