"""Consequences of a name that was replaced: its other uses, in open files and in files that are not."""
