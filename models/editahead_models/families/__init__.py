"""Architectures, one file a family."""
