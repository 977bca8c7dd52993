"""Functions of Python files: what stands before a body, and the body."""
