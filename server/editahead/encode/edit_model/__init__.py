"""Input of the edit model: tokens, windows, sequences of edits."""
