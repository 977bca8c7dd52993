"""Go: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.long_texts import LongText
from editahead.syntax.quote_patterns import CHARACTER, DOUBLE, StringPatterns

STRING_PATTERNS = StringPatterns((DOUBLE, CHARACTER, rb"`[^`]*(?:`|\Z)"))  # nothing is escaped between backticks
LONG_TEXTS = (LongText(rb"`", b"`"),)
