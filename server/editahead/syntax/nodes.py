"""Nodes of the syntax tree, for rooms that walk it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tree_sitter import Node, Tree, TreeCursor

from editahead.syntax.chunks.chunked import ChunkedSnapshot
from editahead.syntax.snapshot import SyntaxSnapshot

__all__ = [
    "Node",
    "ParsedPart",
    "Parts",
    "TreeCursor",
    "node_text",
    "other_parts",
    "parsed_parts",
    "part_spans",
    "replaced_parts",
    "tree_roots",
]


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
    chunks = syntax.chunk_snapshots() if parts is None else syntax.chunk_snapshots(parts.names, parts.near)
    return [ParsedPart(first, snapshot.buffer.data, snapshot.tree) for first, snapshot in chunks]


def part_spans(syntax: SyntaxSnapshot, parts: Parts) -> tuple[tuple[int, int], ...] | None:
    """The start and length of the requested parts, without parsing them; None in a file of a single part."""
    if not isinstance(syntax, ChunkedSnapshot):
        return None
    chunks = syntax.chunk_snapshots(parts.names, parts.near)
    return tuple((first, len(snapshot.buffer.data)) for first, snapshot in chunks)


def other_parts(syntax: SyntaxSnapshot, firsts: Collection[int]) -> list[SyntaxSnapshot]:
    """The parts of a large file that do not begin at some bytes, none of them parsed."""
    chunks = syntax.chunk_snapshots() if isinstance(syntax, ChunkedSnapshot) else ()
    return [snapshot for first, snapshot in chunks if first not in firsts]


def replaced_parts(old: SyntaxSnapshot, new: SyntaxSnapshot) -> list[tuple[int, ParsedPart]] | None:
    """The parts of a version with another text than in an older version, each with the byte where it began there.

    None where the versions do not have the same parts.
    """
    if not isinstance(old, ChunkedSnapshot) or not isinstance(new, ChunkedSnapshot):
        same_kind = type(old) is type(new)
        return [(0, ParsedPart(0, new.buffer.data, new.tree))] if same_kind else None
    rows = new.replaced_chunks(old)
    if rows is None:
        return None
    return [(was, ParsedPart(first, snapshot.buffer.data, snapshot.tree)) for was, first, snapshot in rows]


def tree_roots(syntax: SyntaxSnapshot, parts: Parts | None = None) -> list[tuple[int, Node]]:
    """The roots of `parsed_parts` with the byte where each begins."""
    return [(part.first, part.tree.root_node) for part in parsed_parts(syntax, parts)]


def node_text(node: Node) -> str:
    """The text of a node."""
    text = node.text
    return text.decode("utf-8", "replace") if text is not None else ""
