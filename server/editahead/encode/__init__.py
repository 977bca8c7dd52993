"""Input arrays and vocabularies of the models, one folder per model."""
