"""Fixes for a function."""
