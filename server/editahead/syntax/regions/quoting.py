"""What is quoted in a language: patterns of comments and strings, and what may stand before a quote but is no name.

A language with string patterns of its own has them in its module (`languages/<id>.py`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from editahead.syntax.language import Language
from editahead.syntax.string_syntax import CHARACTER, DOUBLE, SINGLE, TRIPLE

_SLASHES = rb"//[^\n]*|/\*.*?(?:\*/|\Z)"
_COMMENTS = {"//": _SLASHES, "--": rb"--\[\[.*?(?:\]\]|\Z)|--[^\n]*|\{-.*?(?:-\}|\Z)", "(*": rb"\(\*.*?(?:\*\)|\Z)"}
_SQL_LIKE = frozenset(("sql", "sqlite", "php", "hack"))
# Where a single quote opens a text; elsewhere it holds a single character, or marks a lifetime, a type, a quotation.
_SINGLE_QUOTED = frozenset(
    "bash elixir hack lua perl php r ruby sql sqlite erlang fortran fixed_form_fortran julia".split()
)


class Quoting(NamedTuple):
    """Patterns without groups; `before` is a condition on where a name begins: the prefix of a string is none."""

    before: bytes
    comment: bytes
    string: bytes


def quoting_of(language: Language) -> Quoting:
    """The patterns of a language."""
    comment = _comment(language)
    own = language.string_patterns
    if own is not None:
        return Quoting(own.before, comment, b"|".join(own.patterns))
    last = SINGLE if language.id in _SINGLE_QUOTED else CHARACTER
    return Quoting(b"", comment, b"|".join((TRIPLE, DOUBLE, last)))


def _comment(language: Language) -> bytes:
    sign = language.line_comment
    comment = _COMMENTS.get(sign, re.escape(sign.encode()) + rb"[^\n]*")
    if language.nested_comments:
        return rb"//[^\n]*|/\*(?:[^*/]|\*(?!/)|/(?!\*)|/\*.*?\*/)*(?:\*/|.*\Z)"
    return comment + rb"|/\*.*?(?:\*/|\Z)" if language.id in _SQL_LIKE else comment
