"""Syntax of Python as Python itself sees it, where the tree is more tolerant: `a: int: str`, `f() = 1`."""

from __future__ import annotations

import ast
import warnings
from itertools import pairwise
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.syntax.nodes import Node
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.verification.positions import PositionMap

MAX_BYTES = 40_000  # the longest statement that is compiled

MAX_COMMENTS = 50  # lines of comments above an edit that are passed over


class _Statement(NamedTuple):
    """A statement in bytes [start, end), from the begin of its line where nothing else stands before it there.

    `column` is that of its first byte, -1 behind another statement of the line.
    """

    start: int
    end: int
    column: int


def is_broken_python(before: SyntaxSnapshot, after: SyntaxSnapshot, positions: PositionMap) -> bool:
    """Whether a statement that the edits change compiles no more; only those that did are judged.

    They are the statements of the innermost block around an edit, which must be aligned.
    """
    return not _is_whole(after, positions.inserted) and _is_whole(before, positions.removed)


def _is_whole(syntax: SyntaxSnapshot, spans: tuple[tuple[int, int], ...]) -> bool:
    for low, high in spans:
        rows, column = _statements(syntax, low, high)
        if any(row.column not in (column, -1) for row in rows):
            return False
        if not all(_is_compilable(syntax.buffer.data[row.start : row.end], row.column) for row in rows):
            return False
        if not _is_followed_in_line(syntax, high):
            return False
    return True


def _is_followed_in_line(syntax: SyntaxSnapshot, byte: int) -> bool:
    """Whether what follows the blocks around a byte stands in the column of its block: a lost header shows there."""
    data = syntax.buffer.data
    path, offset = path_to(syntax, byte)
    for holder, child in pairwise(path):
        if holder.type not in ("block", "module"):
            continue
        following = child.next_named_sibling
        while following is not None and following.type == "comment":
            following = following.next_named_sibling
        column = _statement(data, holder, offset).column if holder.type == "block" else 0
        if following is not None and _statement(data, following, offset).column not in (column, -1):
            return False
    return True


def _statements(syntax: SyntaxSnapshot, low: int, high: int) -> tuple[list[_Statement], int]:
    """The statements of a block that hold some bytes, or stand beside them with only blanks and comments between.

    With the column of the block.
    """
    data = syntax.buffer.data
    low = _before_comments(syntax, low)
    while high < len(data) and data[high : high + 1].isspace():
        high += 1
    low = max(0, low - 1)
    path, offset = path_to(syntax, low)
    block = next((node for node in reversed(path[1:]) if _is_around(node, low - offset, high - offset)), None)
    holder = block if block is not None else next(iter(path), None)
    if holder is None:
        return [], 0
    rows = list[_Statement]()
    cursor = holder.walk()
    more = cursor.goto_first_child_for_byte(max(0, low - offset)) is not None
    while more and (node := cursor.node) is not None and node.start_byte + offset <= high:
        if node.is_named and node.type != "comment":
            rows.append(_statement(data, node, offset))
        more = cursor.goto_next_sibling()
    return rows, _statement(data, block, offset).column if block is not None else 0


def _before_comments(syntax: SyntaxSnapshot, byte: int) -> int:
    """The end of the code before a byte: a block of comments alone is none."""
    data = syntax.buffer.data
    for _ in range(MAX_COMMENTS):
        while byte and data[byte - 1 : byte].isspace():
            byte -= 1
        path, offset = path_to(syntax, max(0, byte - 1))
        if not path or path[-1].type != "comment":
            break
        byte = path[-1].start_byte + offset
    return byte


def _is_around(node: Node, low: int, high: int) -> bool:
    """Whether a node is a block of statements with some bytes inside of it."""
    if node.type != "block" or not node.start_byte <= low or not high <= node.end_byte:
        return False
    first = node.named_child(0)
    return first is not None and first.type != "case_clause"


def _statement(data: bytes, node: Node, offset: int) -> _Statement:
    start = node.start_byte + offset
    line = data.rfind(b"\n", 0, start) + 1
    is_first = not data[line:start].strip()
    return _Statement(line if is_first else start, node.end_byte + offset, start - line if is_first else -1)


def _is_compilable(text: bytes, column: int) -> bool:
    if len(text) > MAX_BYTES:
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(b"if 1:\n" + text if column > 0 else text, "<text>", "exec", flags=ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
