"""Block comments and strings of several lines that are still being typed: where the one around the cursor begins.

The tree does not hold them: without their end they are no comment and no string, and what is written in them is an
error like any other. They are found in the text, in the last LOOK_BACK bytes before the cursor, and only where a sign
that could open one stands there.
"""

from __future__ import annotations

import re
from functools import lru_cache

import tree_sitter

from editahead.syntax.interrupt import EVERY, checkpoint
from editahead.syntax.language import Language
from editahead.syntax.quoting import quoting_of

LOOK_BACK = 1 << 14  # bytes: hundreds of lines, more than anyone types without closing
_LONG_QUOTES = {"python": (b'"""', b"'''"), "java": (b'"""',)}
_CLIMB = 4  # nodes from a leaf upwards: it lies in its string or comment, or in a part of it
_OPEN, _CLOSE = b"/*", b"*/"
_NESTED = re.compile(rb"/\*|\*/")
_PREFIX = b"bBfFrRtTuU"  # letters before a quote that belong to the string


def unclosed_start(root: tree_sitter.Node, data: bytes, language: Language, byte: int) -> int | None:
    """The byte at which the block comment or long string begins that holds `byte` and is not closed before it, or None.

    `root` is the tree of `data`; an empty one knows nothing of strings that begin before the part that is read.
    """
    first = max(0, byte - LOOK_BACK)
    if not (_may_be_comment(data, language, first, byte) or _may_be_string(root, data, language, first, byte)):
        return None
    return _search(root, data, language, byte)


def misread_start(root: tree_sitter.Node, data: bytes, language: Language, byte: int) -> int | None:
    """The same for block comments in a tree without errors, which may read their sign as code: `a /* b`, `/* a/`."""
    if not _may_be_comment(data, language, max(0, byte - LOOK_BACK), byte):
        return None
    opened = _search(root, data, language, byte)
    leaf = root.descendant_for_byte_range(opened, opened + 1) if opened is not None else None
    return opened if leaf is not None and leaf.start_byte == opened else None


def _may_be_comment(data: bytes, language: Language, first: int, byte: int) -> bool:
    if language.line_comment != "//":
        return False
    if language.nested_comments:
        return data.count(_OPEN, first, byte) > data.count(_CLOSE, first, byte)
    last = data.rfind(_CLOSE, first, byte)
    return data.find(_OPEN, first if last < 0 else last + 2, byte) >= 0


def _may_be_string(root: tree_sitter.Node, data: bytes, language: Language, first: int, byte: int) -> bool:
    """Whether the last long quotes may open a string: not where the tree ends one with them."""
    seen = [
        (at, quotes) for quotes in _LONG_QUOTES.get(language.id, ()) if (at := data.rfind(quotes, first, byte)) >= 0
    ]
    if len(seen) != 1:  # of two kinds, one may stand in an open string of the other, which the tree has lost
        return bool(seen)
    last, quotes = seen[0]
    leaf = root.descendant_for_byte_range(last, last + 3)
    node = leaf if leaf is None or leaf.type in language.string_nodes else leaf.parent
    if node is None or node.type not in language.string_nodes or node.end_byte != last + 3 or node.has_error:
        return True
    return data.find(quotes, node.start_byte, last) < 0


def _outside(root: tree_sitter.Node, data: bytes, language: Language, first: int) -> int | None:
    """Behind the first line end from `first` on, or behind the text there; None where the tree knows nothing."""
    if root.end_byte < first:
        return None
    begin = data.find(b"\n", first) + 1 or len(data)
    node = root.descendant_for_byte_range(begin, begin)
    for _ in range(_CLIMB):
        if node is None:
            break
        if node.start_byte < begin and (node.type in language.string_nodes or node.type in language.comment_nodes):
            return max(begin, node.end_byte)
        node = node.parent
    return begin


def _search(root: tree_sitter.Node, data: bytes, language: Language, byte: int) -> int | None:
    """Read the strings and comments before `byte`; only the last may be open."""
    quoted, long_quotes = _quoted(language), _LONG_QUOTES.get(language.id, ())
    first = max(0, byte - LOOK_BACK)
    at = _outside(root, data, language, first) if first else 0
    looked = 0
    while at is not None and (found := quoted.search(data, at, byte)) is not None:
        looked += 1
        if looked % EVERY == 0:
            checkpoint()
        start, at = found.span()
        text = found.group()
        if text == _OPEN:
            end = _end_of_comment(data, at, byte, language.nested_comments)
            if end is None and not _in_pattern(root, start):
                return start
            at = end or at
        elif at == byte and (quotes := text.lstrip(_PREFIX)[:3]) in long_quotes:
            return start if _is_open(text.lstrip(_PREFIX), quotes) else None
    return None


def _in_pattern(root: tree_sitter.Node, byte: int) -> bool:
    """Whether the tree has a regular expression around `byte`, where no rule of signs tells it from a division."""
    leaf = root.descendant_for_byte_range(byte, byte + 1)
    return leaf is not None and "regex" in leaf.type and leaf.start_byte < byte


@lru_cache(maxsize=32)
def _quoted(language: Language) -> re.Pattern[bytes]:
    """What hides signs in it, and `/*`, where a block comment begins."""
    sign = re.escape(language.line_comment.encode()) + rb"[^\n]*"
    comment = sign + rb"|/\*" if language.line_comment == "//" else sign
    return re.compile(comment + b"|" + quoting_of(language).string, re.DOTALL)


def _end_of_comment(data: bytes, at: int, byte: int, nested: bool) -> int | None:
    """Behind the sign that closes a comment opened before `at`; None where none does before `byte`."""
    if not nested:
        end = data.find(_CLOSE, at, byte)
        return None if end < 0 else end + 2
    depth = 1
    for sign in _NESTED.finditer(data, at, byte):
        depth += 1 if sign.group() == _OPEN else -1
        if depth == 0:
            return sign.end()
    return None


def _is_open(text: bytes, quotes: bytes) -> bool:
    """Whether a string from its quotes on, which ends with the text that was read, lacks its end."""
    inside = text[3:]
    if not inside.endswith(quotes):
        return True
    body = inside[:-3]
    return (len(body) - len(body.rstrip(b"\\"))) % 2 == 1
