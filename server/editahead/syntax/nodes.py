"""Nodes of the syntax tree, for rooms that walk it."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Language as Grammar
from tree_sitter import Node, Tree, TreeCursor

from editahead.syntax.chunks.chunked import ChunkedSnapshot
from editahead.syntax.snapshot import SyntaxSnapshot

__all__ = [
    "Grammar", "Node", "ParsedPart", "Parts", "ReplacedPart", "TreeCursor", "node_text", "parsed_parts", "part_numbers",
    "part_snapshots", "replaced_parts", "tree_roots",
]  # fmt: skip


class Parts(NamedTuple):
    """The requested parts of a large file: those that contain any of some byte strings or byte offsets."""

    names: frozenset[bytes]
    near: tuple[int, ...] = ()


class ParsedPart(NamedTuple):
    """A part of a file: its first byte, its text and its tree, the same object while no edit falls into the part."""

    first: int
    data: bytes
    tree: Tree


def parsed_parts(syntax: SyntaxSnapshot, parts: Parts | None = None) -> list[ParsedPart]:
    """The parts of a file: a single part, or in a large file those that are requested; others are not parsed."""
    if not isinstance(syntax, ChunkedSnapshot):
        return [ParsedPart(0, syntax.buffer.data, syntax.tree)]
    rows = part_snapshots(syntax, parts)
    return [ParsedPart(first, snapshot.buffer.data, snapshot.tree) for first, snapshot in rows]


def part_snapshots(syntax: SyntaxSnapshot, parts: Parts | None = None) -> list[tuple[int, SyntaxSnapshot]]:
    """The snapshots of parts of a large file, each with its first byte, none of them parsed; empty for a small file."""
    if not isinstance(syntax, ChunkedSnapshot):
        return []
    return syntax.chunk_snapshots() if parts is None else syntax.chunk_snapshots(parts.names, parts.near)


def part_numbers(syntax: SyntaxSnapshot, parts: Parts) -> tuple[int, ...]:
    """The numbers of the requested parts of a file, none of them parsed; empty for a small file."""
    return tuple(syntax.chunk_numbers(*parts)) if isinstance(syntax, ChunkedSnapshot) else ()


class ReplacedPart(NamedTuple):
    """A part of a version that has another text than in an older version.

    `was_first`, `was_size`: the byte where it began there, and its size. `snapshot` need not be parsed.
    """

    was_first: int
    was_size: int
    first: int
    snapshot: SyntaxSnapshot

    def parse(self) -> ParsedPart:
        """The part with its tree."""
        return ParsedPart(self.first, self.snapshot.buffer.data, self.snapshot.tree)


def replaced_parts(old: SyntaxSnapshot, new: SyntaxSnapshot) -> list[ReplacedPart] | None:
    """The parts of a version with another text than in an older version; None where they do not have the same parts."""
    if not isinstance(old, ChunkedSnapshot) or not isinstance(new, ChunkedSnapshot):
        return [ReplacedPart(0, len(old.buffer.data), 0, new)] if type(old) is type(new) else None
    rows = new.replaced_chunks(old)
    return [ReplacedPart(*row) for row in rows] if rows is not None else None


def tree_roots(syntax: SyntaxSnapshot, parts: Parts | None = None) -> list[tuple[int, Node]]:
    """The roots of `parsed_parts` with the byte where each begins."""
    return [(part.first, part.tree.root_node) for part in parsed_parts(syntax, parts)]


def children_in(node: Node, field: str) -> list[Node]:
    """The children of a node in a field, or at an index in grammars that do not name the field."""
    return node.named_children[int(field) :][:1] if field.isdigit() else node.children_by_field_name(field)


def node_text(node: Node | None) -> str:
    """The text of a node; empty for None."""
    text = node.text if node is not None else None
    return text.decode("utf-8", "replace") if text is not None else ""
