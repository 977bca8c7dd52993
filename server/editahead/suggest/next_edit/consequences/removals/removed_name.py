"""What goes with a name that means nothing any more: the item of a list that it stands in, or its statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit

MAX_LINES = 30
"""Lines of a statement that is taken away."""
_STATEMENTS = ("_statement", "_declaration", "decorator")
_DECLARATION = "declaration"  # of a variable in C
_BLOCKS = ("block", "compound_statement", "statement_block", "statement_list")
LISTS = (*_BLOCKS, "_body", "_body_declarations", "declaration_list")
"""Nodes of statements or members that have nothing to do with one another."""
_PARAMETERS = ("parameter_declaration", "template_parameter_list")
_GROUPS = frozenset({"var_spec_list", "const_declaration", "type_declaration"})
"""Declarations of Go that may hold several between brackets."""
_BODIES = frozenset({"if_statement", "for_statement", "while_statement", "with_statement", "enhanced_for_statement"})
"""Statements that do nothing without their body."""
_BODY_FIELDS = ("body", "consequence", "alternative")
_NEEDS_BODY = frozenset({"labeled_statement", "else_clause", "lock_statement"})
"""Nodes that hold one statement without a field."""
_TARGETS = ("left", "name")
_PARTS = ("interpolation", "substitution")
_PLACE = re.compile(rb"%[-+ #0]*[\d.*]*[hlLzjtq]*[a-zA-Z]|\{[^{}]*\}")
_MOST_FORMATTED = 16
_CLAUSES = frozenset(
    "elif_clause else_clause alternative except_clause except_group_clause catch_clause finally_clause".split()
)
_BRANCHING = re.compile(r"switch|match_|select_statement")
"""Nodes that choose between blocks which stand in a block of their own."""


class Removal(NamedTuple):
    """An edit that takes a name away.

    `form`: `item`, the name is an item of a list; `inside`, it stands in an item; `return`; `block`, a statement with
    others in it; `statement`, any other one.
    """

    edit: ByteEdit
    form: str


def removal_of(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> Removal | None:
    """The smallest part of the text around the name at a byte that can go as a whole; None where there is none."""
    path, offset = path_to(syntax, byte)
    if not path or path[-1].type not in table.names:
        return None
    for number in range(len(path) - 1, 0, -1):
        node, parent = path[number], path[number - 1]
        if node.has_error or _declares_scope(node, table) or _holds_others(node):
            return None
        if _is_formatted(node, parent):
            return None
        if _has_branches(node):
            return None  # they say what holds without the name
        if node.type == _DECLARATION or node.type.endswith(_STATEMENTS):
            return _statement(path[: number + 1], offset, syntax)
        edit = _item(node, parent, offset) if _is_list(parent, path[:number], table) else None
        if edit is not None:
            plain = number >= len(path) - 2 and (
                number == len(path) - 1 or node.type in table.parameters.keyword_arguments
            )
            return Removal(edit, "item" if plain else "inside")
    return None


def _has_branches(node: Node) -> bool:
    """Whether a node does one of several things: an `if` with an `else`, a `try`, a `switch`."""
    chosen = node.child_by_field_name("alternative") is not None or _BRANCHING.search(node.type) is not None
    return chosen or any(child.type in _CLAUSES for child in node.named_children)


def _holds_others(node: Node) -> bool:
    """Whether a node is a block, a group of declarations or a parameter: a name in it is a small part of that."""
    if node.type in _GROUPS and any(child.type == "(" for child in node.children):
        return sum("comment" not in child.type for child in node.named_children) > 1
    return node.type.endswith((*LISTS, *_PARAMETERS))


def _declares_scope(node: Node, table: ScopeTable) -> bool:
    return node.type in table.functions or table.scopes.get(node.type) in (ScopeKind.CLASS, ScopeKind.FUNCTION)


def _is_list(node: Node, around: Sequence[Node], table: ScopeTable) -> bool:
    """Whether the children of a node stand between commas, and are neither parameters nor values of several targets."""
    if _is_positional(node, around, table):
        return False
    field = table.functions.get(around[-2].type) if len(around) > 1 else None
    row = around[-2].child_by_field_name(field) if field else None
    return (row is None or row.id != node.id) and any(child.type == "," for child in node.children)


def _is_positional(node: Node, around: Sequence[Node], table: ScopeTable) -> bool:
    """Whether the number of items is fixed: values of several targets or results, and arguments of a macro."""
    if node.type in table.macros.token_trees:
        opening = node.child(0)
        return opening is not None and opening.type == "("
    if node.type != "expression_list" or len(around) < 2:
        return False
    holder = around[-2]
    targets = [target for field in _TARGETS for target in holder.children_by_field_name(field) if target.id != node.id]
    if len(targets) > 1 or any(child.type == "," for target in targets for child in target.children):
        return True
    function = next((outer for outer in reversed(around) if outer.type in table.functions), None)
    returns = holder.type == "return_statement" and function is not None
    return returns and function is not None and function.child_by_field_name("result") is not None


def _is_formatted(node: Node, row: Node) -> bool:
    """Whether an item stands behind a text that has a place for it: `"%d"`, `"{}"`."""
    before = node.prev_named_sibling
    for _ in range(_MOST_FORMATTED):
        if before is None or row.child_count == row.named_child_count:
            return False
        if "string" in before.type:
            plain = not any(child.type.endswith(_PARTS) for child in before.named_children)
            if plain and _PLACE.search(before.text or b"") is not None:
                return True
        before = before.prev_named_sibling
    return False


def _item(node: Node, parent: Node, offset: int) -> ByteEdit | None:
    """A list without one of its items and its comma; None for the only one."""
    items = [child for child in parent.named_children if "comment" not in child.type]
    at = next((number for number, item in enumerate(items) if item.id == node.id), None)
    if at is None or len(items) < 2:
        return None
    sign = node.next_sibling if at + 1 < len(items) else node.prev_sibling
    if sign is None or (sign.type != "," and "comment" not in sign.type):
        return None  # a part of an item, or what stands before the list
    if at + 1 < len(items):
        return ByteEdit(node.start_byte + offset, items[at + 1].start_byte + offset, b"")
    return ByteEdit(items[at - 1].end_byte + offset, node.end_byte + offset, b"")


def _statement(path: Sequence[Node], offset: int, syntax: SyntaxSnapshot) -> Removal | None:
    """The last of some nodes as whole lines; where it is all that another statement does, that statement."""
    number = len(path) - 1
    while number > 1 and (step := _steps_out(path[number], path[number - 1])):
        outer = path[max(0, number - step)]
        if outer.type not in _BODIES or _has_branches(outer):
            return None
        number -= step
    node = path[number]
    if node.end_point[0] - node.start_point[0] >= MAX_LINES:
        return None
    edit = whole_lines(syntax, node.start_byte + offset, node.end_byte + offset)
    return Removal(edit, _form(node) if number == len(path) - 1 else "block") if edit is not None else None


def _steps_out(node: Node, parent: Node) -> int:
    """How far outside of a node the statement stands that does nothing but that; 0 for none."""
    bodies = (parent.child_by_field_name(field) for field in _BODY_FIELDS)
    if parent.type in _NEEDS_BODY or any(body is not None and body.id == node.id for body in bodies):
        return 1
    return 2 if is_alone(node, parent) else 0


def whole_lines(syntax: SyntaxSnapshot, start: int, end: int, *, with_blank: bool = False) -> ByteEdit | None:
    """The removal of the lines of bytes [start, end), and of the blank lines behind them; None beside other text."""
    buffer = syntax.buffer
    first, last = buffer.line_at(start), buffer.line_at(max(start, end - 1))
    low, high = buffer.line_span(first)[0], buffer.line_span(last)[1]
    if buffer.data[low:start].strip() or buffer.data[end:high].strip(b" \t\r\n;"):
        return None
    while with_blank and last + 2 < buffer.line_count and not buffer.line_text(last + 1).strip():
        last += 1
    after = int(buffer.line_starts[last + 1]) if last + 1 < buffer.line_count else buffer.line_span(last)[1]
    return ByteEdit(low, after, b"")


def _form(node: Node) -> str:
    if any(child.type.endswith(_BLOCKS) for child in node.named_children):
        return "block"
    return "return" if node.type == "return_statement" else "statement"


def is_alone(node: Node, parent: Node) -> bool:
    """Whether a statement is all that stands in a block."""
    inside = parent.type.endswith(_BLOCKS) and node.type != "decorator"
    return inside and sum("comment" not in child.type for child in parent.named_children) == 1
