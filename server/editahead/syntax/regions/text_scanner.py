"""Scan the strings and comments of a text from a position in code: which are open at its end, and what may be typed.

A stack holds what is open: strings, and the code in them, which may hold strings again. Each sign is searched behind
the last, so that the work grows with the text. Scans that begin at the same byte of a text share what they have read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from editahead.syntax.interrupt import EVERY, checkpoint
from editahead.syntax.language import Language
from editahead.syntax.regions.quoting import quoting_of
from editahead.syntax.regions.unfinished_text import Region
from editahead.syntax.string_syntax import BLOCK_COMMENT, NESTED_COMMENT, LongText
from editahead.text.memo import on_forget

_PREFIX = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$@"  # before a quote, part of the string
CONTINUED = (b"\\\n", b"\\\r\n")  # a short string may go on over such a line end
_KIND, _BRACE = "kind", "brace"
_MARK_EVERY = 256  # bytes between two marks
_MAX_MARKED = 8  # texts of which marks are kept
_Mark = tuple[int, int]  # a byte that a scan has reached in code with nothing open, and `closed` of TextState there
_marks: list[tuple[bytes, int, Language, list[_Mark]]] = []
on_forget(_marks.clear)


class TextState(NamedTuple):
    """What is open at the end of a text, if anything is: its region, and where its opening begins and ends.

    `closed` is the end of the last string or comment of several lines before it, or 0.
    """

    closed: int
    region: Region | None = None
    start: int = 0
    inside: int = 0


@dataclass(slots=True)
class _Open:
    """A string or comment, or code in it (None) with so many braces of its own that are not closed."""

    kind: LongText | None
    start: int
    inside: int
    closing: bytes = b""
    braces: int = 0


def long_texts_of(language: Language) -> tuple[LongText, ...]:
    """The strings and comments of several lines of a language."""
    if language.line_comment != "//":
        return language.long_texts
    return (*language.long_texts, NESTED_COMMENT if language.nested_comments else BLOCK_COMMENT)


def scan(language: Language, data: bytes, first: int, last: int) -> TextState:
    """What is open at `last`, if `first` is in code: only what began on a line before, or may go on over its end."""
    kinds, stack, steps = long_texts_of(language), list[_Open](), 0
    marks = _marks_of(language, data, first)
    # A sign that ends before this line end is the same for every `last` behind it.
    line_end = data.rfind(b"\n", first, last)
    at, closed = marks[max(0, bisect_right(marks, line_end, key=itemgetter(0)) - 1)]
    code, code_in_text = _code_signs(language, in_text=False), _code_signs(language, in_text=True)
    line: re.Match[bytes] | None = None  # the short string or comment that reaches to the end
    while at < last:
        steps += 1
        if steps % EVERY == 0:
            checkpoint()
        top = stack[-1] if stack else None
        if top is None and marks[-1][0] + _MARK_EVERY <= at <= line_end:
            marks.append((at, closed))
        if top is not None and top.kind is not None:
            at = _in_text(stack, top, top.kind, data, at, last)
            closed = closed if stack else at
            continue
        sign = (code if top is None else code_in_text).search(data, at, last)
        if sign is None:
            break
        at, group = sign.end(), sign.lastgroup
        if group is not None and group.startswith(_KIND):
            kind = kinds[int(group[len(_KIND) :])]
            stack.append(_Open(kind, sign.start(), at, kind.closes(sign.group())))
        elif group == _BRACE and top is not None:
            _count_brace(stack, top, sign.group())
        elif group is None and at == last:
            line = sign
    return _state(language, stack, line, closed)


def _marks_of(language: Language, data: bytes, first: int) -> list[_Mark]:
    """The marks of all scans of a text from `first` on, which is the first of them."""
    for number, (text, begin, owner, marks) in enumerate(_marks):
        if text is data and begin == first and owner is language:
            if number:
                _marks.insert(0, _marks.pop(number))
            return marks
    marks = [(first, 0)]
    _marks.insert(0, (data, first, language, marks))
    del _marks[_MAX_MARKED:]
    return marks


def _in_text(stack: list[_Open], top: _Open, kind: LongText, data: bytes, at: int, last: int) -> int:
    """Behind the next sign of a string or comment; `last` where it goes on to the end."""
    if not (kind.skipped or kind.code or kind.one_line or kind.nested):
        end = data.find(top.closing, at, last)
        if end < 0:
            return last
        stack.pop()
        return end + len(top.closing)
    code = kind.code(data[top.start : top.inside]) if kind.code else kind.opens if kind.nested else b""
    sign = _text_signs(kind.skipped, top.closing, code, kind.one_line).search(data, at, last)
    if sign is None:
        return last
    if sign.lastgroup == "end":
        stack.pop()
    elif sign.lastgroup == "code":
        within = kind if kind.nested else None
        stack.append(_Open(within, sign.start(), sign.end(), top.closing))
    return sign.end()


def _count_brace(stack: list[_Open], code: _Open, brace: bytes) -> None:
    if brace == b"{":
        code.braces += 1
    elif code.braces:
        code.braces -= 1
    else:
        stack.pop()


def _state(language: Language, stack: list[_Open], line: re.Match[bytes] | None, closed: int) -> TextState:
    """A short string counts in the code of a long string, or if it continues over line ends behind backslashes."""
    region = None if line is None else _region_of_line(language, line.group())
    if stack:
        kind, first = stack[-1].kind, stack[0]
        if kind is None:
            return TextState(closed, region or Region.CODE, first.start, first.inside)
        return TextState(closed, Region.COMMENT if kind.is_comment else Region.STRING, first.start, first.inside)
    if line is not None and region is Region.STRING and any(end in line.group() for end in CONTINUED):
        return TextState(closed, region, line.start(), line.start() + 1)
    return TextState(closed)


def _region_of_line(language: Language, text: bytes) -> Region | None:
    """What is open behind a short string or a line comment: their patterns also match what lacks its end."""
    if text.startswith(language.line_comment.encode()):
        return Region.COMMENT
    quoted = text.lstrip(_PREFIX)
    quote, inside = quoted[:1], quoted[1:]
    if quote not in (b'"', b"'"):
        return None
    body = inside.removesuffix(quote)
    is_open = len(body) == len(inside) or (len(body) - len(body.rstrip(b"\\"))) % 2
    return Region.STRING if is_open else None


@lru_cache(maxsize=64)
def _code_signs(language: Language, *, in_text: bool) -> re.Pattern[bytes]:
    """What opens a long text, what hides such signs, and in the code of a text the braces."""
    kinds = [
        f"(?P<{_KIND}{number}>".encode() + kind.opens + b")" for number, kind in enumerate(long_texts_of(language))
    ]
    line = re.escape(language.line_comment.encode()) + rb"[^\n]*"
    braces = [f"(?P<{_BRACE}>[{{}}])".encode()] if in_text else []
    return re.compile(b"|".join((*kinds, line, quoting_of(language).string, *braces)), re.DOTALL)


@lru_cache(maxsize=256)
def _text_signs(skipped: bytes, closing: bytes, code: bytes, one_line: bool) -> re.Pattern[bytes]:
    """What hides signs in a long text, what opens code in it, and what ends it."""
    end = b"(?P<end>" + re.escape(closing) + (rb"|\n)" if one_line else b")")
    parts = (skipped, b"(?P<code>" + code + b")" if code else b"", end)
    return re.compile(b"|".join(part for part in parts if part), re.DOTALL)
