"""C and C++: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.quote_patterns import CHARACTER, DOUBLE, StringPatterns

_RAW = rb"(?:u8|[uUL])?R"

STRING_PATTERNS = StringPatterns(
    (
        _RAW + rb'"(?:\(.*?(?:\)"|\Z)|[^()\s"\\]{1,16}\(.*?(?:\)[^()\s"\\]{1,16}"|\Z))',
        DOUBLE,
        CHARACTER,
    ),
    before=rb"(?!" + _RAW + rb'")',
)
