"""Comparisons whose value is passed on: objects may overload `==` there, but never `is`.

`filter(User.deleted == None)` is a part of a query, and `rows[rows["deleted"] == None]` a mask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.text_checks.call_targets import SUBSCRIPTS
from editahead.syntax.nodes import Node
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

_EQUALITY = frozenset({"==", "!="})
_EQUALITY_SIGN = re.compile(rb"[=!]=(?!=)")
_IDENTITY = re.compile(rb"\bis\b")
_ARGUMENTS = frozenset({"argument_list", "arguments", "bracketed_argument_list"})
_TRUTH = frozenset({"boolean_operator", "not_operator", "if_clause", "lambda"})
"""Expressions that test a value, or are functions of their own."""
_ELEMENTS = frozenset({"binary_operator", "unary_operator"})
"""Operators of masks and queries: `&`, `|` and `~`."""
_ENDS = ("_statement", "block", "_definition", "_declaration", "_clause")


def _is_handed_on(path: Sequence[Node], number: int) -> bool:
    """Whether the value of the node of a path is an argument or an index, or a part of it, not a condition."""
    for at in range(number - 1, -1, -1):
        parent, child = path[at], path[at + 1]
        if parent.type in _ARGUMENTS or parent.type in _ELEMENTS:
            return True
        if parent.type in SUBSCRIPTS and child.start_byte != parent.start_byte:
            return True
        if parent.type in _TRUTH or parent.type.endswith(_ENDS) or _is_condition(child, parent):
            return False
    return False


def makes_identity_of_value(syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
    """Whether an edit replaces `==` by `is` in a comparison whose value is passed on."""
    data = syntax.buffer.data
    gone = edit.old_bytes(data)
    sign = _EQUALITY_SIGN.search(data, edit.start, min(len(data), edit.old_end + 1)) if gone else None
    if sign is None or len(_IDENTITY.findall(edit.new)) <= len(_IDENTITY.findall(gone)):
        return False
    path, _ = path_to(syntax, sign.start())
    number = next((at for at in range(len(path) - 1, 0, -1) if _is_equality(path[at])), 0)
    return number > 0 and _is_handed_on(path, number)


def _is_equality(node: Node) -> bool:
    return any(child.type in _EQUALITY for child in node.children if not child.is_named)


def _is_condition(node: Node, parent: Node) -> bool:
    """Whether a node is the condition of a conditional expression."""
    if not parent.type.startswith(("conditional_expression", "ternary_expression")):
        return False
    condition = parent.child_by_field_name("condition")
    if condition is None:  # `a if b else c`
        return len(parent.named_children) > 1 and parent.named_children[1].id == node.id
    return condition.id == node.id
