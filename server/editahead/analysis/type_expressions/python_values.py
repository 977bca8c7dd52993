"""Type expressions of Python values and annotations, read from their nodes.

What a declaration says about the type of its name is reduced to what the type depends on, bounded in depth and width,
so that it can be stored without the tree.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from editahead.syntax.language import by_id
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

MAX_DEPTH = 8  # of nested expressions
MAX_WIDTH = 8  # elements of a literal, arguments of a type
_MAX_BYTES = 400  # of an expression given as text
_LITERALS = {
    "string": "str", "concatenated_string": "str", "integer": "int", "float": "float", "true": "bool", "false": "bool",
    "comparison_operator": "bool", "not_operator": "bool", "list": "list", "set": "set", "tuple": "tuple",
    "expression_list": "tuple", "list_comprehension": "list", "set_comprehension": "set",
    "dictionary_comprehension": "dict", "generator_expression": "Generator",
}  # fmt: skip
_WITH_ELEMENTS = frozenset({"list", "set", "tuple", "expression_list"})
_SAME = frozenset({"parenthesized_expression", "type", "named_expression"})


class TypeExpression(NamedTuple):
    """An expression whose value has the type in question.

    `kind` determines the meaning of `name` and `parts`:

    - name: a `name`, looked up at the expression; literal: an object of a builtin class, `parts` its elements
    - attribute: the member `name` of parts[0]; call: the result of parts[0]; item: `parts` are the object or generic
      class and its index or type arguments; either: any of the `parts`; none: no object
    - instance: an object of the class that parts[0] names; function: its calls return parts[0]; awaitable, awaited: of
      parts[0]
    - self: the object of the enclosing method; slice: a slice of parts[0]; operation: the result of the operator `name`
    - element: an element of parts[0]; part: the element number `name` of parts[0]; entered: the value that the context
      manager parts[0] yields; unknown: no information
    """

    kind: str
    name: str = ""
    parts: tuple[TypeExpression, ...] = ()


NONE = TypeExpression("none")
UNKNOWN = TypeExpression("unknown")


def instance_of(named: TypeExpression) -> TypeExpression:
    """An object of the class that an annotation names."""
    return TypeExpression("instance", parts=(named,))


def literal(class_name: str, *elements: TypeExpression) -> TypeExpression:
    """An object of a builtin class."""
    return TypeExpression("literal", class_name, elements)


def value_of(node: Node | None, depth: int = 0) -> TypeExpression | None:
    """The type expression of a value; None where its syntax says nothing about its type."""
    if node is None or depth > MAX_DEPTH:
        return None
    kind = node.type
    if kind == "identifier":
        return TypeExpression("name", node_text(node))
    if kind == "none":
        return NONE
    if kind in _LITERALS:
        return _literal(node, depth)
    if kind == "dictionary":
        return _dictionary(node, depth)
    if kind in _SAME:
        return value_of(node.child_by_field_name("value") or child_at(node, 0), depth + 1)
    if kind == "attribute":
        return _wrapped("attribute", node.child_by_field_name("object"), depth, node.child_by_field_name("attribute"))
    if kind == "call":
        return _call(node, depth)
    if kind == "subscript":
        return _item(node, depth)
    if kind == "await":
        return _wrapped("awaited", child_at(node, 0), depth)
    if kind == "assignment":  # of several targets
        return value_of(node.child_by_field_name("right"), depth + 1)
    if kind == "conditional_expression":
        return _either((child_at(node, 0), child_at(node, 2)), depth)
    if kind == "boolean_operator":
        return _either((node.child_by_field_name("left"), node.child_by_field_name("right")), depth)
    if kind == "binary_operator":
        return _binary(node, depth)
    return None


def annotation_of(node: Node | None, depth: int = 0) -> TypeExpression | None:
    """The type expression of an annotation, quoted or not."""
    if node is None or depth > MAX_DEPTH:
        return None
    kind = node.type
    if kind in ("type", "parenthesized_expression"):
        return annotation_of(child_at(node, 0), depth + 1)
    if kind == "string":
        return annotation_in(node_text(node).strip("rbuRBU").strip("\"'"), depth + 1)
    if kind in ("binary_operator", "union_type"):
        parts = (annotation_of(child, depth + 1) for child in islice(node.named_children, MAX_WIDTH))
        return TypeExpression("either", parts=tuple(part for part in parts if part is not None))
    if kind in ("generic_type", "subscript"):
        rows = node.named_children if kind == "subscript" else [*node.named_children[:1], *_arguments(node)]
        return TypeExpression(
            "item", parts=tuple(annotation_of(child, depth + 1) or UNKNOWN for child in rows[: MAX_WIDTH + 1])
        )
    if kind == "member_type" and node.named_child_count == 2:
        return _wrapped("attribute", child_at(node, 0), depth, child_at(node, 1))
    return value_of(node, depth + 1) if kind in ("identifier", "attribute", "none") else None


def annotation_in(text: str, depth: int = 0) -> TypeExpression | None:
    """The type expression of an annotation, given as text."""
    node = parse_expression(text) if depth <= MAX_DEPTH else None
    return annotation_of(node, depth + 1)


def value_in(text: str) -> TypeExpression | None:
    """The type expression of a value, given as text."""
    return value_of(parse_expression(text))


def parse_expression(text: str) -> Node | None:
    """The node of an expression, given as text; None where the text is not an expression."""
    language, data = by_id("python"), f"({text})".encode()
    if language is None or len(data) > _MAX_BYTES:
        return None
    root = SyntaxSnapshot.open(Buffer(data), language).tree.root_node
    statement = child_at(root, 0) if root.named_child_count == 1 and not root.has_error else None
    return child_at(statement, 0) if statement is not None else None


def child_at(node: Node, number: int) -> Node | None:
    """The named child at an index; None where there is none."""
    return node.named_child(number) if number < node.named_child_count else None


def _arguments(node: Node) -> list[Node]:
    """The type arguments of a generic type."""
    return [child for holder in node.named_children[1:] for child in holder.named_children]


def _literal(node: Node, depth: int) -> TypeExpression:
    name = _LITERALS[node.type]
    if node.type == "string" and node_text(node)[:2].lower().rstrip("\"'") in ("b", "br", "rb"):
        name = "bytes"
    if node.type not in _WITH_ELEMENTS:
        return literal(name)
    elements = [value_of(child, depth + 1) for child in islice(node.named_children, MAX_WIDTH)]
    if name == "tuple":
        return literal(name, *(element or UNKNOWN for element in elements))
    return literal(name, *(element for element in elements[:1] if element is not None))


def _dictionary(node: Node, depth: int) -> TypeExpression:
    pair = next((child for child in node.named_children if child.type == "pair"), None)
    if pair is None:
        return literal("dict")
    key, value = (value_of(pair.child_by_field_name(field), depth + 1) for field in ("key", "value"))
    return literal("dict", key or UNKNOWN, value or UNKNOWN)


def _call(node: Node, depth: int) -> TypeExpression | None:
    arguments, callee = node.child_by_field_name("arguments"), value_of(node.child_by_field_name("function"), depth + 1)
    if callee is None:
        return None
    first = child_at(arguments, 0) if arguments is not None and arguments.type == "argument_list" else None
    argument = value_of(first, depth + 1) if callee.kind == "name" and first is not None else None
    return TypeExpression("call", parts=(callee, argument) if argument is not None else (callee,))


def _item(node: Node, depth: int) -> TypeExpression | None:
    value, index = value_of(node.child_by_field_name("value"), depth + 1), node.child_by_field_name("subscript")
    if value is None or index is None:
        return None
    if index.type == "slice":
        return TypeExpression("slice", parts=(value,))
    if index.type == "integer":
        return TypeExpression("part", node_text(index), (value,))
    argument = annotation_of(index, depth + 1)
    return TypeExpression("item", parts=(value, argument) if argument is not None else (value,))


def _wrapped(kind: str, node: Node | None, depth: int, name: Node | None = None) -> TypeExpression | None:
    inner = value_of(node, depth + 1)
    return TypeExpression(kind, node_text(name), (inner,)) if inner is not None else None


def _either(nodes: tuple[Node | None, ...], depth: int) -> TypeExpression | None:
    parts = tuple(part for node in nodes if (part := value_of(node, depth + 1)) is not None)
    return TypeExpression("either", parts=parts) if parts else None


def _binary(node: Node, depth: int) -> TypeExpression | None:
    """The result of an operator: of strings, lists and paths an object of the left operand's class."""
    sign = node_text(node.child_by_field_name("operator"))
    operand = value_of(node.child_by_field_name("left"), depth + 1)
    if operand is None or sign not in ("+", "%", "/", "|", "-"):
        return None
    return TypeExpression("operation", sign, (operand,))
