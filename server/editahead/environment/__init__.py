"""Importable modules: those of the project, of its environment and of the standard library, read as text."""
