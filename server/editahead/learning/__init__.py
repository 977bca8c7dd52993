"""Learning from what the user does with suggestions: the interruption budget, kinds of rejected edits, counts."""
