"""Facts about the scopes and names of a file, read by a walk over its syntax and cached by text."""
