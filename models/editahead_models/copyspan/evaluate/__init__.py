"""What a run writes, and how it is measured."""
