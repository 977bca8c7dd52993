"""Programs as sequences of grammar rules, and back: everything that comes out of here parses."""
