"""C++."""

from editahead.syntax.languages.cpp.language import CPP

__all__ = ["CPP"]
