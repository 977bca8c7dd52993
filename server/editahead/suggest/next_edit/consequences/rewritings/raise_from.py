"""Python's `raise ... from error`: which cause was added, and the other `raise` statements that lack theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from editahead.analysis.resolver.signatures import path_to
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_FUNCTIONS = frozenset({"function_definition", "lambda", "class_definition"})


def cause_added(syntax: SyntaxSnapshot, start: int, end: int) -> str | None:
    """The cause that a change of bytes [start, end) added to a `raise` in an `except`; None for anything else."""
    path, offset = path_to(syntax, max(start, end - 1))
    raising = next((node for node in reversed(path) if node.type == "raise_statement"), None)
    cause = raising.child_by_field_name("cause") if raising is not None else None
    if cause is None or not start <= cause.start_byte + offset or cause.end_byte + offset > end:
        return None
    text, error = node_text(cause), _error(path)
    return text if text == "None" or (error is not None and text == error) else None


def causes(syntax: SyntaxSnapshot, named: bool, most: int, check: Callable[[], None]) -> Iterator[ByteEdit]:
    """The causes that other `raise` statements lack: the error that is caught where `named`, else `None`."""
    for at in islice(syntax.occurrences(b"raise"), most):
        check()
        path, offset = path_to(syntax, at)
        if len(path) < 2 or path[-2].type != "raise_statement" or path[-2].has_error:
            continue
        raising = path[-2]
        value = next(iter(raising.named_children), None)
        caught, error = _is_caught(path), _error(path)
        if value is None or not caught or raising.child_by_field_name("cause") is not None:
            continue
        if node_text(value) == error or (named and error is None):
            continue  # the error itself is raised on, or has no name
        end = value.end_byte + offset
        yield ByteEdit(end, end, f" from {error if named else 'None'}".encode())


def _except(path: Sequence[Node]) -> Node | None:
    """The `except` around the innermost node, in its function."""
    for node in reversed(path):
        if node.type in _FUNCTIONS:
            return None
        if node.type == "except_clause":
            return node
    return None


def _is_caught(path: Sequence[Node]) -> bool:
    return _except(path) is not None


def _error(path: Sequence[Node]) -> str | None:
    """The name of the error that is caught around the innermost node."""
    clause = _except(path)
    for child in clause.named_children if clause is not None else ():
        alias = child.child_by_field_name("alias") if child.type == "as_pattern" else None
        if alias is not None:
            return node_text(alias)
    return None
