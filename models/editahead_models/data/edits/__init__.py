"""Sequences of token edits: instances, samples, batches and streams of them."""
