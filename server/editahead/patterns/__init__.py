"""Repeated edits as patterns: examples, what they share, where that stands."""
