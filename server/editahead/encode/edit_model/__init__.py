"""What the edit model reads: tokens, windows, sequences of edits."""
