"""Next edits: consequences, repeated edits and the edit model's roll-out."""
