"""Open documents: their text, what may be read of them, and the index that follows their changes."""
