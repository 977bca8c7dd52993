"""Syntax of Python as Python itself sees it, where the tree is more tolerant: `a: int: str`, `f() = 1`."""

from __future__ import annotations

import ast
import warnings

from editahead.syntax.nodes import tree_roots
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.verification.positions import PositionMap

MAX_BYTES = 40_000
"""The longest statement of a module that is compiled."""


def is_broken_python(before: SyntaxSnapshot, after: SyntaxSnapshot, positions: PositionMap) -> bool:
    """Whether a statement of the module that the edits change compiles no more; only those that did are judged."""
    changed = [_statements(after, low, high) for low, high in positions.inserted]
    spans = dict.fromkeys(span for rows in changed for span in rows)
    if all(_is_compilable(after.buffer.data[start:end]) for start, end in spans):
        return False
    olds = [_statements(before, low, high) for low, high in positions.removed]
    return all(
        _is_compilable(before.buffer.data[start:end]) for start, end in dict.fromkeys(s for r in olds for s in r)
    )


def _statements(syntax: SyntaxSnapshot, low: int, high: int) -> list[tuple[int, int]]:
    """The statements of the module that hold some bytes, or end before them with nothing but blanks between."""
    rows: list[tuple[int, int]] = []
    data = syntax.buffer.data
    while low and data[low - 1 : low].isspace():
        low -= 1
    low = max(0, low - 1)
    for offset, root in tree_roots(syntax):
        cursor = root.walk()
        more = cursor.goto_first_child_for_byte(max(0, low - offset)) is not None
        while more and cursor.node is not None and cursor.node.start_byte + offset <= high:
            rows.append((cursor.node.start_byte + offset, cursor.node.end_byte + offset))
            more = cursor.goto_next_sibling()
    return rows


def _is_compilable(text: bytes) -> bool:
    if len(text) > MAX_BYTES:
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<text>", "exec", flags=ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
