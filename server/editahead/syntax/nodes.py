"""Nodes of the syntax tree, for rooms that walk it."""

from __future__ import annotations

from tree_sitter import Node, TreeCursor

from editahead.syntax.chunked import ChunkedSnapshot
from editahead.syntax.snapshot import SyntaxSnapshot

__all__ = ["Node", "TreeCursor", "tree_roots"]


def tree_roots(syntax: SyntaxSnapshot, names: frozenset[bytes] | None = None) -> list[tuple[int, Node]]:
    """The roots of a file's trees with the byte where each begins: one, or one a chunk in a large file.

    `names`: chunks that hold none of these byte strings are left out, and not parsed.
    """
    if isinstance(syntax, ChunkedSnapshot):
        return [
            (first, snapshot.tree.root_node)
            for first, snapshot in syntax.chunk_snapshots()
            if names is None or any(name in snapshot.buffer.data for name in names)
        ]
    return [(0, syntax.tree.root_node)]
