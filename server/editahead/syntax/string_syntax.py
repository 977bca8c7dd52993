"""How strings and comments are written: patterns of strings, and texts that may go on over the end of a line.

Each language has its own in its folder (`languages/<id>/quoting.py`); block comments follow from its comment signs.
Every pattern is linear: its parts begin with different characters. A string without an end reaches to the end of its
line, or of the text where it may have several lines: too much is excluded rather than too little.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

ESCAPED = rb"\\."  # whatever a backslash stands before


def same(opening: bytes) -> bytes:
    """Closed by what opened it."""
    return opening


class LongText(NamedTuple):
    """A kind of string or comment; patterns have no groups and match whatever opens or hides, never a part of it.

    `sign` stands in every opening: a text without it has none. `closes` and `code` receive the opening; `code` is the
    pattern of what opens code in the text, up to the brace that matches, and `skipped` that of what hides either.
    """

    opens: bytes
    sign: bytes
    closes: Callable[[bytes], bytes] = same
    skipped: bytes = b""
    code: Callable[[bytes], bytes] | None = None
    one_line: bool = False  # only what is in the code may go on
    is_comment: bool = False
    nested: bool = False  # it may hold others of its kind


TRIPLE_QUOTED = LongText(rb'"""', b'"""', skipped=ESCAPED)
BLOCK_COMMENT = LongText(rb"/\*", b"/*", lambda _: b"*/", is_comment=True)
NESTED_COMMENT = BLOCK_COMMENT._replace(nested=True)

_ESCAPE = rb"\\(?:\r\n|.|\Z)"
TRIPLE = rb'"""[^"\\]*(?:(?:' + _ESCAPE + rb'|"(?!""))[^"\\]*)*(?:"""|\Z)'
DOUBLE = rb'"[^"\\\n]*(?:' + _ESCAPE + rb'[^"\\\n]*)*"?'
SINGLE = DOUBLE.replace(b'"', b"'")
CHARACTER = rb"'(?:\\[^\n][^'\n]{0,8}|[^'\\\n]{1,4})'"  # a character, up to four bytes


class StringPatterns(NamedTuple):
    """The strings of a language: patterns without groups, of which the first that fits holds.

    `before` is a condition on where a name begins: the prefix of a string is none.
    """

    patterns: tuple[bytes, ...]
    before: bytes = b""
