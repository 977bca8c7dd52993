"""Figures of language models: perplexity, accuracy and rank, of networks, counts and mixtures."""
