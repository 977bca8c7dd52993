"""Where a byte of a text stands: in code, in a comment or in a string."""

from __future__ import annotations

import tree_sitter

from editahead.syntax.language import Language
from editahead.syntax.regions.text_scanner import TextState
from editahead.syntax.regions.unclosed_text import find_misread_comment, find_unclosed
from editahead.syntax.regions.unfinished_text import FORMAT_PREFIXES, Region, region_at_end
from editahead.text.buffer import Buffer

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
