"""What the span-copying model reads: regions and their tokens."""
