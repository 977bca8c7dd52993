"""Next edits: the edit model's roll-out and the queue of repeated edits."""
