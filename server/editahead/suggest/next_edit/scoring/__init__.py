"""The scorer of candidates: the same features and calibrated probabilities for all sources."""
