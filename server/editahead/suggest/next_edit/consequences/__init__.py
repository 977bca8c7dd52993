"""Consequences of one edit, from scopes and not from text: what the user's latest edits make necessary elsewhere.

A generator a file: it looks at the latest edits and gives candidates, or says why it gives none.
"""
