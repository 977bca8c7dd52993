"""Generators of small files with a cursor, at which one first choice would be wrong."""
