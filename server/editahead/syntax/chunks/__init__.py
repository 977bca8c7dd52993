"""Large files, cut into a row of small snapshots."""
