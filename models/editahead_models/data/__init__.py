"""Projects, splits, mining, and arrays for training."""
