"""Session files: what was typed, as events."""
