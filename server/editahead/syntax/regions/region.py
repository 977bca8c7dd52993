"""Where a byte of a text stands: in code, in a comment or in a string, also what is still being typed.

The tree does not hold what is not closed: without their end they are no comment and no string, and what is written in
them is an error like any other. The text is searched, in the last LOOK_BACK bytes before the cursor, and only where a
possible opening stands there.
A stack holds what is open: strings, and the code in them, which may hold strings again. Each sign is searched behind
the last, so that the work grows with the text. Scans that begin at the same byte share what they have read of lines
that are equal.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import tree_sitter

from editahead.syntax.interrupt import EVERY, checkpoint
from editahead.syntax.language import Language
from editahead.syntax.regions.quoting import quoting_of
from editahead.syntax.regions.unfinished_text import FORMAT_PREFIXES, Region, region_at_end
from editahead.syntax.string_syntax import BLOCK_COMMENT, NESTED_COMMENT, LongText
from editahead.text.buffer import Buffer
from editahead.text.memo import on_forget

_PREFIX = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$@"  # before a quote, part of the string
CONTINUED = (b"\\\n", b"\\\r\n")  # a short string may go on over such a line end
_KIND, _BRACE = "kind", "brace"
_MARK_EVERY = 256  # bytes between two marks
_MAX_MARKED = 8  # texts of which marks are kept
_Mark = tuple[int, int]  # a byte that a scan has reached in code with nothing open, and `closed` of TextState there
_marks: list[tuple[bytes, int, Language, list[_Mark]]] = []
on_forget(_marks.clear)
LOOK_BACK = 1 << 14  # bytes: hundreds of lines, more than anyone types without closing
_TEXT_DEPTH = 4  # nodes from a leaf upwards: it lies in its string or comment, or in a part of it
_TRIES = 8  # signs that the tree reads otherwise, each of which has the rest read again
_OPEN, _CLOSE = b"/*", b"*/"
_CLIMB = 16  # nodes from a leaf upwards: each step begins at the root again
_MAX_STRING_BYTES = 4_000  # bytes that are looked through for an interpolation that is not closed yet


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
    """The marks of all scans of a text from `first` on, which is the first of them.

    Those of another text hold as far as both texts are equal up to the end of their lines: of the version before the
    last letter nearly all.
    """
    marks = [(first, 0)]
    for number, (text, begin, owner, others) in enumerate(_marks):
        if begin == first and owner is language:
            if text is data:
                _marks.insert(0, _marks.pop(number))
                return others
            while len(others) > len(marks):
                end = text.find(b"\n", others[-1][0]) + 1
                if end and text[first:end] == data[first:end]:
                    marks = others
                else:
                    others = others[:-1]
    _marks.insert(0, (data, first, language, marks.copy()))
    del _marks[_MAX_MARKED:]
    return _marks[0][3]


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


def find_unclosed(root: tree_sitter.Node, data: bytes, language: Language, byte: int) -> TextState | None:
    """The multi-line comment or string that contains `byte` and is not closed before it; None: not searched.

    A string may hold code: the region is that of `byte`. `root` is the tree of `data`; an empty tree has no
    strings that begin before the part that is read.
    """
    first = max(0, byte - LOOK_BACK)
    if any(data.find(sign, first, byte) >= 0 for sign in CONTINUED) or any(
        _can_be_open(data, kind, first, byte) for kind in long_texts_of(language)
    ):
        return _search(root, data, language, byte)
    return None


def find_misread_comment(root: tree_sitter.Node, data: bytes, language: Language, byte: int) -> int | None:
    """Where a block comment begins in a tree without errors, which may read its sign as code: `a /* b`, `/* a/`."""
    comments = [kind for kind in long_texts_of(language) if kind.sign == _OPEN]
    if not any(_can_be_open(data, kind, max(0, byte - LOOK_BACK), byte) for kind in comments):
        return None
    state = _search(root, data, language, byte)
    if state is None or state.region is not Region.COMMENT or not data.startswith(_OPEN, state.start):
        return None
    leaf = root.descendant_for_byte_range(state.start, state.start + 1)
    return state.start if leaf is not None and leaf.start_byte == state.start else None


def _can_be_open(data: bytes, kind: LongText, first: int, byte: int) -> bool:
    if kind.sign != _OPEN:
        return data.find(kind.sign, first, byte) >= 0
    if kind.nested:
        return data.count(_OPEN, first, byte) > data.count(_CLOSE, first, byte)
    last = data.rfind(_CLOSE, first, byte)
    return data.find(_OPEN, first if last < 0 else last + 2, byte) >= 0


def _search(root: tree_sitter.Node, data: bytes, language: Language, byte: int) -> TextState | None:
    first = max(0, byte - LOOK_BACK)
    at = _outside(root, data, language, first) if first else 0
    if at is None:
        return None
    for _ in range(_TRIES):
        state = scan(language, data, at, byte)
        if state.region is None or not _is_inside_parsed_text(root, language, state):
            return state
        at = state.inside
    return None


def _outside(root: tree_sitter.Node, data: bytes, language: Language, first: int) -> int | None:
    """Behind the first line end from `first` on, or behind the text there; None where the tree does not reach."""
    if root.end_byte < first:
        return None
    begin = data.find(b"\n", first) + 1 or len(data)
    node = root.descendant_for_byte_range(begin, begin)
    for _ in range(_TEXT_DEPTH):
        if node is None:
            break
        if node.start_byte < begin and (node.type in language.string_nodes or node.type in language.comment_nodes):
            return max(begin, node.end_byte)
        node = node.parent
    return begin


def _is_inside_parsed_text(root: tree_sitter.Node, language: Language, state: TextState) -> bool:
    """Whether the tree has the opening in a text that it reads without errors: a regular expression, words of a tag.

    Not in a text that begins in a string: in broken code its quotes may be apart, and `//` between them a comment.
    """
    node = root.descendant_for_byte_range(state.start, state.start + 1)
    for _ in range(_TEXT_DEPTH):
        if node is None or node.start_byte < state.start:
            break
        node = node.parent
    if node is None or node.has_error or not state.closed <= node.start_byte < state.start:
        return False
    return "regex" in node.type or node.type == "jsx_text" or node.type in language.comment_nodes


def region_at(tree: tree_sitter.Tree, buffer: Buffer, language: Language, byte: int, *, unread: bool) -> Region:
    """Whether text typed at `byte` lands in code, in a comment, or in a string; `unread`: the tree knows nothing."""
    root = tree.root_node
    broken = root.has_error or unread
    state = find_unclosed(root, buffer.data, language, byte) if broken else None
    if state is not None and state.region is not None:
        return _region_in_unclosed(buffer, language, state, byte)
    closed = 0 if state is None else state.closed  # what the tree has before is misread: `"//"`, cut into its quotes
    at = max(0, byte - 1)  # the cursor stands behind the character it follows
    node: tree_sitter.Node | None = root.descendant_for_byte_range(at, at + 1) if buffer.data else None
    # Deeper than so many nodes in code, no string or comment is around it that an interpolation would not end.
    for _ in range(_CLIMB):
        if node is None or node.start_byte < closed:
            break
        kind = node.type
        if kind in language.interpolation_nodes and node.start_byte < byte < node.end_byte:
            return Region.CODE
        if kind in language.comment_nodes:
            block = buffer.data[node.start_byte : node.start_byte + 2] == b"/*"
            if node.start_byte < byte and (byte < node.end_byte or not block):
                return Region.COMMENT
        if kind in language.string_nodes and node.start_byte < byte < node.end_byte:
            return _region_in_string(buffer, language, node.start_byte, byte) if root.has_error else Region.STRING
        if kind in language.prose_nodes and node.start_byte < byte:
            return Region.STRING
        node = node.parent
    if broken:
        return _region_in_line(buffer, language, byte, closed)
    return Region.CODE if find_misread_comment(root, buffer.data, language, byte) is None else Region.COMMENT


def _region_in_unclosed(buffer: Buffer, language: Language, state: TextState, byte: int) -> Region:
    if state.region is Region.STRING and language.id in FORMAT_PREFIXES:
        return _region_in_string(buffer, language, state.start, byte)
    return state.region or Region.CODE


def _region_in_string(buffer: Buffer, language: Language, opened: int, byte: int) -> Region:
    """In broken code: an interpolation may have just begun."""
    return Region.STRING if byte - opened > _MAX_STRING_BYTES else _region_between(buffer, language, opened, byte)


def _region_in_line(buffer: Buffer, language: Language, byte: int, closed: int) -> Region:
    """In broken code the tree is unreliable: an open quote or comment sign before the cursor decides.

    Those before `closed`, in a string or comment of several lines, count for nothing.
    """
    start, _ = buffer.line_span(buffer.line_at(byte))
    return _region_between(buffer, language, max(start, closed), byte)


def _region_between(buffer: Buffer, language: Language, start: int, byte: int) -> Region:
    text = buffer.data[start:byte].decode("utf-8", "replace")
    return region_at_end(text, language.id, language.line_comment)
