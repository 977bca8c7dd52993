"""Texts: immutable buffers, byte edits, positions, and the history of edits."""
