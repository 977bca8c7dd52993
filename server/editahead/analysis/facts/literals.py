"""Object literals: the class that a literal is declared to be, and the members that its keys name."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.facts.declared_types import as_type, expected_class, matched_value, pattern_owner
from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.analysis.facts.neighbours import is_element
from editahead.analysis.facts.written_types import without_layer, without_layers
from editahead.syntax.construct_tables import AWAITED, ELEMENT, VALUE
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, ScopeTable

_MAX_DEPTH = 64  # nodes from a literal up to the declaration of its type
_MAX_BRACKETS = 6
_MAX_NESTED = 4  # literals, each the value of a member of the enclosing literal
MAX_ARGUMENTS = 16  # arguments of a call that may be literals of a class


def literal_key(table: ScopeTable, read: Expressions, stack: Sequence[NodeContext]) -> tuple[Action, Receiver | None]:
    """The action of the key of a literal: a member of a class with its receiver, a use in a map, else none."""
    nested, dimensions, pattern = 0, 0, stack[-1].node
    for steps, context in enumerate(stack[: -_MAX_DEPTH - 1 : -1], 1):
        if context.kind in table.literals.objects or context.kind in table.literals.tags:
            declared = without_layers(_object_type(table, read, context.node, stack[-2 * _MAX_DEPTH : -steps]))
            return (Action.IGNORE, None) if declared is None else (Action.ATTRIBUTE, as_type(declared))
        if table.literals.taken_apart and (nested == 1 or context.kind in table.functions):
            owner = pattern_owner(table, read, context, pattern, stack[:-steps])
            if owner is not None or context.kind in table.functions:
                return (Action.IGNORE, None) if owner is None else (Action.ATTRIBUTE, owner)
        if context.kind in table.literals.keys:
            node = context.node.child_by_field_name(table.literals.keys[context.kind])
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
        if context.kind in table.literals.lists:
            nested, pattern = nested + 1, context.node
    return Action.IGNORE, None


def literal_type(table: ScopeTable, read: Expressions, literal: Node, above: Sequence[NodeContext]) -> Receiver | None:
    """The class that the context of an object literal expects.

    By its variable, its function's result type, a cast, the parameter to which it is passed, what it is assigned to, or
    the member of the enclosing literal of which it is the value; as an element of such a value, the class of these.
    """
    return without_layers(_expected_type(table, read, literal, above))


def _expected_type(
    table: ScopeTable, read: Expressions, literal: Node, above: Sequence[NodeContext], depth: int = 0
) -> Receiver | None:
    """The type that the context of a literal expects, with the layers around its class."""
    returned, elements, typed = False, 0, None
    mapping: Node | None = None
    for number, context in enumerate(above[: -_MAX_DEPTH - 1 : -1], 1):
        kind, node = context.kind, context.node
        if mapping is not None:
            mapping = mapping if mapping.id != node.id else None
            continue
        if kind in table.types.results:
            typed = _written(read, node, table.types.results[kind])
            typed = without_layer(typed, AWAITED) or typed
            mapping = _mapping_call(table, read, node, above[:-number]) if typed is None else None
            if mapping is not None:
                literal, elements, returned = mapping, elements + 1, False
                continue
        elif returned:
            continue
        elif kind in table.types.same_class or _is_choice(table, node, literal):
            literal = node
            continue
        elif kind in table.literals.sequences:
            literal, elements = node, elements + 1
            continue
        elif kind in table.literals.pairs and depth < _MAX_NESTED:
            typed = _member_type(table, read, node, above[-2 * _MAX_DEPTH : -number], depth)
        elif number < len(above) and _is_arguments_node(table, above[-number - 1].node, node):
            typed = _argument(table, read, above[-number - 1].node, node, literal)
        elif kind in table.types.returns:
            returned = True
            continue
        elif kind in table.types.casts:
            last = node.named_child(node.named_child_count - 1)
            typed = read.type_name(last) if last is not None else None
        elif kind in table.types.declared:
            typed = _written(read, node, table.types.declared[kind])
        elif kind in table.types.initial_values:
            target = node.named_child(0)
            typed = _assigned_type(table, read.receiver(target, 0)) if target is not None else None
        break
    for _ in range(elements):
        typed = without_layer(typed, ELEMENT)
    return typed


def _assigned_type(table: ScopeTable, target: Receiver) -> Receiver | None:
    """The type of what a literal is assigned to, where types are written, or of attributes: `Row.defaultProps = {}`."""
    if target.kind == "attribute" and target.name in table.literals.tag_members:
        return Receiver("argument", base=target.base, position=0)
    return Receiver("step", base=target) if table.types.declared else None


def _written(read: Expressions, node: Node, field: str) -> Receiver | None:
    typed = node.child_by_field_name(field)
    return read.type_name(typed) if typed is not None else None


def _mapping_call(table: ScopeTable, read: Expressions, function: Node, above: Sequence[NodeContext]) -> Node | None:
    """The call that gives a sequence of what the function returns for each element: `a.map((b) => ({ c: b }))`."""
    call = above[-2].node if len(above) > 1 and _is_arguments_node(table, above[-2].node, above[-1].node) else None
    callee = read.callee(call) if call is not None else None
    is_mapping = callee is not None and callee.kind == "attribute" and callee.name in table.layers.mapping
    return call if is_mapping and above[-1].node.named_children[0].id == function.id else None


def _is_choice(table: ScopeTable, node: Node, literal: Node) -> bool:
    """Whether the value of a node may be a literal in it: `a ? {} : b`, `a ?? {}`."""
    fields = table.literals.choices.get(node.type, ())
    choices = (node.child_by_field_name(field) for field in fields)
    return any(choice is not None and choice.id == literal.id for choice in choices)


def _object_type(
    table: ScopeTable, read: Expressions, literal: Node, above: Sequence[NodeContext], depth: int = 0
) -> Receiver | None:
    """The type of a literal, or of the object that a markup tag passes to the function that it names."""
    field = table.literals.tags.get(literal.type)
    if field is None:
        return _expected_type(table, read, literal, above, depth)
    name = literal.child_by_field_name(field)
    if name is None or is_element(name):
        return None
    return Receiver("argument", base=read.receiver(name, 0), position=0)


def _member_type(
    table: ScopeTable, read: Expressions, pair: Node, above: Sequence[NodeContext], depth: int
) -> Receiver | None:
    """The type of the value of a pair: that of the member that its key names, or of the values of a map."""
    key = pair.named_child(0) if pair.named_child_count else None
    expected = _object_type(table, read, above[-1].node, above[:-1], depth + 1) if above else None
    is_written = expected is not None and expected.kind in ("name", "layer")
    if is_written and (value := without_layer(expected, VALUE)) is not None:
        return value
    declared = without_layers(expected)
    if key is None or declared is None or key.type not in table.names:
        return None
    return Receiver("attribute", node_text(key), 0, as_type(declared))


def _is_arguments_node(table: ScopeTable, call: Node, node: Node) -> bool:
    """Whether a node holds the arguments of a call."""
    is_call = call.type in table.calls or call.type in table.creations
    arguments = call.child_by_field_name("arguments") if is_call else None
    return arguments is not None and arguments.id == node.id


def _argument(table: ScopeTable, read: Expressions, call: Node, arguments: Node, literal: Node) -> Receiver | None:
    """The type of a literal that is an argument of a call."""
    fields = table.calls.get(call.type)
    given = call.child_by_field_name(table.literals.type_arguments) if table.literals.type_arguments else None
    callee = call.child_by_field_name(fields[0] if fields else table.creations[call.type])
    position = 0
    for at in range(min(arguments.named_child_count, 2 * MAX_ARGUMENTS)):
        argument = arguments.named_child(at)
        if argument is None or callee is None or argument.type in table.parameters.rest:
            return None
        if argument.id == literal.id and position == 0 and callee.type in table.names and given is not None:
            return read.type_name(given.named_children[0]) if given.named_child_count == 1 else None
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
