"""Where a class says types, and which of them must agree: fields, parameters that are stored in them, and getters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from editahead.syntax.nodes import Node, node_text

MAX_NODES = 6_000
"""Nodes of a class that are looked at."""
_CLASSES = frozenset({"class_definition", "class_declaration", "record_declaration", "enum_declaration", "class"})
_FUNCTIONS = frozenset({"function_definition", "method_declaration", "constructor_declaration", "method_definition"})
_PARAMETERS = frozenset(
    {"formal_parameter", "typed_parameter", "typed_default_parameter", "required_parameter", "optional_parameter"}
)
_SELF = frozenset({"self", "this"})
_MEMBERS = {"attribute": "attribute", "field_access": "field", "member_expression": "property"}
"""Accesses of members, with the field of the member's name; that of the receiver is `object`."""
_RETURNS = ("return_type", "type")


class TypeSlot(NamedTuple):
    """A place that says a type: of a field, of a parameter or of what a function returns; `owner` is its function."""

    kind: str
    name: str
    owner: int
    node: Node


class TypeSlots(NamedTuple):
    """The slots of a class, and pairs of those (by their numbers) that have the same value in them."""

    slots: tuple[TypeSlot, ...]
    pairs: frozenset[tuple[int, int]]


def class_node(path: list[Node]) -> Node | None:
    """The innermost class among some nodes."""
    return next((node for node in reversed(path) if node.type in _CLASSES), None)


def slots_of(root: Node) -> TypeSlots:
    """The slots of a class and what connects them: `this.x = x`, and `return this.x` alone in a function."""
    slots: list[TypeSlot] = []
    stored: list[tuple[str, str, int]] = []  # field, name, function
    returned: dict[int, list[str]] = {}
    for node, function in _walk(root):
        owner = function.start_byte if function is not None else -1
        if node.type in _FUNCTIONS:
            said = next((one for field in _RETURNS if (one := node.child_by_field_name(field)) is not None), None)
            name = node.child_by_field_name("name")
            if said is not None and name is not None:
                slots.append(TypeSlot("return", node_text(name), node.start_byte, said))
        elif node.type in _PARAMETERS:
            slots.extend(_typed(node, "parameter", owner))
        elif function is None and node.type in ("field_declaration", "public_field_definition", "assignment"):
            slots.extend(_typed(node, "field", -1))
        elif node.type in ("assignment", "assignment_expression"):
            left, right, said = (node.child_by_field_name(field) for field in ("left", "right", "type"))
            member = _member(left)
            if member and said is not None:
                slots.append(TypeSlot("field", member, -1, said))
            target = member or (node_text(left) if left is not None and left.type == "identifier" else "")
            if right is not None and right.type == "identifier" and target:
                stored.append((target, node_text(right), owner))
        elif node.type == "return_statement":
            value = next(iter(node.named_children), None)
            plain = value is not None and value.type == "identifier"
            returned.setdefault(owner, []).append(node_text(value) if plain and value else _member(value))
    fields = {slot.name: number for number, slot in enumerate(slots) if slot.kind == "field"}
    parameters = {(slot.name, slot.owner): number for number, slot in enumerate(slots) if slot.kind == "parameter"}
    pairs = {
        (fields[field], parameters[name, owner])
        for field, name, owner in stored
        if field in fields and (name, owner) in parameters
    }
    for number, slot in enumerate(slots):
        names = returned.get(slot.owner, []) if slot.kind == "return" else []
        if len(names) == 1 and names[0] in fields and (names[0], slot.owner) not in parameters:
            pairs.add((fields[names[0]], number))
    return TypeSlots(tuple(slots), frozenset(pairs))


def _walk(root: Node) -> Iterator[tuple[Node, Node | None]]:
    """The nodes of a class in text order, each with the function around it; without those of classes in it."""
    stack: list[tuple[Node, Node | None]] = [(child, None) for child in reversed(root.children)]
    for _ in range(MAX_NODES):
        if not stack:
            return
        node, function = stack.pop()
        yield node, function
        if node.type not in _CLASSES:
            inner = node if node.type in _FUNCTIONS else function
            stack.extend((child, inner) for child in reversed(node.children))


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
