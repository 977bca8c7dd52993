"""Where a byte of a text stands: in code, in a comment or in a string."""

from __future__ import annotations

import re
from enum import Enum

import tree_sitter

from editahead.syntax.language import Language
from editahead.text.buffer import Buffer

_CLIMB = 16  # nodes from a leaf upwards: each step begins at the root again
_QUOTE = re.compile(r"\\.|\"\"\"|'''|\"|'|#|//")


class Region(str, Enum):
    """Where a byte stands."""

    CODE = "code"
    COMMENT = "comment"
    STRING = "string"


def region_at(tree: tree_sitter.Tree, buffer: Buffer, language: Language, byte: int, *, unread: bool) -> Region:
    """Whether text typed at `byte` lands in code, in a comment, or in a string; `unread`: the tree knows nothing."""
    root = tree.root_node
    at = max(0, byte - 1)  # the cursor stands behind the character it follows
    node: tree_sitter.Node | None = root.descendant_for_byte_range(at, at + 1) if buffer.data else None
    # Deeper than so many nodes in code, no string or comment is around it that an interpolation would not end.
    for _ in range(_CLIMB):
        if node is None:
            break
        kind = node.type
        if kind in language.interpolation_nodes and node.start_byte < byte < node.end_byte:
            return Region.CODE
        if kind in language.comment_nodes:
            block = buffer.data[node.start_byte : node.start_byte + 2] == b"/*"
            if node.start_byte < byte and (byte < node.end_byte or not block):
                return Region.COMMENT
        if kind in language.string_nodes and node.start_byte < byte < node.end_byte:
            return Region.STRING
        node = node.parent
    return _region_of_line(buffer, language, byte) if root.has_error or unread else Region.CODE


def _region_of_line(buffer: Buffer, language: Language, byte: int) -> Region:
    """In broken code the tree may not know: an open quote or comment sign to the left of the cursor decides."""
    line = buffer.line_at(byte)
    start, _ = buffer.line_span(line)
    text = buffer.data[start:byte].decode("utf-8", "replace")
    quote: str | None = None
    for match in _QUOTE.finditer(text):
        sign = match.group()
        if sign[0] == "\\":
            continue
        if sign in ("#", "//"):
            if quote is None and sign == language.line_comment:
                return Region.COMMENT
        elif quote is None:
            quote = sign
        elif quote == sign:
            quote = None
    return Region.STRING if quote is not None else Region.CODE
