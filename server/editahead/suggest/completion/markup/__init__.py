"""Completions of the names of elements in HTML and JSX."""
