"""Arrays and vocabularies, a folder a model."""
