"""Python: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.quote_patterns import DOUBLE, SINGLE, TRIPLE, StringPatterns

_PREFIX = rb"[rRbBuUfFtT]{0,2}"
_TRIPLE_SINGLE = TRIPLE.replace(b'"', b"'")

STRING_PATTERNS = StringPatterns(
    (_PREFIX + rb"(?:" + b"|".join((TRIPLE, _TRIPLE_SINGLE, DOUBLE, SINGLE)) + b")",),
    before=rb"(?![rRbBuUfFtT]{1,2}[\"'])",
)
