"""TypeScript."""

from editahead.syntax.languages.typescript.language import TSX, TYPESCRIPT

__all__ = ["TSX", "TYPESCRIPT"]
