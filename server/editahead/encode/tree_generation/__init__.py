"""Input of the model for function bodies: descriptions and derivation steps."""
