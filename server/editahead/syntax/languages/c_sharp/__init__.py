"""C#."""

from editahead.syntax.languages.c_sharp.language import C_SHARP

__all__ = ["C_SHARP"]
