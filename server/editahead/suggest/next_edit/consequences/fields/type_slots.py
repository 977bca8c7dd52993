"""Where a class says types, and which of them must agree: fields, parameters that are stored in them, and getters.

Functions that another class has a say in (`@Override`), that hand out more than the value (`async`, generators), and
parameters that are set anew or stored in two fields must agree with nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from editahead.syntax.nodes import Node, node_text

MAX_NODES = 6_000
"""Nodes of a class that are looked at."""
_CLASSES = frozenset({"class_definition", "class_declaration", "record_declaration", "enum_declaration", "class"})
_FUNCTIONS = frozenset({"function_definition", "method_declaration", "constructor_declaration", "method_definition"})
_INNER = _FUNCTIONS | {"arrow_function", "function_expression", "function_declaration", "lambda_expression"}
"""What `return` leaves."""
_PARAMETERS = frozenset(
    {"formal_parameter", "typed_parameter", "typed_default_parameter", "required_parameter", "optional_parameter"}
)
_SELF = frozenset({"self", "this"})
_MEMBERS = {"attribute": "attribute", "field_access": "field", "member_expression": "property"}
"""Accesses of members, with the field of the member's name; that of the receiver is `object`."""
MAX_TARGETS = 50
"""Targets of one assignment that are looked at."""
_WRITES = {
    "assignment": "left", "assignment_expression": "left", "augmented_assignment": "left", "named_expression": "name",
    "augmented_assignment_expression": "left", "variable_declarator": "name", "for_statement": "left",
    "for_in_statement": "left", "enhanced_for_statement": "name",
}  # fmt: skip
"""Nodes that give names another value, with the field of the names."""
_YIELDS = frozenset({"yield", "yield_expression"})
_OTHERS = {"object_creation_expression": "class_body", "object": "method_definition"}
"""Nodes with functions of another object in them: `new A() { }`, `{ get a() { } }`."""
_RETURNS = ("return_type", "type")


class TypeSlot(NamedTuple):
    """A place that says a type: of a field, of a parameter or of what a function returns; `owner` is its function."""

    kind: str
    name: str
    owner: int
    node: Node


class TypeSlots(NamedTuple):
    """The slots of a class, and pairs of those (by their numbers) that have the same value in them.

    With each pair, the names without a receiver that must mean the field for that.
    """

    slots: tuple[TypeSlot, ...]
    pairs: dict[tuple[int, int], list[Node]]


class _Stored(NamedTuple):
    """A value that a function puts into what may be a field; `bare` is the field's name where it has no receiver."""

    field: str
    value: str
    owner: int
    bare: Node | None


def class_node(path: list[Node]) -> Node | None:
    """The innermost class among some nodes."""
    return next((node for node in reversed(path) if node.type in _CLASSES), None)


def slots_of(root: Node, *, bare: bool) -> TypeSlots:
    """The slots of a class and what connects them: `this.x = x`, and `return this.x` alone in a function.

    `bare`: members need no receiver.
    """
    slots: list[TypeSlot] = []
    stored: list[_Stored] = []
    returned: dict[int, list[Node | None]] = {}
    written, apart = set[tuple[str, int]](), set[int]()
    for node, function in _walk(root):
        owner = function.start_byte if function is not None else -1
        if node.type in _FUNCTIONS:
            said = next((one for field in _RETURNS if (one := node.child_by_field_name(field)) is not None), None)
            name = node.child_by_field_name("name")
            if said is not None and name is not None:
                slots.append(TypeSlot("return", node_text(name), node.start_byte, said))
            if _stands_apart(node):
                apart.add(node.start_byte)
        elif node.type in _PARAMETERS:
            slots.extend(_typed(node, "parameter", owner))
        elif function is None and node.type in ("field_declaration", "public_field_definition", "assignment"):
            slots.extend(_typed(node, "field", -1))
        elif node.type in ("assignment", "assignment_expression"):
            left, right, said = (node.child_by_field_name(field) for field in ("left", "right", "type"))
            member = _member(left)
            if member and said is not None:
                slots.append(TypeSlot("field", member, -1, said))
            plain = left if bare and left is not None and left.type == "identifier" else None
            target = member or (node_text(plain) if plain is not None else "")
            if right is not None and right.type == "identifier" and target:
                stored.append(_Stored(target, node_text(right), owner, plain))
        elif node.type == "return_statement":
            returned.setdefault(owner, []).append(next(iter(node.named_children), None))
        elif node.type in _YIELDS:
            apart.add(owner)
        written.update((name, owner) for name in _written(node))
    return TypeSlots(tuple(slots), _pairs(slots, stored, returned, written, apart, bare=bare))


