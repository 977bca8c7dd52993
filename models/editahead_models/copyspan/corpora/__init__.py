"""Pairs of a text and its repair: mined, made on purpose, or read from files."""
