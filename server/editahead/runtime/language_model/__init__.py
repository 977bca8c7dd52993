"""Inference with the language model, and what is computed from its state: mixtures, rankers, new names."""
