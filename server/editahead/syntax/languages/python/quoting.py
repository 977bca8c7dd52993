"""Python: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.string_syntax import DOUBLE, ESCAPED, SINGLE, TRIPLE, LongText, StringPatterns

_PREFIX = rb"[rRbBuUfFtT]{0,2}"
_TRIPLE_SINGLE = TRIPLE.replace(b'"', b"'")

STRING_PATTERNS = StringPatterns(
    (_PREFIX + rb"(?:" + b"|".join((TRIPLE, _TRIPLE_SINGLE, DOUBLE, SINGLE)) + b")",),
    before=rb"(?![rRbBuUfFtT]{1,2}[\"'])",
)

# What a formatted string holds between braces is read by `syntax/regions/unfinished_text.py`.
LONG_TEXTS = tuple(
    LongText(_PREFIX + quotes, quotes, lambda opening: opening[-3:], skipped=ESCAPED) for quotes in (b'"""', b"'''")
)
