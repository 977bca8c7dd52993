"""Places of a dotted name that give it a value, or take it away: a shorter name there would be another variable."""

from __future__ import annotations

from editahead.analysis.resolver.signatures import path_to
from editahead.syntax.nodes import Node
from editahead.syntax.snapshot import SyntaxSnapshot

_HAND_ON = frozenset(
    {
        "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "list_splat", "expression_list", "tuple",
        "list", "array_pattern", "object_pattern", "pair_pattern", "rest_pattern", "parenthesized_expression",
        "non_null_expression", "assignment_pattern", "object_assignment_pattern",
    }
)  # fmt: skip
"""Nodes that set what stands in them where they are set themselves."""
_SET = {
    "assignment": "left", "augmented_assignment": "left", "assignment_expression": "left",
    "augmented_assignment_expression": "left", "for_statement": "left", "for_in_clause": "left",
    "for_in_statement": "left", "delete_statement": "", "as_pattern_target": "", "update_expression": "",
}  # fmt: skip
"""Nodes that set what stands in a field of theirs, or all that stands in them."""
_CASE, _CLASS_CASE = "case_pattern", "class_pattern"  # `case a.b:` compares, but `case b:` takes all


def is_set(syntax: SyntaxSnapshot, start: int, end: int) -> bool:
    """Whether the name in bytes [start, end) is a target of an assignment, or of what does the same."""
    path, offset = path_to(syntax, start)
    while path and path[-1].end_byte + offset < end:
        path.pop()
    if not path:
        return True  # nobody knows
    child = path.pop()
    if any(node.type == _CASE for node in (*path, child)):
        return not path or path[-1].type != _CLASS_CASE
    while path:
        parent = path.pop()
        if parent.type not in _HAND_ON:
            return _sets(parent, child)
        child = parent
    return False


def _sets(parent: Node, child: Node) -> bool:
    if parent.type == "unary_expression":
        return bool(parent.children) and parent.children[0].type == "delete"
    field = _SET.get(parent.type)
    target = parent.child_by_field_name(field) if field else None
    return field == "" or (target is not None and target.id == child.id)
