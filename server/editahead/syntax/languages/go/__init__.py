"""Go."""

from editahead.syntax.languages.go.language import GO

__all__ = ["GO"]
