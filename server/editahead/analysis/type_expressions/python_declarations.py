"""Type expressions of the names that Python code declares: annotations, values, loops, context managers, functions."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from editahead.analysis.type_expressions.expression import DEEPEST, WIDEST, TypeExpression, instance_of, literal
from editahead.analysis.type_expressions.python_values import annotation_of, child_at, value_of
from editahead.syntax.nodes import Node, node_text

_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})
_PROPERTIES = ("property", "cached_property")
_STATEMENTS = 40  # of a function's body
_NAME = re.compile(r"[^\W\d]\w*")
_AROUND = 6  # nodes from a name up to its declaration


def declared(name: Node) -> TypeExpression | None:
    """What the declaration says about a name that stands at a node; None where it says nothing."""
    node, path = name, list[str]()
    for _ in range(_AROUND):
        parent = node.parent
        if parent is None:
            return None
        if parent.type in _PATTERNS:
            at = next((n for n, child in enumerate(parent.named_children) if child.id == node.id), None)
            if at is None:
                return None
            path.append(str(at))
        elif parent.type not in ("attribute", "as_pattern_target", "parenthesized_expression"):
            return _unpacked(_by_parent(parent, node), path)
        node = parent
    return None


def function_type(node: Node) -> TypeExpression | None:
    """What a function gives, as its annotation or its only return says; of a property that of the member itself."""
    annotated = annotation_of(node.child_by_field_name("return_type"))
    result = instance_of(annotated) if annotated is not None else _returned(node)
    if result is None:
        return None
    if any(child.type == "async" for child in node.children):
        result = TypeExpression("awaitable", parts=(result,))
    names = _decorators(node)
    if any(name in _PROPERTIES for name in names):
        return result
    return TypeExpression("function", "context" if any("contextmanager" in name for name in names) else "", (result,))


def assigned_type(node: Node) -> TypeExpression | None:
    """What an assignment says about its target."""
    annotated = annotation_of(node.child_by_field_name("type"))
    return instance_of(annotated) if annotated is not None else value_of(node.child_by_field_name("right"))


def parameter_types(function: Node) -> dict[str, TypeExpression]:
    """The types of a function's annotated parameters."""
    found: dict[str, TypeExpression] = {}
    heads = function.child_by_field_name("parameters")
    for child in heads.named_children if heads is not None else ():
        if child.type in ("typed_parameter", "typed_default_parameter"):
            name = child.child_by_field_name("name") or child_at(child, 0)
            annotated = annotation_of(child.child_by_field_name("type"))
            if name is not None and name.type == "identifier" and annotated is not None:
                found[node_text(name)] = instance_of(annotated)
    return found


def _by_parent(parent: Node, node: Node) -> TypeExpression | None:
    """What a declaration around a name, or around a pattern with it, says."""
    kind = parent.type
    if kind in ("typed_parameter", "typed_default_parameter"):
        annotated = annotation_of(parent.child_by_field_name("type"))
        return instance_of(annotated) if annotated is not None and node.type == "identifier" else None
    if kind == "default_parameter":
        value = value_of(parent.child_by_field_name("value"))
        return value if value is not None and value.kind == "literal" else None
    if kind == "assignment":
        return assigned_type(parent)
    if kind == "named_expression":
        return value_of(parent.child_by_field_name("value"))
    if kind in ("for_statement", "for_in_clause"):
        looped = value_of(parent.child_by_field_name("right"))
        return TypeExpression("element", parts=(looped,)) if looped is not None else None
    if kind == "function_definition":
        return function_type(parent)
    return _named_by_as(parent) if kind == "as_pattern" else None


def _named_by_as(node: Node) -> TypeExpression | None:
    """What `as` names: an exception, or what a context manager gives."""
    value = value_of(child_at(node, 0))
    if value is None or node.parent is None:
        return None
    if node.parent.type == "with_item":
        return TypeExpression("entered", parts=(value,))
    if node.parent.type in ("except_clause", "except_group_clause"):
        if value.kind == "literal":
            value = TypeExpression("either", parts=value.parts)
        return instance_of(value)
    return None


def _unpacked(found: TypeExpression | None, path: list[str]) -> TypeExpression | None:
    for at in reversed(path):
        found = TypeExpression("part", at, (found,)) if found is not None else None
    return found


def _returned(function: Node) -> TypeExpression | None:
    """What the statements of a body return, the last first, a variable of the body read where it was last assigned."""
    body, heads = function.child_by_field_name("body"), function.child_by_field_name("parameters")
    statements = body.named_children[-_STATEMENTS:] if body is not None else []
    returned = [node for statement in reversed(statements) if (node := _return_in(statement)) is not None]
    values = [value for one in returned if (value := value_of(child_at(one, 0))) is not None]
    if not values or heads is None:
        return None
    assigned = _assigned_in(statements)
    first = child_at(heads, 0)
    owner = node_text(first) if first is not None and first.type == "identifier" else ""
    inner = assigned.keys() | _NAME.findall(node_text(heads))
    found: list[TypeExpression] = []
    for value in values:
        target = assigned.get(value.name) if value.kind == "name" else value
        outer = _outside(target or value, owner, inner, 0)
        found += [outer] if outer is not None else []
    return found[0] if len(found) == 1 else TypeExpression("either", parts=tuple(found[:WIDEST])) if found else None


def _return_in(statement: Node) -> Node | None:
    """A statement that returns, or the last one of an `if` where that does."""
    if statement.type == "if_statement":
        block = statement.child_by_field_name("consequence")
        last = child_at(block, block.named_child_count - 1) if block is not None and block.named_child_count else None
        return last if last is not None and last.type == "return_statement" else None
    return statement if statement.type == "return_statement" else None


def _assigned_in(statements: Sequence[Node]) -> dict[str, TypeExpression | None]:
    """What some statements assign to names, the last of each; assignments inside of blocks are not read."""
    found: dict[str, TypeExpression | None] = {}
    for statement in statements:
        assignment = child_at(statement, 0) if statement.type == "expression_statement" else None
        left = assignment.child_by_field_name("left") if assignment is not None else None
        if assignment is not None and left is not None and left.type == "identifier":
            found[node_text(left)] = assigned_type(assignment)
    return found


def _outside(value: TypeExpression, owner: str, inner: Container[str], depth: int) -> TypeExpression | None:
    """An expression without names that a function binds, its first parameter as `self`; or None."""
    if value.kind == "literal":
        return literal(value.name)
    if value.kind in ("call", "attribute", "instance", "awaited") and depth < DEEPEST:
        part = _outside(value.parts[0], owner, inner, depth + 1)
        return value._replace(parts=(part,)) if part is not None else None
    if value.kind == "name" and value.name in ("self", "cls") and value.name == owner:
        return TypeExpression("self")
    return value if value.kind == "name" and value.name not in inner else None


def _decorators(node: Node) -> list[str]:
    around = node.parent
    if around is None or around.type != "decorated_definition":
        return []
    return [node_text(child).lstrip("@").rpartition(".")[2] for child in around.children if child.type == "decorator"]
