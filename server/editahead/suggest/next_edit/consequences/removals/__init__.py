"""Consequences of a text that went: what means nothing without it, and what is of its kind."""
