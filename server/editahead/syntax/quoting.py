"""What is quoted in a language: patterns of comments and strings, and what may stand before a quote but is no name.

Every pattern is linear: its parts begin with different characters. A string without an end reaches to the end of its
line, or of the text where it may have several lines: too much is left out rather than too little.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from editahead.syntax.language import Language

_ESCAPE = rb"\\(?:\r\n|.|\Z)"
_TRIPLE = rb'"""[^"\\]*(?:(?:' + _ESCAPE + rb'|"(?!""))[^"\\]*)*(?:"""|\Z)'
_TRIPLE_SINGLE = _TRIPLE.replace(b'"', b"'")
_DOUBLE = rb'"[^"\\\n]*(?:' + _ESCAPE + rb'[^"\\\n]*)*"?'
_SINGLE = _DOUBLE.replace(b'"', b"'")
_CHARACTER = rb"'(?:\\[^\n][^'\n]{0,8}|[^'\\\n]{1,4})'"  # one character, up to four bytes
_BACKTICK = rb"`[^`\\]*(?:\\.[^`\\]*)*(?:`|\Z)"
_LINES = rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)'  # may go on over the end of a line
_SLASHES = rb"//[^\n]*|/\*.*?(?:\*/|\Z)"
_COMMENTS = {
    "//": _SLASHES,
    "--": rb"--\[\[.*?(?:\]\]|\Z)|--[^\n]*|\{-.*?(?:-\}|\Z)",
    "(*": rb"\(\*.*?(?:\*\)|\Z)",
}
_SQL_LIKE = frozenset(("sql", "sqlite", "php", "hack"))
# Where a single quote opens a text; elsewhere it holds one character, or marks a lifetime, a type, a quotation.
_SINGLE_QUOTED = frozenset(
    "python bash elixir hack lua perl php r ruby sql sqlite erlang fortran fixed_form_fortran julia".split()
)

_PYTHON_PREFIX = rb"[rRbBuUfFtT]{0,2}"
_RUST_PREFIX = rb"(?:br|rb|cr|[brc])"
_C_PREFIX = rb"(?:u8|[uUL])?R"
# A template ends at its quote; what is written in it is code with strings of its own, read to one level of braces. A
# deeper one hides the rest of the text.
_HOLE = rb"\$\{(?:[^{}`]|`[^`]*`|\{[^{}`]*\})*\}"
_TEMPLATE = rb"`[^`\\$]*(?:(?:\\.|\$(?!\{)|" + _HOLE + rb")[^`\\$]*)*(?:`|.*\Z)"
# A slash begins a pattern where no value stands before it. Bounded: a line may hold many beginnings and no end.
_PATTERN = (
    rb"(?:(?<=[-(,=:\[!&|?{};+*%~^>\n])[ \t]*|(?<=return)[ \t]+)"
    rb"/(?![/*])(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,99}\]){1,200}/[a-z]*"
)


class Quoting(NamedTuple):
    """Patterns without groups; `before` is a condition on where a name begins: the prefix of a string is none."""

    before: bytes
    comment: bytes
    string: bytes


def quoting_of(language: Language) -> Quoting:
    """The patterns of a language."""
    comment = _comment(language)
    known = _BY_LANGUAGE.get(language.id)
    if known is not None:
        before, strings = known
        return Quoting(before, comment, b"|".join(strings))
    last = _SINGLE if language.id in _SINGLE_QUOTED else _CHARACTER
    return Quoting(b"", comment, b"|".join((_TRIPLE, _DOUBLE, last)))


def _comment(language: Language) -> bytes:
    sign = language.line_comment
    comment = _COMMENTS.get(sign, re.escape(sign.encode()) + rb"[^\n]*")
    if language.nested_comments:
        return rb"//[^\n]*|/\*(?:[^*/]|\*(?!/)|/(?!\*)|/\*.*?\*/)*(?:\*/|.*\Z)"
    return comment + rb"|/\*.*?(?:\*/|\Z)" if language.id in _SQL_LIKE else comment


def _raw(prefix: bytes, hashes: int) -> bytes:
    """A raw string of Rust between quotes with so many signs behind them."""
    end = b'"' + b"#" * hashes
    return prefix + b"#" * hashes + b'".*?(?:' + end + rb"|\Z)"


_RUST = (
    *(_raw(rb"(?:br|rb|cr|r)", hashes) for hashes in (4, 3, 2, 1, 0)),
    rb"[bc]?" + _LINES,
    rb"b?'(?:\\[^\n][^'\n]{0,8}|[^'\\\n\x80-\xff]|[\x80-\xff]{1,4})'",
)
_C = (
    _C_PREFIX + rb'"(?:\(.*?(?:\)"|\Z)|[^()\s"\\]{1,16}\(.*?(?:\)[^()\s"\\]{1,16}"|\Z))',
    _DOUBLE,
    _CHARACTER,
)
_C_SHARP = (
    rb'\$*""".*?(?:"""+|\Z)',
    rb'(?:\$@|@\$|@)"[^"]*(?:""[^"]*)*(?:"|\Z)',
    rb"\$?" + _DOUBLE,
    _CHARACTER,
)
_SCRIPT = (_PATTERN, _DOUBLE, _SINGLE, _TEMPLATE)
_BY_LANGUAGE = {
    "python": (
        rb"(?![rRbBuUfFtT]{1,2}[\"'])",
        (_PYTHON_PREFIX + rb"(?:" + b"|".join((_TRIPLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE)) + b")",),
    ),
    "go": (b"", (_DOUBLE, _CHARACTER, rb"`[^`]*(?:`|\Z)")),  # nothing is escaped between backticks
    "rust": (rb"(?!" + _RUST_PREFIX + rb"#*\"|b')", _RUST),
    "c": (rb"(?!" + _C_PREFIX + rb'")', _C),
    "cpp": (rb"(?!" + _C_PREFIX + rb'")', _C),
    "c_sharp": (b"", _C_SHARP),
    **dict.fromkeys(("javascript", "typescript", "tsx"), (b"", _SCRIPT)),
}
