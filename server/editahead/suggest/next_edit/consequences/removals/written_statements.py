"""Statements that a change wrote whole, and others of the file that say the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from editahead.analysis.signatures import path_to
from editahead.patterns.changes import NetChange
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.words import WORD_BYTES

MAX_STATEMENTS, MAX_BYTES = 40, 20_000
"""Statements of one change, and bytes of it, that are looked at."""
LONGEST_SLIDE = 400
"""Bytes by which an inserted text is slid to the beginning of a line."""
_BLOCKS = ("block", "statement_list", "_body", "field_declaration_list", "declaration_list")
_ASSIGNED = re.compile(rb"[$" + WORD_BYTES + rb". \t:,\[\]<>*&-]*[$" + WORD_BYTES + rb"\]>][ \t]*=(?!=)")
_COMMENT = "comment"
_CONTROL = frozenset(
    "if for while do switch match case try with return raise throw break continue goto loop foreach defer".split()
)
"""Parts of the types of statements that say what is run next."""


class Statement(NamedTuple):
    """A statement in bytes [start, end): its node, the nodes around it, and where their tree begins."""

    start: int
    end: int
    node: Node
    around: tuple[Node, ...]
    offset: int

    @property
    def parent(self) -> Node:
        """The block, class body or module that it stands in."""
        return self.around[-1]


def statement_at(syntax: SyntaxSnapshot, byte: int) -> Statement | None:
    """The outermost statement that begins at a byte; None where none does, and for one with an error in it."""
    path, offset = path_to(syntax, byte)
    for number in range(1, len(path)):
        node = path[number]
        if node.start_byte + offset == byte and not node.type.endswith(_BLOCKS):
            parent = path[number - 1]
            whole = number == 1 or parent.type.endswith(_BLOCKS)
            if not whole or node.has_error or not node.is_named:
                return None
            return Statement(byte, node.end_byte + offset, node, tuple(path[:number]), offset)
    return None


def written(syntax: SyntaxSnapshot, change: NetChange) -> list[Statement]:
    """The statements that a change wrote whole, in text order; none inside of others."""
    buffer, data = syntax.buffer, syntax.buffer.data
    start, end = _from_line_start(data, change)
    found: list[Statement] = []
    line = buffer.line_at(start)
    if buffer.line_span(line)[0] < start and data[buffer.line_span(line)[0] : start].strip():
        line += 1
    while line < buffer.line_count and len(found) < MAX_STATEMENTS and end - start <= MAX_BYTES:
        low, high = buffer.line_span(line)
        if low >= end:
            break
        text = data[low:high]
        statement = statement_at(syntax, low + len(text) - len(text.lstrip())) if text.strip() else None
        if statement is not None and statement.end <= end:
            found.append(statement)
            line = buffer.line_at(max(statement.start, statement.end - 1))
        line += 1
    return found


def _from_line_start(data: bytes, change: NetChange) -> tuple[int, int]:
    """A change in bytes [start, end); an insertion that can be told from the beginning of its line on is."""
    start, end = change.start, change.end
    if not change.old:
        for _ in range(LONGEST_SLIDE):
            if not start or data[start - 1 : start] == b"\n" or data[start - 1] != data[end - 1]:
                break
            start, end = start - 1, end - 1
        if start and data[start - 1 : start] != b"\n" and data[start : start + 1] not in (b"\n", b""):
            return change.start, change.end
    return start, end


def lines_of(data: bytes, statement: Statement) -> list[bytes]:
    """The lines of a statement without the blanks around them."""
    return [line.strip() for line in data[statement.start : statement.end].split(b"\n")]


def same_run(syntax: SyntaxSnapshot, rows: Sequence[Statement], first: Statement) -> list[Statement]:
    """The statements from one on that say the same as some others, as far as they do; empty where the first differs."""
    data, found = syntax.buffer.data, list[Statement]()
    node: Node | None = first.node
    for row in rows:
        if node is None or node.type != row.node.type or node.has_error:
            break
        here = first._replace(start=node.start_byte + first.offset, end=node.end_byte + first.offset, node=node)
        if lines_of(data, here) != lines_of(data, row):
            break
        found.append(here)
        node = node.next_named_sibling
    while found and found[-1].node.type.endswith(_COMMENT):
        found.pop()
    return found


def leaves_something(rows: Sequence[Statement]) -> bool:
    """Whether the block that some statements stand in may be without them: those between braces may be empty."""
    parent = rows[0].parent
    others = sum(not child.type.endswith(_COMMENT) for child in parent.named_children)
    gone = sum(not row.node.type.endswith(_COMMENT) for row in rows)
    return others > gone or len(rows[0].around) == 1 or parent.children[0].type == "{"


def kind_of(data: bytes, rows: Sequence[Statement], others: Sequence[Statement], table: ScopeTable) -> str:
    """What was written again, and whether in the same scope or further outside; empty for what may well stand twice.

    That is all that binds no name: a step of a test, a check, a `return`. Of lines in other places, no less deep, 12 of
    54 went with the commit, and of functions none of 2.
    """
    new, old = rows[0], others[0]
    place = "same" if _is_same(new, old) else "outer" if _is_outside(new, old) else ""
    forms = [form_of(data, row, table) for row in others if not row.node.type.endswith(_COMMENT)]
    if not place or not all(forms):
        return ""
    if all(form == "import" for form in forms):
        return f"import/{place}"
    if all(form in ("function", "class") for form in forms):
        return f"{forms[0]}/same" if place == "same" else ""
    if len(forms) == 1 and place == "same":
        return "value/function" if any(node.type in table.functions for node in old.around) else "value/declared"
    several = sum(data[row.start : row.end].count(b"\n") + 1 for row in others) > 1
    fits = place == "same" or all(form == "value" for form in forms)
    return f"lines/{place}" if several and fits else ""


def form_of(data: bytes, row: Statement, table: ScopeTable) -> str:
    """What a statement binds a name to: import, function, class or value; empty for one that does something else."""
    if row.node.type in table.imports.statements:
        return "import"
    if not _CONTROL.isdisjoint(row.node.type.split("_")):
        return ""
    return _declares(row.node, table) or ("value" if assigned_end(data, row) > row.start else "")


def assigned_end(data: bytes, row: Statement) -> int:
    """The byte behind the sign of an assignment, or the first one of a statement that is none."""
    found = _ASSIGNED.match(data, row.start, row.end)
    return found.end() if found is not None else row.start


def _declares(node: Node, table: ScopeTable) -> str:
    field = table.wrappers.get(node.type)
    inner = node.child_by_field_name(field) if field else None
    node = node if inner is None else inner
    if node.type in table.functions:
        return "function"
    return "class" if table.scopes.get(node.type) is ScopeKind.CLASS else ""


def _is_same(one: Statement, other: Statement) -> bool:
    """Whether two statements stand in one block; a large file is read in parts, of which each has a root."""
    if len(one.around) == len(other.around) == 1:
        return True
    return _span(one, one.parent) == _span(other, other.parent)


def _is_outside(one: Statement, other: Statement) -> bool:
    """Whether a statement stands in a block around that of another one."""
    depth = len(one.around)
    if depth >= len(other.around):
        return False
    return depth == 1 or _span(one, one.parent) == _span(other, other.around[depth - 1])


def _span(row: Statement, node: Node) -> tuple[int, int]:
    return node.start_byte + row.offset, node.end_byte + row.offset
