"""Fits and figures of the queue of repeated edits."""
