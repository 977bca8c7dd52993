"""Consequences of the user's recent edits, derived from scopes: edits that these make necessary elsewhere.

Each file in `rules` is a rule; `source` runs the rules for the kinds of the recent changes (`change_kinds`). The other
folders are shared by the rules.
"""
