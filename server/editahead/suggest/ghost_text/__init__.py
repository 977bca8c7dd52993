"""Ghost text (inline completion)."""
