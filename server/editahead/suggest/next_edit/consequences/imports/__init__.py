"""Consequences for and of import statements: unused and missing imports."""
