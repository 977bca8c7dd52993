"""Fits and figures of next edits, on commits replayed by the real engine."""
