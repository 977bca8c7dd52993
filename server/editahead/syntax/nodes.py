"""Nodes of the syntax tree, for rooms that walk it."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node, TreeCursor

from editahead.syntax.chunked import ChunkedSnapshot
from editahead.syntax.snapshot import SyntaxSnapshot

__all__ = ["Node", "Parts", "TreeCursor", "is_in_parts", "node_text", "tree_roots"]


class Parts(NamedTuple):
    """What is asked of a large file: the parts that hold one of some byte strings, or one of some bytes."""

    names: frozenset[bytes]
    near: tuple[int, ...] = ()


def is_in_parts(syntax: SyntaxSnapshot) -> bool:
    """Whether a file is so large that its parts have trees of their own."""
    return isinstance(syntax, ChunkedSnapshot)


def tree_roots(syntax: SyntaxSnapshot, parts: Parts | None = None) -> list[tuple[int, Node]]:
    """The roots of a file's trees with the byte where each begins: one, or in a large file one a part.

    Parts that are not asked for are left out, and not parsed.
    """
    if not isinstance(syntax, ChunkedSnapshot):
        return [(0, syntax.tree.root_node)]
    found = []
    for first, snapshot in syntax.chunk_snapshots():
        data = snapshot.buffer.data
        asked = parts is None or any(first <= byte <= first + len(data) for byte in parts.near)
        if parts is None or asked or any(name in data for name in parts.names):
            found.append((first, snapshot.tree.root_node))
    return found


def node_text(node: Node) -> str:
    """The text of a node."""
    text = node.text
    return text.decode("utf-8", "replace") if text is not None else ""
