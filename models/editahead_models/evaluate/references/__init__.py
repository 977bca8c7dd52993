"""References as other programs see them, for renames: each a program of its own."""
