"""JavaScript."""

from editahead.syntax.languages.javascript.language import JAVASCRIPT

__all__ = ["JAVASCRIPT"]
