"""Repeated edits as patterns: examples, their common pattern, its matches."""
