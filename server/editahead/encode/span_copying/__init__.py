"""Input of the span-copying model: regions and their tokens."""
