"""Patterns of strings, shared by several languages or of a single language.

Every pattern is linear: its parts begin with different characters. A string without an end reaches to the end of its
line, or of the text where it may have several lines: too much is excluded rather than too little.
"""

from __future__ import annotations

from typing import NamedTuple

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
