"""Meaning of code, derived from its syntax: bindings, scopes, function heads."""
