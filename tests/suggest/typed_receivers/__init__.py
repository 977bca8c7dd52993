"""Receivers whose class a test or a container says: texts by language, and what is asked of them."""
