"""Bodies of functions from their description."""
