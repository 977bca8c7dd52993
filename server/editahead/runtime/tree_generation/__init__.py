"""Inference with the model of function bodies."""
