"""Consequences of a changed function for its calls, and of a changed call for its function and the other calls."""
