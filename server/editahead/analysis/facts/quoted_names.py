"""Names in texts that are read as code: types in quotes, and lists of the members of a class."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.facts.expressions import NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable
from editahead.text.words import IDENTIFIER

MAX_DEPTH = 16
"""Nodes from a text up to what says that it is a type."""
MAX_NAME = 200
"""Bytes of a name."""
_MEMBER = re.compile(IDENTIFIER)
_NAME = re.compile(rb"(\.\s*)?(?<![" + rb"\w\x80-\xff" + rb"])(" + IDENTIFIER + rb")")
_TYPE = re.compile(rb"\s*" + IDENTIFIER + rb"(?:\s*[\[\],.|()]+\s*(?:" + IDENTIFIER + rb")?)*\s*")


class QuotedName(NamedTuple):
    """A name inside of a text: its bytes in the tree, and whether it is used or a member of its receiver."""

    start: int
    end: int
    name: str
    action: Action
    receiver: Receiver | None = None


class QuotedNames:
    """Reads the texts of one walk; bytes of receivers count from `first`."""

    def __init__(self, table: ScopeTable, first: int) -> None:
        self._table, self._first = table.quotations, first
        self._generic = frozenset((*table.layers.generic, *table.types.delegating, *self._table.generic))

    def names(self, node: Node, stack: Sequence[NodeContext], kind: ScopeKind) -> Iterator[QuotedName]:
        """The names in a text that stands in a scope of some kind; none where the text is only text."""
        held = node.named_child(1) if node.named_child_count == 3 else None  # between the quotes
        text = held.text if held is not None else None
        if held is None or not text or held.named_child_count or _TYPE.fullmatch(text) is None:
            return
        if kind is ScopeKind.CLASS and self._is_slot(stack):
            if _MEMBER.fullmatch(text):
                name = text.decode("utf-8", "replace")
                yield QuotedName(held.start_byte, held.end_byte, name, Action.ATTRIBUTE, Receiver("this"))
        elif self._is_type(node, stack):
            yield from self._in_type(text, held.start_byte)

    def _in_type(self, text: bytes, first: int) -> Iterator[QuotedName]:
        before: Receiver | None = None
        for match in _NAME.finditer(text):
            start, name = first + match.start(2), match[2].decode("utf-8", "replace")
            is_member = match[1] is not None and before is not None
            action = Action.ATTRIBUTE if is_member else Action.USE
            yield QuotedName(start, first + match.end(2), name, action, before if is_member else None)
            base = before if is_member else None
            before = Receiver("attribute" if is_member else "name", name, start - self._first, base)

    def _is_slot(self, stack: Sequence[NodeContext]) -> bool:
        """Whether a text is an item of a list of the members of the class."""
        for context in stack[: -MAX_DEPTH - 1 : -1]:
            if context.kind in self._table.holders:
                continue
            left = context.node.child_by_field_name("left") if context.kind == "assignment" else None
            return left is not None and node_text(left) in self._table.members
        return False

    def _is_type(self, node: Node, stack: Sequence[NodeContext]) -> bool:
        """Whether a text stands where a type does."""
        table, is_type = self._table, False
        for context in stack[: -MAX_DEPTH - 1 : -1]:
            kind, around = context.kind, context.node
            if kind in table.annotations:
                is_type = True
            elif kind in table.subscripts:
                name = _last_name(around.named_child(0))
                if name in table.verbatim or (name in table.first_only and not _is_first(around, node)):
                    return False
                is_type = is_type or name in self._generic
            elif kind == "assignment":
                typed = around.child_by_field_name("type")
                return is_type or (typed is not None and _last_name(typed) in table.aliases)
            elif kind == "call":
                return self._is_given(around, node)
            elif kind not in table.holders:
                return is_type
        return is_type

    def _is_given(self, call: Node, node: Node) -> bool:
        """Whether a text is an argument of a call that takes types."""
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        places = self._table.calls.get(_last_name(function), ())
        if arguments is None or not places:
            return False
        for number, argument in enumerate(arguments.named_children[:MAX_DEPTH]):
            if _holds(argument, node):
                keyword = argument.child_by_field_name("name")
                return node_text(keyword) in self._table.keywords if keyword is not None else number in places
        return False


def _holds(outer: Node, node: Node) -> bool:
    """Whether a node stands in another one."""
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def _is_first(subscript: Node, node: Node) -> bool:
    """Whether a node is the first argument of a generic type."""
    given = subscript.named_child(1)
    inner = given.named_child(0) if given is not None and given.type == "type_parameter" else given
    return inner is not None and _holds(inner, node)


def _last_name(node: Node | None) -> str:
    """The last name of a dotted one, or of a type that is one."""
    return node_text(node).rpartition(".")[2] if node is not None and node.end_byte - node.start_byte < MAX_NAME else ""
