"""Faults of edits that follow texts and not names, which the grammar of a language does not tell."""
