"""Input arrays and vocabularies of the models, a folder for each model."""
