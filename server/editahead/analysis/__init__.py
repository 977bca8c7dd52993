"""Semantics of code, derived from its syntax: bindings, scopes, types, function heads."""
