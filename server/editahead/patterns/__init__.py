"""Patterns of repeated edits: examples, the pattern that they share, and its matches."""
