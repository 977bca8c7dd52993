"""Names in strings that hold code: quoted types, and lists of class members such as `__slots__`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.facts.expressions import Expressions, NodeContext
from editahead.analysis.facts.facts import Receiver
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import Action, ScopeKind, ScopeTable
from editahead.text.words import IDENTIFIER

MAX_DEPTH = 16  # ancestors of a string that are checked for a type position
_MAX_HOLDERS = 8  # nodes between a string and what it is the key of
MAX_NAME = 200  # bytes of a dotted name
_MEMBER = re.compile(IDENTIFIER)
_NAME = re.compile(rb"(\.\s*)?(?<![" + rb"\w\x80-\xff" + rb"])(" + IDENTIFIER + rb")")
_TYPE = re.compile(rb"\s*" + IDENTIFIER + rb"(?:\s*[\[\],.|()]+\s*(?:" + IDENTIFIER + rb")?)*\s*")


class QuotedName(NamedTuple):
    """A name in a string: its offsets in the tree, and its action: a use, or a member of `receiver`."""

    start: int
    end: int
    name: str
    action: Action
    receiver: Receiver | None = None


class QuotedNames:
    """Reads the strings of a syntax tree; offsets of receivers are relative to `first`."""

    def __init__(self, table: ScopeTable, first: int, read: Expressions) -> None:
        self._table, self._first, self._read = table.quotations, first, read
        self._generic = (table.layers.generic, table.types.delegating, self._table.generic)

    def names(self, node: Node, stack: Sequence[NodeContext], scope_kind: ScopeKind) -> Iterator[QuotedName]:
        """Yield the names in a string that is a type or lists class members; `scope_kind` is of the scope around it."""
        content = node.child(1) if node.child_count == 3 else None  # between the quotes
        text = content.text if content is not None else None
        if content is None or not text or content.named_child_count or _TYPE.fullmatch(text) is None:
            return
        is_name = _MEMBER.fullmatch(text) is not None and (node.text or b"")[:1] not in b"bB"
        owner = self._owner(node, stack) if is_name else None
        if owner is not None or (scope_kind is ScopeKind.CLASS and self._is_listed_member(stack)):
            receiver = self._read.receiver(owner, 0) if owner is not None else Receiver("this")
            if is_name:
                name = text.decode("utf-8", "replace")
                yield QuotedName(content.start_byte, content.end_byte, name, Action.ATTRIBUTE, receiver)
        elif self._is_type_position(node, stack):
            yield from self._names_in_type(text, content.start_byte)

    def _owner(self, string: Node, stack: Sequence[NodeContext]) -> Node | None:
        """The object or type of which a string names a member: `a["b"]`, `getattr(a, "b")`, `Pick<A, "b">`."""
        holder = next((each for each in stack[:-_MAX_HOLDERS:-1] if each.kind not in self._table.key_holders), None)
        names = self._table.keyed.get(holder.kind) if holder is not None else None
        nodes = holder.node.named_children[:2] if holder is not None and names is not None else []
        if len(nodes) == 2 and names:  # the name of a function or type, and its arguments
            is_named = nodes[0].end_byte - nodes[0].start_byte < MAX_NAME and node_text(nodes[0]) in names
            nodes = nodes[1].named_children[:2] if is_named else []
        return nodes[0] if len(nodes) == 2 and _is_inside(nodes[1], string) else None

    def _names_in_type(self, text: bytes, text_start: int) -> Iterator[QuotedName]:
        previous: Receiver | None = None
        for match in _NAME.finditer(text):
            start, name = text_start + match.start(2), match[2].decode("utf-8", "replace")
            is_member = match[1] is not None and previous is not None
            action = Action.ATTRIBUTE if is_member else Action.USE
            yield QuotedName(start, text_start + match.end(2), name, action, previous if is_member else None)
            qualifier = previous if is_member else None
            previous = Receiver("attribute" if is_member else "name", name, start - self._first, qualifier)

    def _is_listed_member(self, stack: Sequence[NodeContext]) -> bool:
        """Whether a string is an item of a list of class members."""
        for context in stack[: -MAX_DEPTH - 1 : -1]:
            if context.kind in self._table.holders:
                continue
            target = context.node.child_by_field_name("left") if context.kind == "assignment" else None
            return target is not None and node_text(target) in self._table.members
        return False

    def _is_type_position(self, node: Node, stack: Sequence[NodeContext]) -> bool:
        """Whether a string stands in a type position."""
        table, is_annotated = self._table, False
        for context in stack[: -MAX_DEPTH - 1 : -1]:
            kind, parent = context.kind, context.node
            if kind in table.annotations:
                is_annotated = True
            elif kind in table.subscripts:
                name = _last_name(parent.named_child(0))
                if name in table.verbatim or (name in table.first_only and not _is_first(parent, node)):
                    return False
                is_annotated = is_annotated or any(name in names for names in self._generic)
            elif kind == "assignment":
                annotation = parent.child_by_field_name("type")
                return is_annotated or (annotation is not None and _last_name(annotation) in table.aliases)
            elif kind == "call":
                return self._is_type_argument(parent, node)
            elif kind not in table.holders:
                return is_annotated
        return is_annotated

    def _is_type_argument(self, call: Node, node: Node) -> bool:
        """Whether a string is an argument of a call that takes types, such as `cast`."""
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        type_positions = self._table.calls.get(_last_name(function), ())
        if arguments is None or not type_positions:
            return False
        for position, argument in enumerate(arguments.named_children[:MAX_DEPTH]):
            if _is_inside(argument, node):
                keyword = argument.child_by_field_name("name")
                return node_text(keyword) in self._table.keywords if keyword is not None else position in type_positions
        return False


def _is_inside(outer: Node, node: Node) -> bool:
    """Whether a node lies inside another node."""
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def _is_first(subscript: Node, node: Node) -> bool:
    """Whether a node is the first argument of a generic type."""
    argument = subscript.named_child(1)
    first_argument = argument.named_child(0) if argument is not None and argument.type == "type_parameter" else argument
    return first_argument is not None and _is_inside(first_argument, node)


def _last_name(node: Node | None) -> str:
    """The last part of a dotted name or type; empty if there is none."""
    return node_text(node).rpartition(".")[2] if node is not None and node.end_byte - node.start_byte < MAX_NAME else ""
