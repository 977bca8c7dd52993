"""Consequences of a line that came or went in one of several lists or rows that are built alike."""
