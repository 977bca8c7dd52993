"""Programs as sequences of grammar rules, and back: every program that is built from them parses."""
