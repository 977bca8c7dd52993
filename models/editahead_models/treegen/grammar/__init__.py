"""The grammar of Python, derived from its `ast` module, and programs as sequences of its rules."""
