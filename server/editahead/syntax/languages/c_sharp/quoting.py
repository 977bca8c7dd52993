"""C#: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.string_syntax import CHARACTER, DOUBLE, ESCAPED, LongText, StringPatterns

STRING_PATTERNS = StringPatterns(
    (rb'\$*""".*?(?:"""+|\Z)', rb'(?:\$@|@\$|@)"[^"]*(?:""[^"]*)*(?:"|\Z)', rb"\$?" + DOUBLE, CHARACTER)
)

_BRACES = rb"\{\{"  # a brace that is no code


def _raw_code(opening: bytes) -> bytes:
    """As many braces as there are signs before the quotes; more are text, up to the last of them."""
    return rb"\{{%d,}" % opening.count(b"$")


LONG_TEXTS = (
    LongText(rb'\${1,8}"{3,8}', b'$"""', lambda opening: opening.lstrip(b"$"), code=_raw_code),
    LongText(rb'"{3,8}', b'"""'),
    LongText(rb'(?:\$@|@\$)"', b"$", lambda _: b'"', skipped=rb'""|' + _BRACES, code=lambda _: rb"\{"),
    LongText(rb'@"', b'@"', lambda _: b'"', skipped=rb'""'),
    LongText(rb'\$"', b'$"', lambda _: b'"', skipped=ESCAPED + b"|" + _BRACES, code=lambda _: rb"\{", one_line=True),
)
