"""Figures of published tables, measured here."""