def _pairs(
    slots: list[TypeSlot],
    stored: list[_Stored],
    returned: dict[int, list[Node | None]],
    written: set[tuple[str, int]],
    apart: set[int],
    *,
    bare: bool,
) -> dict[tuple[int, int], list[Node]]:
    fields = {slot.name: number for number, slot in enumerate(slots) if slot.kind == "field"}
    parameters = {(slot.name, slot.owner): number for number, slot in enumerate(slots) if slot.kind == "parameter"}
    homes: dict[tuple[str, int], set[str]] = {}
    for one in stored:
        if one.field in fields:
            homes.setdefault((one.value, one.owner), set()).add(one.field)
    pairs: dict[tuple[int, int], list[Node]] = {}
    for one in stored:
        place = one.value, one.owner
        alone = len(homes.get(place, ())) == 1 and place not in written and one.owner not in apart
        if alone and one.field in fields and place in parameters:
            must = pairs.setdefault((fields[one.field], parameters[place]), [])
            must += [one.bare] if one.bare is not None else []
    for number, slot in enumerate(slots):
        values = returned.get(slot.owner, []) if slot.kind == "return" and slot.owner not in apart else []
        value = values[0] if len(values) == 1 else None
        plain = bare and value is not None and value.type == "identifier"
        name = node_text(value) if plain and value is not None else _member(value)
        if name in fields:
            pairs[fields[name], number] = [value] if plain and value is not None else []
    return pairs


def _stands_apart(function: Node) -> bool:
    """Whether what a function returns, or takes, is not for its class alone to say."""
    if any(child.type in ("async", "*", "override_modifier") for child in function.children):
        return True
    around = function.parent
    marks = [child for child in function.children if child.type == "modifiers"]
    marks += around.children if around is not None and around.type == "decorated_definition" else []
    rows = [mark for row in marks for mark in (row.children if row.type == "modifiers" else [row])]
    return any(node_text(mark).lower().rpartition(".")[2].strip("@") == "override" for mark in rows)


def _written(node: Node) -> Iterator[str]:
    """The names without a receiver that a node declares or gives another value."""
    field = _WRITES.get(node.type)
    target = node.child_by_field_name(field) if field else None
    if node.type == "update_expression":
        target = next(iter(node.named_children), None)
    stack = [target] if target is not None else []
    for _ in range(MAX_TARGETS):
        if not stack:
            return
        one = stack.pop()
        if one.type == "identifier":
            yield node_text(one)
        elif one.type.endswith("pattern"):
            stack.extend(one.named_children)


def _walk(root: Node) -> Iterator[tuple[Node, Node | None]]:
    """The nodes of a class in text order, each with the function around it; without those of classes in it."""
    stack: list[tuple[Node, Node | None]] = [(child, None) for child in reversed(root.children)]
    for _ in range(MAX_NODES):
        if not stack:
            return
        node, function = stack.pop()
        yield node, function
        if node.type not in _CLASSES:
            inner, other = node if node.type in _INNER else function, _OTHERS.get(node.type)
            stack.extend((child, inner) for child in reversed(node.children) if child.type != other)


def _typed(node: Node, kind: str, owner: int) -> Iterator[TypeSlot]:
    """The slot of a declaration of one name."""
    said = node.child_by_field_name("type")
    names = [one for field in ("name", "pattern", "left") if (one := node.child_by_field_name(field)) is not None]
    declared = node.children_by_field_name("declarator")
    if len(declared) == 1:
        names = [one for one in [declared[0].child_by_field_name("name")] if one is not None]
    elif not names and not declared:
        names = [child for child in node.named_children if child.type == "identifier"][:1]
    if said is not None and len(names) == 1 and len(declared) < 2:
        yield TypeSlot(kind, node_text(names[0]), owner, said)


def _member(node: Node | None) -> str:
    """The name of a member of the object itself; empty for anything else."""
    field = _MEMBERS.get(node.type) if node is not None else None
    if node is None or field is None:
        return ""
    receiver, name = node.child_by_field_name("object"), node.child_by_field_name(field)
    own = receiver is not None and node_text(receiver) in _SELF
    return node_text(name) if own and name is not None else ""
