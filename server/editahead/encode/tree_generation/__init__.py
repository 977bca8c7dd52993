"""What the model of function bodies reads: descriptions and derivation steps."""
