"""Where a byte of a text stands: in code, in a comment or in a string, also what is still being typed.

The tree does not hold what is not closed: without their end they are no comment and no string, and what is written in
them is an error like any other. The text is searched, in the last LOOK_BACK bytes before the cursor, and only where a
possible opening stands there.
"""

from __future__ import annotations

import tree_sitter

from editahead.syntax.language import Language
from editahead.syntax.regions.text_scanner import CONTINUED, TextState, long_texts_of, scan
from editahead.syntax.regions.unfinished_text import FORMAT_PREFIXES, Region, region_at_end
from editahead.syntax.string_syntax import LongText
from editahead.text.buffer import Buffer

LOOK_BACK = 1 << 14  # bytes: hundreds of lines, more than anyone types without closing
_TEXT_DEPTH = 4  # nodes from a leaf upwards: it lies in its string or comment, or in a part of it
_TRIES = 8  # signs that the tree reads otherwise, each of which has the rest read again
_OPEN, _CLOSE = b"/*", b"*/"


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


_CLIMB = 16  # nodes from a leaf upwards: each step begins at the root again
_MAX_STRING_BYTES = 4_000  # bytes that are looked through for an interpolation that is not closed yet


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
        return _region_of_line(buffer, language, byte, closed)
    return Region.CODE if find_misread_comment(root, buffer.data, language, byte) is None else Region.COMMENT


def _region_in_unclosed(buffer: Buffer, language: Language, state: TextState, byte: int) -> Region:
    if state.region is Region.STRING and language.id in FORMAT_PREFIXES:
        return _region_in_string(buffer, language, state.start, byte)
    return state.region or Region.CODE


def _region_in_string(buffer: Buffer, language: Language, opened: int, byte: int) -> Region:
    """In broken code: an interpolation may have just begun."""
    return Region.STRING if byte - opened > _MAX_STRING_BYTES else _region_between(buffer, language, opened, byte)


def _region_of_line(buffer: Buffer, language: Language, byte: int, closed: int) -> Region:
    """In broken code the tree is unreliable: an open quote or comment sign before the cursor decides.

    Those before `closed`, in a string or comment of several lines, count for nothing.
    """
    start, _ = buffer.line_span(buffer.line_at(byte))
    return _region_between(buffer, language, max(start, closed), byte)


def _region_between(buffer: Buffer, language: Language, start: int, byte: int) -> Region:
    text = buffer.data[start:byte].decode("utf-8", "replace")
    return region_at_end(text, language.id, language.line_comment)
