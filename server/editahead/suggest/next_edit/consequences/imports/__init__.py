"""Consequences for and of import statements: unused, missing, and imported names that are spelled shorter now."""
