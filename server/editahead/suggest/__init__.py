"""What is shown and what is not, one folder per surface (kind of suggestion)."""
