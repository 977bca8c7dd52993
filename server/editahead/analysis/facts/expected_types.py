"""Classes that the context expects: of a value without a type of its own, and of the value that a pattern matches."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import ScopeKind, ScopeTable

_MAX_DEPTH = 64  # nodes from a value or a pattern up to the declaration of its class
_MAX_NESTED = 8  # patterns, each of a member that the enclosing pattern names
_MAX_NAMES = 16  # names in a key of a pattern
_BEFORE_KEY_SIGN = 3  # children before the sign behind a key


def as_type(declared: Receiver) -> Receiver:
    """A receiver with a name taken for that of a class; any other receiver unchanged."""
    return declared._replace(kind="type") if declared.kind == "name" else declared


def expected_class(table: ScopeTable, read: Expressions, value: Node, above: Sequence[NodeContext]) -> Receiver | None:
    """The class of a value without a type of its own, by the declaration, result type or assignment around it."""
    types, returned = table.types, False
    for number, context in enumerate(above[: -_MAX_DEPTH - 1 : -1], 1):
        kind, node = context.kind, context.node
        is_function = kind in table.functions or table.scopes.get(kind) is ScopeKind.FUNCTION
        if kind in types.results and (returned or _is_in(node, "body", value)):
            return _class_in(read, node, types.results[kind])
        if returned and not is_function:
            continue
        if kind in types.returns:
            returned = True
        elif kind in types.value_wrappers or kind in types.result_clauses:
            value = node
        elif kind in types.value_places and _is_in(node, types.value_places[kind], value):
            holders = (outer for outer in above[-number : -number - 2 : -1] if outer.kind in types.declared)
            holder = next(holders, None)
            return _class_in(read, holder.node, types.declared[holder.kind]) if holder is not None else None
        elif kind in types.assignments and _is_in(node, "right", value):
            inside = number < len(above) and above[-number - 1].kind in table.literals.lists  # it follows a key
            target = node.child_by_field_name(types.assignments[kind]) if not inside else None
            return read.receiver(target, 0) if target is not None else None
        else:
            return None
    return None


def matched_value(
    table: ScopeTable, read: Expressions, pattern: Node, above: Sequence[NodeContext], depth: int = 0
) -> Receiver | None:
    """The value that a pattern is matched with: an expression, or the member that the enclosing pattern names."""
    rules = table.patterns
    for number, context in enumerate(above[: -_MAX_DEPTH - 1 : -1], 1):
        kind, node = context.kind, context.node
        if kind in rules.matched:
            value = node.child_by_field_name(rules.matched[kind]) if rules.matched[kind] else node.child(0)
            return read.receiver(value, 0) if value is not None else None
        if kind in rules.keyed:
            key = node.named_child(0)
            outer = _matched_object(table, read, above[:-number], depth) if key and _has_key(table, node) else None
            return rebased_path(read.receiver(key, 0), outer) if key is not None and outer is not None else None
        if kind not in rules.around or _is_narrowed(table, node, pattern):
            return None
        pattern = node
    return None


def path_of_key(table: ScopeTable, stack: Sequence[NodeContext]) -> Node | None:
    """The dotted key of a pattern in which a name stands: `A.B: 1`; None where it stands in none."""
    outermost: Node | None = None
    for context in stack[: -_MAX_NAMES - 1 : -1]:
        if context.kind in table.patterns.paths:
            outermost = context.node
            continue
        is_key = context.kind in table.patterns.keyed and _has_key(table, context.node)
        at_start = outermost is not None and outermost.start_byte == context.node.start_byte
        return outermost if is_key and at_start else None
    return None


def rebased_path(path: Receiver, owner: Receiver) -> Receiver:
    """A path of members with its first name as a member of an owner."""
    names = list[tuple[str, int]]()
    at: Receiver | None = path
    while at is not None and at.kind in ("name", "attribute") and len(names) < _MAX_NAMES:
        names.append((at.name, at.start))
        at = at.base
    if at is not None or not names:
        return Receiver("other")
    for name, start in reversed(names):
        owner = Receiver("attribute", name, start, owner)
    return owner


def _matched_object(table: ScopeTable, read: Expressions, above: Sequence[NodeContext], depth: int) -> Receiver | None:
    """The object that the pattern around a key takes apart, by its class if the pattern names it."""
    if depth >= _MAX_NESTED or len(above) < 2 or above[-1].kind not in table.patterns.key_lists:
        return None
    holder = above[-2]
    field = table.literals.keys.get(holder.kind)
    named = holder.node.child_by_field_name(field) if field else None
    if named is None:
        return matched_value(table, read, holder.node, above[:-2], depth + 1) if field else None
    declared = read.class_name(named)
    return as_type(declared) if declared is not None else None


def _has_key(table: ScopeTable, holder: Node) -> bool:
    """Whether a key precedes the pattern in a node."""
    return any(child.type == table.patterns.key_sign for child in holder.children[:_BEFORE_KEY_SIGN])


def _is_narrowed(table: ScopeTable, node: Node, pattern: Node) -> bool:
    """Whether an earlier pattern in the same node may restrict the object to a derived class."""
    first = node.child_by_field_name(table.patterns.both[node.type]) if node.type in table.patterns.both else None
    if first is None or first.id == pattern.id:
        return False
    inner = first.named_child(0) if first.named_child_count == 1 else None
    if first.type in table.patterns.classless or (inner is not None and inner.type in table.patterns.classless):
        return False
    field = table.literals.keys.get(first.type)
    return field is None or first.child_by_field_name(field) is not None


def _class_in(read: Expressions, holder: Node, field: str) -> Receiver | None:
    typed = holder.child_by_field_name(field)
    declared = read.class_name(typed) if typed is not None else None
    return as_type(declared) if declared is not None else None


def _is_in(holder: Node, field: str, value: Node) -> bool:
    """Whether a node has a value in a field, or behind `=`."""
    if field == "=":
        last = holder.children[-2:]
        return len(last) == 2 and last[0].type == "=" and last[1].id == value.id
    in_field = holder.child_by_field_name(field)
    return in_field is not None and in_field.id == value.id
