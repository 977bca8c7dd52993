"""What code means, read from its syntax: bindings, scopes, function heads."""
