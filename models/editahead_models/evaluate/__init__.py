"""Figures of models, and what is fitted to their answers."""
