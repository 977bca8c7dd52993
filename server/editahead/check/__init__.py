"""Places that a diff probably missed."""
