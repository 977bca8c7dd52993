"""Rust: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.string_syntax import ESCAPED, LongText, StringPatterns

_PREFIX = rb"(?:br|rb|cr|[brc])"
_LINES = rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)'  # may go on over the end of a line


def _raw(hashes: int) -> bytes:
    """A raw string between quotes with so many signs behind them."""
    end = b'"' + b"#" * hashes
    return rb"(?:br|rb|cr|r)" + b"#" * hashes + b'".*?(?:' + end + rb"|\Z)"


STRING_PATTERNS = StringPatterns(
    (
        *(_raw(hashes) for hashes in (4, 3, 2, 1, 0)),
        rb"[bc]?" + _LINES,
        rb"b?'(?:\\[^\n][^'\n]{0,8}|[^'\\\n\x80-\xff]|[\x80-\xff]{1,4})'",
    ),
    before=rb"(?!" + _PREFIX + rb"#*\"|b')",
)

LONG_TEXTS = (
    LongText(rb'(?<![A-Za-z0-9_])(?:br|cr|r)#*"', b'"', lambda opening: b'"' + b"#" * opening.count(b"#")),
    LongText(rb'"', b'"', skipped=ESCAPED),
)
