"""Figures of the edit networks: synthetic suite, mined edits, hunks of commits."""
