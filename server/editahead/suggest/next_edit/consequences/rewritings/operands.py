"""The parts of an expression that may be others: operands, with the walks over what is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from editahead.syntax.nodes import Node

MAX_NODES, LONGEST = 200, 400
"""Nodes and bytes of an expression that is compared."""
Span = tuple[int, int]
_OPERANDS = frozenset(
    "identifier attribute call subscript parenthesized_expression list tuple dictionary set "
    "field_access method_invocation array_access this object_creation_expression "
    "member_expression call_expression subscript_expression array object template_string undefined "
    "selector_expression index_expression field_expression macro_invocation self "
    "member_access_expression invocation_expression element_access_expression".split()
)
_LITERALS = ("string", "integer", "float", "number", "literal", "none", "true", "false", "null", "nil")
WORDS = frozenset({"none", "null", "null_literal", "nil", "true", "false", "undefined"})
"""Literals that say something by themselves."""
_ROWS = frozenset({"argument_list", "arguments"})


def outermost(root: Node, texts: Mapping[bytes, object] | Mapping[bytes | None, object]) -> Iterator[Node]:
    """The outermost operands below a node of which the text is one of some."""
    stack = list(reversed(root.children))
    for _ in range(MAX_NODES):
        if not stack:
            return
        node = stack.pop()
        if is_operand(node) and node.text in texts:
            yield node
        else:
            stack.extend(reversed(node.children))


def nodes(root: Node) -> Iterator[Node]:
    """A node and those below it, as many as are compared."""
    stack = [root]
    for _ in range(MAX_NODES):
        if not stack:
            return
        node = stack.pop()
        yield node
        stack.extend(node.children)


def leaves(root: Node, holes: Mapping[Span, int]) -> Iterator[Node]:
    """The leaves that are no part of an operand."""
    stack = [root]
    while stack:
        node = stack.pop()
        if (node.start_byte, node.end_byte) in holes and is_operand(node):
            continue
        if not node.children:
            yield node
        stack.extend(reversed(node.children))


def held(root: Node, holes: Mapping[Span, int]) -> Iterator[Node]:
    """The operands themselves."""
    return (node for node in nodes(root) if (node.start_byte, node.end_byte) in holes and is_operand(node))


def is_literal(node: Node) -> bool:
    """Whether a node is a text, a number, or a word that says something by itself."""
    return node.type in WORDS or (node.is_named and any(part in node.type for part in _LITERALS))


def is_operand(node: Node) -> bool:
    """Whether a node is an expression that can stand anywhere, and not the name of a member or of what is called."""
    if not node.is_named or (node.type not in _OPERANDS and not is_literal(node)):
        return False
    parent = node.parent
    if parent is None or node.type not in ("identifier", "attribute", "member_expression", "selector_expression"):
        return True
    for field in ("function", "name", "attribute", "property", "field", "constructor"):
        named = parent.child_by_field_name(field)
        if named is not None and named.id == node.id:
            return False
    return True


def is_expression(node: Node) -> bool:
    """Whether a node is an expression that is more than an operand's name or an item of a row."""
    ending = ("_operator", "_expression", "call", "subscript", "_invocation", "_access", "attribute", "_literal")
    return node.is_named and node.type.endswith(ending) and not node.type.startswith(("assignment", "augmented"))


def in_row(node: Node) -> bool:
    """Whether a node stands between commas, and so binds as it is."""
    return node.parent is not None and node.parent.type in _ROWS
