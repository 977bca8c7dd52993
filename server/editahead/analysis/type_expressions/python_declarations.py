"""Type expressions of the names that Python code declares: annotations, values, loops, context managers, functions."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from editahead.analysis.type_expressions.python_values import (
    MAX_DEPTH,
    MAX_WIDTH,
    TypeExpression,
    annotation_of,
    child_at,
    instance_of,
    literal,
    value_of,
)
from editahead.syntax.nodes import Node, node_text

_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})
_PROPERTIES = ("property", "cached_property")
_STATEMENTS = 40  # of a function's body
_NAME = re.compile(r"[^\W\d]\w*")
_AROUND = 6  # nodes from a name up to its declaration


def declared(name: Node) -> TypeExpression | None:
    """The type that a declaration gives the name at a node; None where it gives none."""
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
    """The type of a function by its result annotation or its returns; of a property the type of its value."""
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
    """The type that an assignment gives its target."""
    annotated = annotation_of(node.child_by_field_name("type"))
    return instance_of(annotated) if annotated is not None else value_of(node.child_by_field_name("right"))


def parameter_types(function: Node) -> dict[str, TypeExpression]:
    """The types of a function's annotated parameters."""
    types: dict[str, TypeExpression] = {}
    parameters = function.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        if child.type in ("typed_parameter", "typed_default_parameter"):
            name = child.child_by_field_name("name") or child_at(child, 0)
            annotated = annotation_of(child.child_by_field_name("type"))
            if name is not None and name.type == "identifier" and annotated is not None:
                types[node_text(name)] = instance_of(annotated)
    return types


def _by_parent(parent: Node, node: Node) -> TypeExpression | None:
    """The type that a declaration gives its target, a name or a pattern."""
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
        sequence = value_of(parent.child_by_field_name("right"))
        return TypeExpression("element", parts=(sequence,)) if sequence is not None else None
    if kind == "function_definition":
        return function_type(parent)
    return _named_by_as(parent) if kind == "as_pattern" else None


def _named_by_as(node: Node) -> TypeExpression | None:
    """The type of the target of `as`: an exception, or the value that a context manager yields."""
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


def _unpacked(value: TypeExpression | None, path: list[str]) -> TypeExpression | None:
    """The element at a path of indexes in a value, innermost index first."""
    for index in reversed(path):
        value = TypeExpression("part", index, (value,)) if value is not None else None
    return value


def _returned(function: Node) -> TypeExpression | None:
    """The types of the values that a body returns, last return first; a local variable stands for its last value."""
    body, parameters = function.child_by_field_name("body"), function.child_by_field_name("parameters")
    statements = body.named_children[-_STATEMENTS:] if body is not None else []
    returns = [node for statement in reversed(statements) if (node := _return_in(statement)) is not None]
    values = [value for node in returns if (value := value_of(child_at(node, 0))) is not None]
    if not values or parameters is None:
        return None
    assigned = _assigned_in(statements)
    first = child_at(parameters, 0)
    owner = node_text(first) if first is not None and first.type == "identifier" else ""
    inner = assigned.keys() | _NAME.findall(node_text(parameters))
    types: list[TypeExpression] = []
    for value in values:
        target = assigned.get(value.name) if value.kind == "name" else value
        outer = _outside(target or value, owner, inner, 0)
        types += [outer] if outer is not None else []
    return types[0] if len(types) == 1 else TypeExpression("either", parts=tuple(types[:MAX_WIDTH])) if types else None


def _return_in(statement: Node) -> Node | None:
    """A return statement, or the return at the end of an `if` block; None of other statements."""
    if statement.type == "if_statement":
        block = statement.child_by_field_name("consequence")
        last = child_at(block, block.named_child_count - 1) if block is not None and block.named_child_count else None
        return last if last is not None and last.type == "return_statement" else None
    return statement if statement.type == "return_statement" else None


def _assigned_in(statements: Sequence[Node]) -> dict[str, TypeExpression | None]:
    """The type that statements last assign to each name; assignments in nested blocks are not read."""
    types: dict[str, TypeExpression | None] = {}
    for statement in statements:
        assignment = child_at(statement, 0) if statement.type == "expression_statement" else None
        target = assignment.child_by_field_name("left") if assignment is not None else None
        if assignment is not None and target is not None and target.type == "identifier":
            types[node_text(target)] = assigned_type(assignment)
    return types


def _outside(value: TypeExpression, owner: str, inner: Container[str], depth: int) -> TypeExpression | None:
    """An expression with the first parameter of a function as `self`; None if it has other names that it binds."""
    if value.kind == "literal":
        return literal(value.name)
    if value.kind in ("call", "attribute", "instance", "awaited") and depth < MAX_DEPTH:
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
