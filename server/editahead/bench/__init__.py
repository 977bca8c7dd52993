"""Replay of editing sessions against any language server, and its metrics."""
