"""Literals of objects: the class that one is declared to be, and whose member a key of it is."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.resolver.expressions import Expressions, NodeContext
from editahead.analysis.resolver.facts import Receiver
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import Action, ScopeTable

_DEEPEST = 64  # nodes from a literal up to what says its type
_MOST_BRACKETS = 6


def literal_key(table: ScopeTable, read: Expressions, stack: Sequence[NodeContext]) -> tuple[Action, Receiver | None]:
    """What the key of a literal is: a member where a class is named, a use in a map, else it says nothing here."""
    nested, dimensions = 0, 0
    for steps, context in enumerate(stack[: -_DEEPEST - 1 : -1], 1):
        if context.kind in table.literals.objects:
            declared = literal_type(table, read, stack[-2 * _DEEPEST : -steps])
            return (Action.IGNORE, None) if declared is None else (Action.ATTRIBUTE, declared._replace(kind="type"))
        if context.kind in table.literals.keys:
            node = context.node.child_by_field_name(table.literals.keys[context.kind])
            if node is None and nested == 1 and context.kind in table.literals.destructured:
                value = context.node.child_by_field_name(table.literals.destructured[context.kind])
                return (Action.IGNORE, None) if value is None else (Action.ATTRIBUTE, read.receiver(value, 0))
            for _ in range(nested - dimensions - 1):  # of the elements of the elements
                inner = node.child_by_field_name("element") or node.child_by_field_name("value") if node else None
                node = inner
            if dimensions and nested <= dimensions:
                return Action.IGNORE, None
            return _key_of(table, read, node, is_element=nested > 1)
        if context.kind in table.types.array_declarators:
            dimensions = _dimensions(context.node, table.types.array_declarators[context.kind])
        nested += context.kind in table.literals.lists
    return Action.IGNORE, None


def literal_type(table: ScopeTable, read: Expressions, above: Sequence[NodeContext]) -> Receiver | None:
    """The class that a literal of an object is declared to be: by its variable, its function, or beside it."""
    returned = False
    for context in above[: -_DEEPEST - 1 : -1]:
        kind, node = context.kind, context.node
        typed = None
        if kind in table.types.results:
            typed = node.child_by_field_name(table.types.results[kind])
        elif returned or kind in table.types.same_class:
            continue
        elif kind in table.types.returns:
            returned = True
            continue
        elif kind in table.types.casts:
            typed = node.named_child(node.named_child_count - 1)
        elif kind in table.types.declared:
            typed = node.child_by_field_name(table.types.declared[kind])
        return read.type_name(typed) if typed is not None else None
    return None


def _key_of(
    table: ScopeTable, read: Expressions, node: Node | None, *, is_element: bool
) -> tuple[Action, Receiver | None]:
    """What the key of a literal of a type is."""
    if is_element and node is not None and node.type in table.types.wrappers:  # `[]*A{{x: 1}}`
        node = node.named_child(0)
    if node is None:
        return Action.IGNORE, None
    node = read.without_arguments(node)
    if node.type in table.names:
        named = read.receiver(node, 0)
        return Action.ATTRIBUTE, named if named.kind == "this" else named._replace(kind="type")
    if node.type in table.attributes:  # `E::A { x: 1 }`
        return Action.ATTRIBUTE, read.receiver(node, 0)
    declared = read.type_name(node)
    if declared is not None:
        return Action.ATTRIBUTE, declared._replace(kind="type")
    return (Action.USE if node.type in table.literals.maps else Action.IGNORE), None


def _dimensions(declarator: Node, bracketed: str) -> int:
    """How many brackets stand behind a declared name, each a node of type `bracketed`: of `a[2][3]` two."""
    number, node = 0, declarator.child_by_field_name("declarator")
    for _ in range(_MOST_BRACKETS):
        if node is None or node.type != bracketed:
            break
        number, node = number + 1, node.child_by_field_name("declarator")
    return number
