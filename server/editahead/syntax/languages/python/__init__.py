"""Python."""

from editahead.syntax.languages.python.language import PYTHON

__all__ = ["PYTHON"]
