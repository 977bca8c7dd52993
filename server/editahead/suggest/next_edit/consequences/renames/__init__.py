"""Edits that complete a rename: the other references to the name, in open files and in files that are not open."""
