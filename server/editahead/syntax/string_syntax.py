"""How strings and comments are written, and where a large file may be cut between them.

Each language has its own patterns in its module (`languages/<id>.py`); block comments follow from its comment signs.
Every pattern is linear: its parts begin with different characters. A string without an end reaches to the end of its
line, or of the text where it may have several lines: too much is excluded rather than too little.

A single pass over the text gives the cuts, whatever stands in it: each byte is looked at a bounded number of times, a
string that is never closed included. What stands behind such a string is cut as if it were not there: a parser that has
lost its way takes a second a megabyte. The text is read in slices, so that no single call holds the interpreter's lock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from editahead.syntax.interrupt import checkpoint

ESCAPED = rb"\\."  # whatever a backslash stands before
_ESCAPE = rb"\\(?:\r\n|.|\Z)"
TRIPLE = rb'"""[^"\\]*(?:(?:' + _ESCAPE + rb'|"(?!""))[^"\\]*)*(?:"""|\Z)'
DOUBLE = rb'"[^"\\\n]*(?:' + _ESCAPE + rb'[^"\\\n]*)*"?'
SINGLE = DOUBLE.replace(b'"', b"'")
CHARACTER = rb"'(?:\\[^\n][^'\n]{0,8}|[^'\\\n]{1,4})'"  # a character, up to four bytes
_SLICE = 1 << 16  # bytes that are searched in a single call
_MAX_MARK_BYTES = 16  # no mark is longer
_CLOSERS = {quote: re.compile(rb"[\\\n" + quote + rb"]") for quote in (b'"', b"'")}
_LONG = frozenset({b'"""', b"'''", b"`", b"/*"})  # open what may go on over lines
_BLANK_LINES = re.compile(rb"\r?\n(?:\r?\n)+")


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


class StringPatterns(NamedTuple):
    """The strings of a language: patterns without groups, of which the first that fits holds.

    `before` is a condition on where a name begins: the prefix of a string is none.
    """

    patterns: tuple[bytes, ...]
    before: bytes = b""


@dataclass(frozen=True)
class Cutter:
    """The cuts of a language. `marks` matches what opens a string or a comment, and `before` and `after`.

    A cut stands before any of the marks `before` at the edge of a line, when a blank line precedes it; or behind the
    blank lines that follow a mark `after` at the edge of a line.
    """

    marks: re.Pattern[bytes]
    before: frozenset[bytes] = frozenset()
    after: frozenset[bytes] = frozenset()

    def cuts(self, data: bytes, most: int | None = None) -> Iterator[int]:
        """Byte offsets where `data` may be cut, in order.

        After `most` bytes without such a position any line begins a piece that does not begin in a string or a comment.
        """
        at = last = 0
        unclosed: set[bytes] = set()
        while True:
            match = self._next(data, at)
            start = len(data) - 1 if match is None else match.start()
            while most is not None and (end := data.find(b"\n", max(at, last + most), start)) >= 0:
                last = end + 1
                yield last
            if match is None:
                return
            mark, at = match.group(), match.end()
            if mark in self.before:
                if data[start - 2 : start] == b"\n\n" or data[start - 3 : start] == b"\n\r\n":
                    last = start
                    yield start
            elif mark in self.after:
                blank = _BLANK_LINES.match(data, at)
                if blank is not None:
                    at = blank.end()
                    if not data[at : at + 1].isspace() and at < len(data):
                        last = at
                        yield at
            elif mark in unclosed:
                continue
            elif mark in _LONG:
                behind = _behind(data, b"*/", at) if mark == b"/*" else _end_of_long_string(data, at, mark)
                if behind is None:  # nor is any other that opens later
                    unclosed.add(mark)
                else:
                    at = behind
            elif mark in _CLOSERS:
                at = _end_of_string(data, at, mark)
            else:  # a comment to the end of its line
                end = data.find(b"\n", at)
                at = end if end >= 0 else len(data)

    def _next(self, data: bytes, at: int) -> re.Match[bytes] | None:
        while at < len(data):
            checkpoint()
            end = at + _SLICE
            match = self.marks.search(data, at, end + _MAX_MARK_BYTES)
            if match is not None and match.start() < end:
                return match
            at = end
        return None


def _behind(data: bytes, sign: bytes, at: int) -> int | None:
    start = data.find(sign, at)
    return None if start < 0 else start + len(sign)


def _end_of_long_string(data: bytes, at: int, quotes: bytes) -> int | None:
    """Behind the quotes that close a string opened before `at`, if any do; a backslash before them keeps it open."""
    opened = at
    while True:
        close = data.find(quotes, at)
        if close < 0:
            return None
        slashes = close
        while slashes > opened and data[slashes - 1] == 0x5C:
            slashes -= 1
        if (close - slashes) % 2 == 0:
            return close + len(quotes)
        at = close + 1


def _end_of_string(data: bytes, at: int, quote: bytes) -> int:
    """Behind the quote that closes a string opened before `at`, or at the end of the line that leaves it open."""
    closer = _CLOSERS[quote]
    matches_read = 0
    while (match := closer.search(data, at)) is not None:
        matches_read += 1
        if matches_read % 1024 == 0:
            checkpoint()
        sign, at = match.group(), match.end()
        if sign == quote:
            return at
        if sign == b"\n":
            return at - 1
        at += 2 if data[at : at + 2] == b"\r\n" else 1
    return len(data)
