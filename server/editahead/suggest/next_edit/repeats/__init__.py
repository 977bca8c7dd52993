"""Repeated edits: the places where an edit that the user has made could go on, by its text."""
