"""Where a byte of a text stands: in code, in a comment or in a string."""
