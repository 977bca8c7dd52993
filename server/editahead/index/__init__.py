"""Names and n-grams of other documents and of the project, read in the background."""
