"""Java."""

from editahead.syntax.languages.java.language import JAVA

__all__ = ["JAVA"]
