"""Figures of what is written on request: fixes and function bodies."""
