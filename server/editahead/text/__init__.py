"""Immutable buffers, byte edits, positions, the history of edits."""
