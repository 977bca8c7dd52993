"""Fits and figures of completions: mixture, ranker, order, probabilities and new names."""
