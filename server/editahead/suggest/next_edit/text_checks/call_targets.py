"""Items that are assigned to, counted up or taken away: a call cannot stand in their place."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.signatures import path_to
from editahead.syntax.nodes import Node
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_HIGHEST = 12  # nodes between an expression and the statement that it is a target of
_TAKEN = frozenset({"delete_statement", "del_statement", "delete_expression", "as_pattern_target", "rest_pattern"})
_COUNTED = frozenset({"update_expression", "inc_statement", "dec_statement"})
_UNARY = frozenset({"unary_expression", "pointer_expression", "prefix_unary_expression", "postfix_unary_expression"})
_UNARY_SIGNS = frozenset({"delete", "++", "--", "&"})
_GIVEN = frozenset({"ref", "out"})  # of an argument that the function assigns to
_INFIX = ("binary_operator", "binary_expression", "comparison_operator", "boolean_operator")
_HOLDERS = frozenset(
    "tuple list expression_list pattern_list tuple_pattern list_pattern parenthesized_expression array_pattern "
    "object_pattern pair_pattern assignment_pattern object_assignment_pattern rest_pattern list_splat "
    "list_splat_pattern tuple_expression argument non_null_expression".split()
)
SUBSCRIPTS = frozenset("subscript subscript_expression index_expression array_access element_access_expression".split())


def _is_target(path: Sequence[Node], number: int) -> bool:
    """Whether the node of a path, outermost first, or an item of it, is assigned to, counted up or taken away."""
    for at in range(number - 1, max(-1, number - 1 - _HIGHEST), -1):
        parent, child = path[at], path[at + 1]
        if _changes(parent, child):
            return True
        inside = parent.type in SUBSCRIPTS and child.start_byte == parent.start_byte
        if not inside and parent.type not in _HOLDERS:
            return False
    return False


def makes_call_a_target(syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
    """Whether an edit puts a call in the place of an item that is assigned to, counted up or taken away."""
    if not edit.new.endswith(b")") or edit.old_end == edit.start:
        return False
    path, offset = path_to(syntax, edit.start)
    return any(
        path[number].type in SUBSCRIPTS
        and path[number].end_byte + offset == edit.old_end
        and path[number].start_byte + offset <= edit.start
        and _is_target(path, number)
        for number in range(max(1, len(path) - _HIGHEST), len(path))
    )


def _changes(parent: Node, child: Node) -> bool:
    kind = parent.type
    if kind in _TAKEN or kind in _COUNTED:
        return True
    if kind in _UNARY:
        return any(sign.type in _UNARY_SIGNS for sign in parent.children)
    if kind == "argument":
        return any(sign.type in _GIVEN for sign in parent.children)
    if kind == "reference_expression":
        return any(one.type == "mutable_specifier" for one in parent.children)
    if kind.endswith(_INFIX):
        return False
    held = (parent.child_by_field_name(field) for field in ("left", "name"))
    return any(one is not None and one.id == child.id for one in held)
