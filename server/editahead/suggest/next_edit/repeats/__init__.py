"""Repeated edits: the sites where the text matches an edit of the user."""
