"""Suggested fixes."""
