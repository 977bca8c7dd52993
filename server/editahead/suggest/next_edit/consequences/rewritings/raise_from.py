"""Python's `raise ... from error`: which cause was added, and the other `raise` statements that lack theirs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.signatures import path_to
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_AROUND_NAMES = frozenset({"parenthesized_expression", "attribute", "call", "subscript"})
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


def causes(
    syntax: SyntaxSnapshot, resolver: Resolver | None, named: bool, most: int, check: Callable[[], None]
) -> Iterator[ByteEdit]:
    """The causes that other `raise` statements lack: the error that is caught where `named`, else `None`.

    `resolver` knows where the name of an error is bound again; without one no error is named.
    """
    for at in islice(syntax.occurrences(b"raise"), most):
        check()
        path, offset = path_to(syntax, at)
        if len(path) < 2 or path[-2].type != "raise_statement" or path[-2].has_error:
            continue
        raising = path[-2]
        value = next(iter(raising.named_children), None)
        clause, error = _except(path), _error(path)
        if value is None or clause is None or raising.child_by_field_name("cause") is not None:
            continue
        if (error is not None and _begins_with(value) == error) or (named and error is None):
            continue  # the error itself is raised on, or has no name
        if named and error is not None and _bound(resolver, error, clause.start_byte + offset, at) != 1:
            continue  # the name means something else by now
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


def _begins_with(value: Node) -> str:
    """The name that an expression begins with, brackets aside: what it is raised from, if that is an error."""
    node: Node | None = value
    while node is not None and node.type != "identifier":
        node = next(iter(node.named_children), None) if node.type in _AROUND_NAMES else None
    return node_text(node) if node is not None else ""


def _bound(resolver: Resolver | None, name: str, start: int, end: int) -> int:
    """How often a name is bound in bytes [start, end)."""
    uses = resolver.names(name) if resolver is not None else []
    inside = uses[
        bisect_left(uses, start, key=lambda one: one.start) : bisect_left(uses, end, key=lambda one: one.start)
    ]
    return sum(one.occurrence.action is Action.BIND for one in inside)


def _error(path: Sequence[Node]) -> str | None:
    """The name of the error that is caught around the innermost node."""
    clause = _except(path)
    for child in clause.named_children if clause is not None else ():
        alias = child.child_by_field_name("alias") if child.type == "as_pattern" else None
        if alias is not None:
            return node_text(alias)
    return None
