"""Go: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.string_syntax import CHARACTER, DOUBLE, LongText, StringPatterns

STRING_PATTERNS = StringPatterns((DOUBLE, CHARACTER, rb"`[^`]*(?:`|\Z)"))  # nothing is escaped between backticks
LONG_TEXTS = (LongText(rb"`", b"`"),)
