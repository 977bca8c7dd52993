"""Session files: typing and edits as events."""
