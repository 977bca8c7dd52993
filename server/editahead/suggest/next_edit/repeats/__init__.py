"""Repeated edits: the sites where the text matches an edit that the user has made."""
