"""Where a name is seen that a test binds: in what runs only after the test came out as it must."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.analysis.facts.expressions import NodeContext
from editahead.syntax.flow_table import FlowTable
from editahead.syntax.nodes import Node

_DEEPEST = 64  # nodes from a name up to what its test decides
_DEEPEST_BRANCH = 8  # statements inside of one another that may leave

Span = tuple[int, int]
"""Bytes [start, end); of several the last one ends last."""


def flow_spans(table: FlowTable, stack: Sequence[NodeContext]) -> list[Span] | None:
    """The bytes where a name below a stack is seen; None where no test binds it, or nobody can tell."""
    at = len(stack) - 1
    while at >= 0 and stack[at].kind in table.patterns:
        at -= 1
    if at < 0 or stack[at].kind not in table.tests:
        return None
    spans, outcome = list[Span](), True
    for number in range(at, max(0, at - _DEEPEST), -1):
        node, around, kind = stack[number].node, stack[number - 1].node, stack[number - 1].kind
        if kind in table.unclear or around.has_error:
            return None
        if kind in table.branches and _is(around, "condition", node):
            return [*spans, *_decided(table, around, stack[number - 2] if number > 1 else None, outcome=outcome)]
        sign = around.child_by_field_name(table.operators)
        if sign is not None and table.negations.get(kind) == sign.type:
            outcome = not outcome
        elif sign is not None and (table.both if outcome else table.either).get(kind) == sign.type:
            spans += _spans(around, "right") if _is(around, "left", node) else []
        elif kind not in table.brackets:
            return spans
    return None


def _decided(table: FlowTable, node: Node, holder: NodeContext | None, *, outcome: bool) -> Iterator[Span]:
    """What runs after the condition of a node came out as it must, in the node and behind it."""
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
    """Whether what stands behind a statement may never run after it; of a loop or the like nobody can tell."""
    if depth == _DEEPEST_BRANCH:
        return True
    if node.type in table.lists:
        rows = [one for one in node.named_children if "comment" not in one.type]
        return bool(rows) and _leaves(table, rows[-1], depth + 1)
    if node.type in table.choices:
        rows = [
            one for side in table.branches[node.type] for field in side for one in node.children_by_field_name(field)
        ]
        return len(rows) > 1 and all(_leaves(table, one, depth + 1) for one in rows)
    return node.is_named and node.type not in table.staying


def _is(node: Node, field: str, child: Node) -> bool:
    found = node.child_by_field_name(field)
    return found is not None and found.id == child.id


def _spans(node: Node, field: str) -> list[Span]:
    return [(one.start_byte, one.end_byte) for one in node.children_by_field_name(field)]
