"""Session files: recorded typing and edits as events."""
