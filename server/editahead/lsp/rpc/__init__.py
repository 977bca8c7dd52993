"""Messages of the base protocol: framing, JSON-RPC, typed parameters and answers."""
