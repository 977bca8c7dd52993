"""Learned places: the lines of the open files in which a next edit falls, whatever its text."""
