"""Consequences of an expression that was written anew: the other places that say what it said."""
