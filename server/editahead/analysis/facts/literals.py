"""Object literals: the class that a literal is declared to be, and the members that its keys name."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.facts.declared_types import as_type, expected_class, matched_value
from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.analysis.facts.neighbours import is_element
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, ScopeTable

_MAX_DEPTH = 64  # nodes from a literal up to the declaration of its type
_MAX_BRACKETS = 6
_MAX_NESTED = 4  # literals, each the value of a member of the enclosing literal
MAX_ARGUMENTS = 16  # arguments of a call that may be literals of a class


def literal_key(table: ScopeTable, read: Expressions, stack: Sequence[NodeContext]) -> tuple[Action, Receiver | None]:
    """The action of the key of a literal: a member of a class with its receiver, a use in a map, else none."""
    nested, dimensions = 0, 0
    for steps, context in enumerate(stack[: -_MAX_DEPTH - 1 : -1], 1):
        if context.kind in table.literals.objects or context.kind in table.literals.tags:
            declared = _object_type(table, read, context.node, stack[-2 * _MAX_DEPTH : -steps])
            return (Action.IGNORE, None) if declared is None else (Action.ATTRIBUTE, as_type(declared))
        if context.kind in table.literals.keys:
            node = context.node.child_by_field_name(table.literals.keys[context.kind])
            if node is None and nested == 1 and context.kind in table.literals.destructured:
                value = context.node.child_by_field_name(table.literals.destructured[context.kind])
                return (Action.IGNORE, None) if value is None else (Action.ATTRIBUTE, read.receiver(value, 0))
            if node is None and nested <= 1 and context.kind in table.literals.untyped | table.patterns.objects:
                find_owner = expected_class if context.kind in table.literals.untyped else matched_value
                owner = find_owner(table, read, context.node, stack[-2 * _MAX_DEPTH : -steps])
                return (Action.IGNORE, None) if owner is None else (Action.ATTRIBUTE, owner)
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


def literal_type(
    table: ScopeTable, read: Expressions, literal: Node, above: Sequence[NodeContext], depth: int = 0
) -> Receiver | None:
    """The class that an object literal is declared to be.

    By its variable, its function's result type, a cast, the parameter to which it is passed, or the member of the
    enclosing literal of which it is the value.
    """
    returned = False
    for number, context in enumerate(above[: -_MAX_DEPTH - 1 : -1], 1):
        kind, node = context.kind, context.node
        typed = None
        if kind in table.types.results:
            typed = node.child_by_field_name(table.types.results[kind])
        elif returned:
            continue
        elif kind in table.types.same_class:
            literal = node
            continue
        elif kind in table.literals.pairs and depth < _MAX_NESTED:
            return _member_type(table, read, node, above[-2 * _MAX_DEPTH : -number], depth)
        elif number < len(above) and _is_arguments_node(table, above[-number - 1].node, node):
            return _argument(table, read, above[-number - 1].node, node, literal)
        elif kind in table.types.returns:
            returned = True
            continue
        elif kind in table.types.casts:
            typed = node.named_child(node.named_child_count - 1)
        elif kind in table.types.declared:
            typed = node.child_by_field_name(table.types.declared[kind])
        return read.class_name(typed) if typed is not None else None
    return None


def _object_type(
    table: ScopeTable, read: Expressions, literal: Node, above: Sequence[NodeContext], depth: int = 0
) -> Receiver | None:
    """The class of a literal, or of the object that a markup tag passes to the function that it names."""
    field = table.literals.tags.get(literal.type)
    if field is None:
        return literal_type(table, read, literal, above, depth)
    name = literal.child_by_field_name(field)
    if name is None or is_element(name):
        return None
    return Receiver("argument", base=read.receiver(name, 0), position=0)


def _member_type(
    table: ScopeTable, read: Expressions, pair: Node, above: Sequence[NodeContext], depth: int
) -> Receiver | None:
    """The class of the value of a pair: that of the member that its key names."""
    key = pair.named_child(0) if pair.named_child_count else None
    declared = _object_type(table, read, above[-1].node, above[:-1], depth + 1) if above else None
    if key is None or declared is None or key.type not in table.names:
        return None
    return Receiver("attribute", node_text(key), 0, as_type(declared))


def _is_arguments_node(table: ScopeTable, call: Node, node: Node) -> bool:
    """Whether a node holds the arguments of a call."""
    is_call = call.type in table.calls or call.type in table.creations
    arguments = call.child_by_field_name("arguments") if is_call else None
    return arguments is not None and arguments.id == node.id


def _argument(table: ScopeTable, read: Expressions, call: Node, arguments: Node, literal: Node) -> Receiver | None:
    """The class of a literal that is an argument of a call."""
    fields = table.calls.get(call.type)
    callee = call.child_by_field_name(fields[0] if fields else table.creations[call.type])
    position = 0
    for at in range(min(arguments.named_child_count, 2 * MAX_ARGUMENTS)):
        argument = arguments.named_child(at)
        if argument is None or callee is None or argument.type in table.parameters.rest:
            return None
        if argument.id == literal.id:
            return Receiver("argument", base=read.receiver(callee, 0), position=position)
        position += not argument.is_extra
    return None


def _key_of(
    table: ScopeTable, read: Expressions, node: Node | None, *, is_element: bool
) -> tuple[Action, Receiver | None]:
    """The action of the key of a literal of a written type."""
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
    declared = read.class_name(node)
    if declared is not None:
        return Action.ATTRIBUTE, as_type(declared)
    return (Action.USE if node.type in table.literals.maps else Action.IGNORE), None


def _dimensions(declarator: Node, bracketed: str) -> int:
    """The number of brackets behind a declared name, each a node of type `bracketed`: two of `a[2][3]`."""
    number, node = 0, declarator.child_by_field_name("declarator")
    for _ in range(_MAX_BRACKETS):
        if node is None or node.type != bracketed:
            break
        number, node = number + 1, node.child_by_field_name("declarator")
    return number
