"""Visibility of names that a condition binds: the code that runs only after the condition had the required outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.analysis.facts.expressions import NodeContext
from editahead.syntax.construct_tables import FlowTable
from editahead.syntax.nodes import Node

_MAX_DEPTH = 64  # nodes from a name up to the statement that its condition controls
_MAX_BRANCH_DEPTH = 8  # nested statements that may leave the block

Span = tuple[int, int]  # bytes [start, end); of several spans the last has the greatest end


def flow_spans(table: FlowTable, stack: Sequence[NodeContext]) -> list[Span] | None:
    """The bytes where a name below a stack is visible; None where no condition binds it or the flow is unclear."""
    at = len(stack) - 1
    while at >= 0 and stack[at].kind in table.patterns:
        at -= 1
    if at < 0 or stack[at].kind not in table.tests:
        return None
    spans, outcome = list[Span](), True
    for number in range(at, max(0, at - _MAX_DEPTH), -1):
        node, around, kind = stack[number].node, stack[number - 1].node, stack[number - 1].kind
        if kind in table.unclear or around.has_error:
            return None
        if kind in table.branches and _is_in_field(around, "condition", node):
            return [*spans, *_decided(table, around, stack[number - 2] if number > 1 else None, outcome=outcome)]
        sign = around.child_by_field_name(table.operators)
        if sign is not None and table.negations.get(kind) == sign.type:
            outcome = not outcome
        elif sign is not None and (table.both if outcome else table.either).get(kind) == sign.type:
            spans += _spans(around, "right") if _is_in_field(around, "left", node) else []
        elif kind not in table.brackets:
            return spans
    return None


def _decided(table: FlowTable, node: Node, holder: NodeContext | None, *, outcome: bool) -> Iterator[Span]:
    """The code in and behind a node that runs only after its condition had an outcome."""
    kind = node.type
    true, false = table.branches[kind]
    runs, others = (true, false) if outcome else (false, true)
    for field in runs:
        yield from _spans(node, field)
    leaves = kind in table.choices and any(
        _leaves(table, other, 0) for field in others for other in node.children_by_field_name(field)
    )
    if holder is not None and holder.kind in table.lists and (leaves or (kind in table.loops and not outcome)):
        yield node.end_byte, holder.node.end_byte


def _leaves(table: FlowTable, node: Node, depth: int) -> bool:
    """Whether a statement may leave the block, so that the code behind it never runs after it; true of loops."""
    if depth == _MAX_BRANCH_DEPTH:
        return True
    if node.type in table.lists:
        statements = [child for child in node.named_children if "comment" not in child.type]
        return bool(statements) and _leaves(table, statements[-1], depth + 1)
    if node.type in table.choices:
        fields = (field for side in table.branches[node.type] for field in side)
        branches = [branch for field in fields for branch in node.children_by_field_name(field)]
        return len(branches) > 1 and all(_leaves(table, branch, depth + 1) for branch in branches)
    return node.is_named and node.type not in table.staying


def _is_in_field(node: Node, field: str, child: Node) -> bool:
    """Whether a child stands in a field of a node."""
    content = node.child_by_field_name(field)
    return content is not None and content.id == child.id


def _spans(node: Node, field: str) -> list[Span]:
    return [(child.start_byte, child.end_byte) for child in node.children_by_field_name(field)]
