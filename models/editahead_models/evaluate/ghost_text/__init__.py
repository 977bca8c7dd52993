"""Fits and figures of ghost text."""
