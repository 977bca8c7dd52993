"""Where an expression may be rewritten by an example: not every place takes what another one took."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.rewritings.identity import becomes_identity, is_handed_on
from editahead.suggest.next_edit.consequences.rewritings.rewriting import Rewriting
from editahead.suggest.next_edit.consequences.targets import is_target
from editahead.syntax.nodes import Node
from editahead.syntax.snapshot import SyntaxSnapshot

_RETURNED = re.compile(rb"(?:Result|Option)\b")
_INNER_FUNCTIONS = frozenset({"closure_expression", "async_block", "const_block", "try_block"})
_LOOSEST, _EITHER, _NOT, _COMPARED, _COUNTED, _UNARY, _ATOM = range(7)
"""How closely an operator binds."""
_LEVELS = {
    **dict.fromkeys(("conditional_expression", "ternary_expression", "lambda", "arrow_function", "yield"), _LOOSEST),
    **dict.fromkeys(("assignment_expression", "named_expression", "range_expression"), _LOOSEST),
    "boolean_operator": _EITHER,
    "not_operator": _NOT,
    **dict.fromkeys(("comparison_operator", "instanceof_expression", "is_pattern_expression"), _COMPARED),
    "binary_operator": _COUNTED,
    **dict.fromkeys(("unary_operator", "unary_expression", "await", "await_expression", "cast_expression"), _UNARY),
    **dict.fromkeys(("reference_expression", "pointer_expression", "prefix_unary_expression"), _UNARY),
    **dict.fromkeys(("list_splat", "dictionary_splat", "as_expression", "type_cast_expression"), _UNARY),
}
_EITHER_SIGNS = frozenset({"||", "&&", "??"})
_COMPARISONS = frozenset("== != === !== < > <= >= in instanceof is".split())
_MEMBERS = frozenset(
    "attribute member_expression field_expression selector_expression field_access member_access_expression "
    "non_null_expression try_expression postfix_unary_expression satisfies_expression".split()
)
_BEHIND = frozenset(
    "call call_expression method_invocation invocation_expression subscript subscript_expression index_expression "
    "array_access element_access_expression method_reference".split()
)
"""Expressions whose first part is bound as closely as that of a member."""


def fits(rewriting: Rewriting, path: Sequence[Node], number: int, returned: bytes) -> bool:
    """Whether the node of a path, outermost first, may be rewritten.

    `returned`: what the function of the example returns, as `returned_at` has it.
    """
    node, parent = path[number], path[number - 1]
    if parent.has_error or is_target(path, number) or _is_called(node, parent):
        return False  # beside an error it may be anything
    new = rewriting.new
    if new is None:
        return True
    if new.type.endswith("_statement"):
        return parent.type == "expression_statement"
    if becomes_identity(rewriting.old, new) and is_handed_on(path, number):
        return False
    if any(sign.type == "??" for sign in new.children):
        return _is_given(node, parent)
    if new.type == "try_expression":
        return bool(returned) and _returned(path[:number]) == returned
    return _binds_enough(_level(new), _level(rewriting.old), node, parent)


def returned_at(syntax: SyntaxSnapshot, byte: int) -> bytes:
    """`Result` or `Option` where the function around a byte returns one, else nothing."""
    return _returned(path_to(syntax, byte)[0])


def _returned(path: Sequence[Node]) -> bytes:
    for node in reversed(path):
        if node.type in _INNER_FUNCTIONS:
            return b""
        if node.type == "function_item":
            kind = node.child_by_field_name("return_type")
            found = _RETURNED.search(kind.text or b"") if kind is not None else None
            return found.group() if found is not None else b""
    return b""


def _is_called(node: Node, parent: Node) -> bool:
    held = (parent.child_by_field_name(field) for field in ("function", "constructor"))
    return any(one is not None and one.id == node.id for one in held)


def _is_given(node: Node, parent: Node) -> bool:
    """Whether an expression is what is assigned, returned or given to a function: no condition, nor part of one."""
    if parent.type in ("arguments", "argument_list", "return_statement"):
        return True
    held = (parent.child_by_field_name(field) for field in ("value", "right"))
    assigns = parent.type.endswith(("declarator", "assignment_expression", "field_definition", "assignment_pattern"))
    return assigns and any(one is not None and one.id == node.id for one in held)


def _binds_enough(new: int, old: int, node: Node, parent: Node) -> bool:
    """Whether what binds as closely as `new` says the same in the place of a node that binds as closely as `old`."""
    if new >= old:
        return True
    first = node.start_byte == parent.start_byte
    if parent.type in _MEMBERS or (parent.type in _BEHIND and first):
        return False
    around = _level(parent)
    return around == _ATOM or around < new


def _level(node: Node) -> int:
    if node.type == "binary_expression":
        signs = {child.type for child in node.children if not child.is_named}
        return _EITHER if signs & _EITHER_SIGNS else _COMPARED if signs & _COMPARISONS else _COUNTED
    return _LEVELS.get(node.type, _ATOM)
