"""Pairs of edits of one commit: the hunks, what they change, and what ties two of them."""
