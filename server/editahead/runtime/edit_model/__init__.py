"""Inference with the edit model, and the scores of repeated edits."""
