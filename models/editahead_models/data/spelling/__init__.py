"""What a speller of new names learns from."""
