"""C and C++: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.string_syntax import CHARACTER, DOUBLE, LongText, StringPatterns

_RAW = rb"(?:u8|[uUL])?R"

STRING_PATTERNS = StringPatterns(
    (_RAW + rb'"(?:\(.*?(?:\)"|\Z)|[^()\s"\\]{1,16}\(.*?(?:\)[^()\s"\\]{1,16}"|\Z))', DOUBLE, CHARACTER),
    before=rb"(?!" + _RAW + rb'")',
)

# Of C++ alone. The name before the bracket is in front of the last quote again.
LONG_TEXTS = (
    LongText(
        rb"(?<![A-Za-z0-9_])" + _RAW + rb'"[^()\s"\\]{0,16}\(',
        b'R"',
        lambda opening: b")" + opening[opening.index(b'"') + 1 : -1] + b'"',
    ),
)
