"""Function bodies from the description of a function."""
