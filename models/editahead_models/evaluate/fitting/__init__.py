"""What all fits share: small minimisers, calibrations, thresholds, and what is kept of each project."""
