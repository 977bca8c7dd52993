"""The types of declared names, written out or given by their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from editahead.analysis.facts.expected_types import matched_value
from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.syntax.construct_tables import ELEMENT, ITEM, VALUE
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeTable

_MAX_TARGETS = 16  # names to which a call is unpacked
_PARAMETER = 4  # nodes from the name of a parameter up to its function
_PATTERN = 6  # nodes from a pattern up to the declaration of the unpacked value
_MAX_PATTERN_DEPTH = 64  # nodes from a pattern up to the matched value
_ARGUMENT = 3  # nodes from a function up to the call of which it is an argument


class DeclaredType(NamedTuple):
    """The type that a declaration gives a name, None where it is unknown; whether the declaration writes it out."""

    named: Receiver | None
    is_written: bool = False


NO_TYPE = DeclaredType(None)


def declared_type(table: ScopeTable, read: Expressions, name: Node, stack: Sequence[NodeContext]) -> DeclaredType:
    """The type that a declaration at the end of a stack gives a name."""
    above = stack
    if above and above[-1].kind in table.types.value_wrappers and above[-1].node.named_child_count == 1:
        above = above[:-1]
    end = len(above)
    while (
        end and above[end - 1].kind in table.types.declarators and above[end - 1].kind not in table.types.initial_values
    ):
        end -= 1
    near = above[max(0, end - 2) : end][::-1]
    for context in near[:1]:
        written = table.types.declared.get(context.kind, "")
        if context.kind in table.patterns.objects and context.node.child_by_field_name(written) is None:
            taken = matched_value(table, read, context.node, stack[-_MAX_PATTERN_DEPTH:-1])
            return DeclaredType(Receiver("step", base=taken) if taken is not None else None)
        if context.kind in table.transparent and context.kind not in table.types.declarators:
            unpacked = _unpacked(table, read, name, near, above)
            return DeclaredType(unpacked or _callback_parameter(table, read, name, above))
        if table.types.array_sign and context.node.child_by_field_name(table.types.array_sign) is not None:
            return DeclaredType(None, is_written=True)
    for context in near:
        field = table.types.declared.get(context.kind)
        declared = context.node.child_by_field_name(field) if field else None
        named = read.type_name(declared) if declared is not None else None
        if declared is not None and (named is not None or node_text(declared) not in table.types.inferred):
            return DeclaredType(named, is_written=True)
    for context in near:
        field = table.types.initial_values.get(context.kind)
        value = _child_after(context.node, field) if field == "=" else None
        if field and value is None:
            value = context.node.child_by_field_name(field)
        if value is not None:
            is_empty = node_text(value) in table.types.without_members
            return DeclaredType(Receiver("nothing") if is_empty else read.value(value))
        if field and field != "=":
            return DeclaredType(Receiver("nothing"))
    return DeclaredType(_element(table, read, near) or _callback_parameter(table, read, name, above))


def _element(table: ScopeTable, read: Expressions, near: Sequence[NodeContext]) -> Receiver | None:
    """The value of a loop variable: an element of the sequence."""
    for context in near[:1]:
        field = table.layers.loops.get(context.kind)
        sequence = context.node.child_by_field_name(field) if field else None
        if sequence is None or context.kind in table.layers.loop_values:
            continue
        if not any(child.type in table.layers.loop_keys for child in context.node.children):
            return Receiver("step", ELEMENT, base=read.receiver(sequence, 0))
    return None


def _callback_parameter(
    table: ScopeTable, read: Expressions, name: Node, above: Sequence[NodeContext]
) -> Receiver | None:
    """The first parameter of a function that a method calls with each element: `items.map((item) => ...)`."""
    if not table.layers.visiting:
        return None
    at = next((n for n in range(1, min(_PARAMETER, len(above)) + 1) if above[-n].kind in table.functions), 0)
    if not at or not _is_first(table, above[-at].node, name):
        return None
    inner = above[-at].node
    for context in above[-at - 1 : -at - 1 - _ARGUMENT : -1]:
        first = context.node.named_child(0) if context.node.named_child_count else None
        method = read.callee(context.node)
        if method is None and (first is None or first.id != inner.id):
            return None  # not the first argument
        inner = context.node
        if method is not None:
            visits = method.kind == "attribute" and method.name in table.layers.visiting
            return Receiver("step", ELEMENT, base=method.base) if visits else None
    return None


def _is_first(table: ScopeTable, function: Node, name: Node) -> bool:
    """Whether a name is the first parameter of a function, without a type or default value."""
    rows = function.child_by_field_name(table.functions[function.type])
    first = rows.named_child(0) if rows is not None and rows.named_child_count else rows
    if first is None:
        first = function.child_by_field_name("parameter") or function.named_child(0)
    for _ in range(_PARAMETER):
        if first is None or first.id == name.id:
            return first is not None
        first = first.named_child(0) if first.named_child_count == 1 else None
    return False


def _unpacked(
    table: ScopeTable, read: Expressions, name: Node, near: Sequence[NodeContext], above: Sequence[NodeContext]
) -> Receiver | None:
    """The value of a name among several targets of a call or loop: `a, err := f()`, `for i, a := range b`."""
    targets, holder = near[0].node, near[-1]
    position = _position(targets, name)
    first = targets.named_child(0) if position == 1 else None
    if first is not None and node_text(first) in table.layers.patterns:
        matched = _matched_with(table, above)
        return Receiver("step", ITEM, base=read.receiver(matched, 0)) if matched is not None else None
    if holder.kind in table.layers.loops:
        sequence = holder.node.child_by_field_name(table.layers.loops[holder.kind])
        if sequence is None or position < 0:
            return None
        if holder.kind in table.layers.loop_values:
            return Receiver("step", ITEM, base=read.receiver(sequence, 0)) if position == 1 else None
        return _of_pairs(table, read, sequence, position)
    field = table.types.initial_values.get(holder.kind)
    value = holder.node.child_by_field_name(field) if field else None
    if value is None or position < 0:
        return None
    if targets.type in table.literals.lists:  # `const { a } = b`
        member = Receiver("attribute", node_text(name), 0, read.receiver(value, 0))
        return Receiver("step", base=member) if name.type in table.literals.shorthands else None
    if not table.types.result_lists:
        return None
    result = read.value(value)
    if result is None or result.kind == "step" or read.is_cast(value):  # `a, ok := b[0]`
        return result if position == 0 else None
    return Receiver("call", base=result.base if result.kind == "call" else result, position=position)


def _of_pairs(table: ScopeTable, read: Expressions, sequence: Node, position: int) -> Receiver | None:
    """The value of a loop's target by position: `for n, a in enumerate(b)`, `for key, a in b.items()`."""
    function = read.callee(sequence)
    if function is not None and function.kind == "attribute" and function.name in table.layers.pairing:
        layer = table.layers.pairing[function.name]
        return Receiver("step", layer, base=function.base) if position == 1 else None
    if table.layers.map_pairs:
        return Receiver("step", VALUE, base=read.receiver(sequence, 0)) if position == 1 else None
    fields = table.calls.get(sequence.type)
    callee = sequence.child_by_field_name(fields[0]) if fields else None
    if callee is None:
        return None
    counted = read.passed_argument(sequence, callee, table.layers.counting) if position == 1 else None
    argument = counted or read.passed_argument(sequence, callee, table.layers.zipping, position=position)
    return Receiver("step", ELEMENT, base=argument) if argument is not None else None


def _matched_with(table: ScopeTable, above: Sequence[NodeContext]) -> Node | None:
    """The value that an outermost pattern takes apart."""
    for context in above[-2 : -_PATTERN - 1 : -1]:
        field = table.layers.pattern_values.get(context.kind)
        if field is not None:
            return context.node.child_by_field_name(field)
        if context.kind not in table.layers.pattern_holders:
            return None
    return None


def _position(targets: Node, name: Node) -> int:
    """The index of a name among the targets of a declaration; -1 where it is nested or too far behind."""
    for position in range(min(targets.named_child_count, _MAX_TARGETS)):
        target = targets.named_child(position)
        if target is not None and target.id == name.id:
            return position
    return -1


def _child_after(node: Node, sign: str) -> Node | None:
    """The named child that follows a sign."""
    before = next((child for child in node.children if child.type == sign), None)
    return before.next_named_sibling if before is not None else None
