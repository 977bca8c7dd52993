"""Items that are assigned, incremented or deleted, and so cannot be replaced by a call."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.signatures import path_to
from editahead.syntax.nodes import Node
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_MAX_HEIGHT = 12  # nodes from an expression up to the statement of which it is a target
_DELETIONS = frozenset({"delete_statement", "del_statement", "delete_expression", "as_pattern_target", "rest_pattern"})
_INCREMENTS = frozenset({"update_expression", "inc_statement", "dec_statement"})
_UNARY = frozenset({"unary_expression", "pointer_expression", "prefix_unary_expression", "postfix_unary_expression"})
_UNARY_SIGNS = frozenset({"delete", "++", "--", "&"})
_REFERENCES = frozenset({"ref", "out"})  # of an argument that the function assigns
_INFIX = ("binary_operator", "binary_expression", "comparison_operator", "boolean_operator")
_HOLDERS = frozenset(
    "tuple list expression_list pattern_list tuple_pattern list_pattern parenthesized_expression array_pattern "
    "object_pattern pair_pattern assignment_pattern object_assignment_pattern rest_pattern list_splat "
    "list_splat_pattern tuple_expression argument non_null_expression".split()
)
SUBSCRIPTS = frozenset("subscript subscript_expression index_expression array_access element_access_expression".split())


def _is_target(path: Sequence[Node], number: int) -> bool:
    """Whether the node of a path, outermost first, or an item of it, is assigned, incremented or deleted."""
    for at in range(number - 1, max(-1, number - 1 - _MAX_HEIGHT), -1):
        parent, child = path[at], path[at + 1]
        if _has_target(parent, child):
            return True
        inside = parent.type in SUBSCRIPTS and child.start_byte == parent.start_byte
        if not inside and parent.type not in _HOLDERS:
            return False
    return False


def makes_call_a_target(syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
    """Whether an edit replaces an item that is assigned, incremented or deleted by a call."""
    if not edit.new.endswith(b")") or edit.old_end == edit.start:
        return False
    path, offset = path_to(syntax, edit.start)
    return any(
        path[number].type in SUBSCRIPTS
        and path[number].end_byte + offset == edit.old_end
        and path[number].start_byte + offset <= edit.start
        and _is_target(path, number)
        for number in range(max(1, len(path) - _MAX_HEIGHT), len(path))
    )


def _has_target(parent: Node, child: Node) -> bool:
    """Whether a node assigns, increments or deletes its child."""
    kind = parent.type
    if kind in _DELETIONS or kind in _INCREMENTS:
        return True
    if kind in _UNARY:
        return any(sign.type in _UNARY_SIGNS for sign in parent.children)
    if kind == "argument":
        return any(sign.type in _REFERENCES for sign in parent.children)
    if kind == "reference_expression":
        return any(sign.type == "mutable_specifier" for sign in parent.children)
    if kind.endswith(_INFIX):
        return False
    targets = (parent.child_by_field_name(field) for field in ("left", "name"))
    return any(target is not None and target.id == child.id for target in targets)
