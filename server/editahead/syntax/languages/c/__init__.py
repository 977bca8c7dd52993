"""C."""

from editahead.syntax.languages.c.language import C

__all__ = ["C"]
