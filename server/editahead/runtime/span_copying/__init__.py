"""Inference with the span-copying model."""
