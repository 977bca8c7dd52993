"""Replay editing sessions against any language server and score it."""
