"""The scorer of candidates: the same features and the same calibrated probability for every source."""
