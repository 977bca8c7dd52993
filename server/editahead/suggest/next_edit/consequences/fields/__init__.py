"""Consequences of a changed constructor or type for the fields that hold what it is given."""
