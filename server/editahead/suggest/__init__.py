"""Suggestions and the decisions to show them, a folder per surface (kind of suggestion)."""
