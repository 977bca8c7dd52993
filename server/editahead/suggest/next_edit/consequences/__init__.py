"""Consequences of one edit, from scopes and not from text: what the user's latest edits make necessary elsewhere.

A rule a file, in `rules`; `source` runs those for the kinds of the latest changes (`change_kinds`). The other folders
hold what rules share.
"""
