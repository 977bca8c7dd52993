"""Checks for semantic errors of edits from text comparison, which no syntax error shows."""
