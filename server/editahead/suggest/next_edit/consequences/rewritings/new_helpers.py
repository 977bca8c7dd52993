"""New functions that only return an expression of their parameters: what their calls say at length elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange
from editahead.suggest.next_edit.consequences.rewritings.operands import operands_named
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeTable
from editahead.text.words import IDENTIFIER

MAX_DECLARED = 4
"""Functions and constants that one change declares."""
SHORTEST = 12
"""Bytes of an expression that a helper returns."""
MAX_LINES = 6
"""Lines of such an expression."""
_OPERATIONS = 2
_DOES = ("call", "call_expression", "invocation", "_operator", "binary_expression", "unary_expression", "subscript")
_NAMED = re.compile(rb"(" + IDENTIFIER + rb")[ \t]*\(")
_WORD = re.compile(IDENTIFIER)
_NO_PLAIN_CALL = re.compile(rb"\basync\b|\*")  # before the name of a function: its call gives something else


class Helper(NamedTuple):
    """A new function: its node in bytes [start, end), and what it takes the place of; its tree begins at `offset`.

    `own` is the object that it is a method of, by its name in the method.
    """

    name: str
    named: int
    start: int
    end: int
    own: str
    offset: int
    rewriting: Rewriting


def new_helpers(home: Document, table: ScopeTable, change: NetChange) -> Iterator[Helper]:
    """The functions that a change declared, of which the body only returns an expression of all parameters."""
    data = home.syntax.buffer.data
    for found in islice(_NAMED.finditer(data, change.start, change.end), 4 * MAX_DECLARED):
        path, offset = path_to(home.syntax, found.start(1))
        function = path[-2] if len(path) > 1 else None
        field = table.functions.get(function.type) if function is not None else None
        body = function.child_by_field_name("body") if function is not None and field else None
        row = function.child_by_field_name(field) if function is not None and field else None
        if function is None or body is None or row is None or function.has_error:
            continue
        statements = [one for one in body.named_children if "comment" not in one.type and not _is_text(one)]
        value = next(iter(statements[0].named_children), None) if len(statements) == 1 else None
        if value is None or statements[0].type != "return_statement" or not _says_enough(value):
            continue
        if function.end_byte + offset > change.end + SHORTEST or found.group(1) in _WORD.findall(change.old):
            continue  # it was there before
        names = [_name(one, table) for one in row.named_children]
        if not names or any(name is None for name in names):
            continue
        own = _own(path, table, str(names[0]), data[function.start_byte + offset : found.start(1)])
        if own is None:
            continue
        name = found.group(1).decode()
        rewriting = _rewriting(value, [str(one) for one in names], name, own)
        if rewriting is not None:
            start, end = function.start_byte + offset, function.end_byte + offset
            yield Helper(name, found.start(1), start, end, own, offset, rewriting)


def _own(path: Sequence[Node], table: ScopeTable, first: str, head: bytes) -> str | None:
    """What must stand before the name of a function in a call, empty for nothing; None where no call is as simple."""
    function = path[-2]
    if (
        _NO_PLAIN_CALL.search(head)
        or function.type in table.classes.method_receivers
        or path[-3].type in table.wrappers
    ):
        return None
    around = next(
        (one for one in reversed(path[:-2]) if one.type in table.classes.bodies or one.type in table.functions), None
    )
    if around is None or around.type not in table.classes.bodies or table.classes.scope_is_inherited:
        return ""
    if table.classes.explicit_self:
        return first if first == "self" else None
    return "this" if "this" in table.classes.this_nodes and not re.search(rb"\bstatic\b", head) else None


def _says_enough(value: Node) -> bool:
    """Whether an expression does more than one thing: one that hands its parameters on is no helper."""
    if len(value.text or b"") < SHORTEST or value.end_point[0] - value.start_point[0] > MAX_LINES:
        return False
    stack, done = [value], 0
    while stack and done < _OPERATIONS:
        node = stack.pop()
        done += node.type.endswith(_DOES) and node.type != "parenthesized_expression"
        stack.extend(node.named_children)
    return done >= _OPERATIONS


def _is_text(node: Node) -> bool:
    """Whether a statement is a docstring."""
    inner = next(iter(node.named_children), None)
    return node.type == "expression_statement" and inner is not None and inner.type == "string"


def _name(node: Node, table: ScopeTable) -> str | None:
    """The name of a plain parameter; None for one that may be left out."""
    if (
        node.type in table.parameters.optional
        or node.type in table.parameters.rest
        or node.type in table.parameters.separators | table.parameters.objects
    ):
        return None
    inner: Node | None = node
    while inner is not None and inner.type not in table.names:
        inner = inner.child_by_field_name(table.name_field) or next(iter(inner.named_children), None)
    return node_text(inner) if inner is not None else None


def _rewriting(value: Node, names: Sequence[str], name: str, own: str) -> Rewriting | None:
    """What the helper takes the place of; of a method, the object is the same one."""
    given = [one for one in names if one != own]
    holes = operands_named(value, given)
    if set(holes.values()) != set(range(len(given))) or not given:
        return None
    parts: list[bytes | int] = [f"{own}.{name}(".encode() if own else f"{name}(".encode()]
    for number in range(len(given)):
        parts += [b", "] * (number > 0) + [number]
    operands = tuple(one.encode() for one in given)
    return Rewriting(value, holes, frozenset(), operands, (*parts, b")"), "sign")


def free_words(helper: Helper, table: ScopeTable) -> list[tuple[str, int]]:
    """The names in what a helper returns that are no parameters of it, with their bytes."""
    found, stack, holes = list[tuple[str, int]](), [helper.rewriting.old], helper.rewriting.holes
    while stack:  # it is short
        node = stack.pop()
        if (node.start_byte, node.end_byte) in holes:
            continue
        if node.type in table.names and node_text(node) != helper.own:
            found.append((node_text(node), node.start_byte + helper.offset))
        stack.extend(node.children)
    return found
