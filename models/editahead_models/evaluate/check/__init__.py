"""Fits and figures of the missed-edit check."""
