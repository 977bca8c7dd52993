"""The layout of a parsed part of a file: its declarations and statements as units, and the classes around them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from editahead.analysis.facts.facts import Facts
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, ParsedPart, node_text
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.text.diff import common_prefix, common_suffix

MODULE = 0  # the number of the module among the containers
FactsKey = tuple[str, bool, bytes]
_MAX_CLASS_DEPTH = 20
_MAX_LIST_DEPTH = 16  # named lists around a class with several declarations
_MAX_OCCURRENCES = 8  # of a name in a unit that are looked at before its facts are read
_WORD = re.compile(rb"[\w\x80-\xff]")
_MAX_SIGNS = 16  # children of a declaration before its name


class UnitShape:
    """A declaration or statement in bytes [start, end) of its part, of a class its head.

    `outer` and `inner` are containers of the layout, counted from 1, or the module (0); `inner` is -1 unless the unit
    is the head of a class. `facts` are None until they are read; then they are copied from `base`, an earlier text of
    the unit with its facts, as far as they are the same.
    """

    __slots__ = ("base", "end", "facts", "header_end", "inner", "kind", "node", "outer", "part", "start", "table")

    def __init__(
        self, part: ParsedPart, node: Node, table: ScopeTable, kind: ScopeKind, outer: int, inner: int, end: int
    ) -> None:
        self.part, self.node, self.table, self.kind, self.outer, self.inner = part, node, table, kind, outer, inner
        self.start, self.end = node.start_byte, end
        self.header_end = end if inner > 0 else None
        self.facts: Facts | None = None
        self.base: tuple[bytes, Facts] | None = None

    def set_base(self, earlier: UnitShape) -> None:
        """Let the facts be read with the help of those of the unit that stood here before."""
        if self.facts is None and self.header_end is None:
            facts = earlier.facts
            self.base = (earlier.part.data[earlier.start : earlier.end], facts) if facts is not None else earlier.base

    def can_bind(self, name: bytes, *, is_outside: bool) -> bool:
        """Whether the unit may bind a name in a scope around it; `is_outside`: around the class that the unit is in.

        A member binds nothing outside of its class, and the body of a function nothing around it, without `global`.
        """
        data, at = self.part.data, self.start - 1
        if self.facts is not None or data.find(b"global", self.start, self.end) >= 0:  # facts tell exactly
            return True
        for _ in range(0 if is_outside else _MAX_OCCURRENCES):
            at = data.find(name, at + 1, self.end)
            if at < 0:
                return False
            if not _WORD.match(data, at + len(name)) and not self._is_in_function(at):
                return True
        return not is_outside

    def _is_in_function(self, byte: int) -> bool:
        """Whether a byte stands in the body of a function of the unit, or in parameters that bind nothing around it.

        In some languages a parameter may also be a field, or its default value may hold an assignment.
        """
        cursor, scopes = self.node.walk(), self.table.scopes
        fields = ("body", "parameters") if self.table.imports.names_package else ("body",)
        is_function = False
        while True:
            node = cursor.node
            if is_function and cursor.field_name in fields:
                return True
            is_function = node is not None and scopes.get(node.type) is ScopeKind.FUNCTION
            if cursor.goto_first_child_for_byte(byte) is None:
                return False

    def key(self) -> FactsKey:
        """The values that determine the facts of a unit without syntax errors."""
        text = self.part.data[self.start : self.end]
        return f"{self.node.type} in {self.kind.value}", self.header_end is not None, text


class ClassKey(NamedTuple):
    """What all declarations of a class share: the lists around it, its name and the number of type parameters.

    `is_single`: no two of the declarations can be of this kind.
    """

    lists: str
    name: str
    parameters: int
    is_single: bool


class ClassSpan(NamedTuple):
    """A class whose members are units, in bytes of its part: the container around it, and the unit of its head.

    `key`: of a class that may have several declarations.
    """

    parent: int
    head: int
    start: int
    end: int
    key: ClassKey | None


class Layout:
    """All units of a part in text order, and the classes that hold them."""

    def __init__(self, part: ParsedPart, table: ScopeTable) -> None:
        self.tree, self.data = part.tree, part.data
        self.units: list[UnitShape] = []
        self.containers: list[ClassSpan] = []
        self.heads: dict[int, Any] = {}
        """Names in the heads of units by the distance of their scope, cached for the lifetime of the layout."""
        self._part, self._table = part, table
        self._changed_from: tuple[Layout, tuple[int, int, int] | None] | None = None

    def changed_units(self, after: Layout) -> tuple[int, int, int] | None:
        """The smallest range of units outside which the text of another layout is equal.

        The number of the first unit, and the numbers behind the last unit here and there. None where the classes
        differ, or where equal text is divided into different units.
        """
        if after._changed_from is None or after._changed_from[0] is not self:
            after._changed_from = self, self._changed_units(after)
        return after._changed_from[1]

    def _changed_units(self, after: Layout) -> tuple[int, int, int] | None:
        low = common_prefix(self.data, after.data)
        high = common_suffix(self.data, after.data, limit=min(len(self.data), len(after.data)) - low)
        shift = len(after.data) - len(self.data)
        here, there = self.units, after.units
        first = bisect_left(here, low, key=attrgetter("end"))
        last = bisect_right(here, len(self.data) - high, key=attrgetter("start"))
        behind = last + len(there) - len(here)
        if not first <= last or not first <= behind:
            return None
        same_before = _spans(here[:first], 0) == _spans(there[:first], 0)
        same_behind = _spans(here[last:], shift) == _spans(there[behind:], 0)
        same_classes = [(c.parent, c.key) for c in self.containers] == [(c.parent, c.key) for c in after.containers]
        return (first, last, behind) if same_before and same_behind and same_classes else None

    def members(self, holder: Node, outer: int, depth: int) -> None:
        """Lay out the members of a module or a class."""
        checkpoint()
        kind = ScopeKind.CLASS if outer else ScopeKind.MODULE
        for node, lists in _flat(holder, self._table):
            if not node.is_named:
                continue
            declared = self._declaration(node)
            body_field = self._table.classes.bodies.get(declared.type)
            body = declared.child_by_field_name(body_field) if body_field else None
            key = self._key(declared, lists) if declared.type in self._table.classes.parts else None
            if (body is None and key is None) or depth >= _MAX_CLASS_DEPTH:
                self.units.append(UnitShape(self._part, node, self._table, kind, outer, -1, node.end_byte))
                continue
            self.containers.append(ClassSpan(outer, len(self.units), declared.start_byte, declared.end_byte, key))
            inner, end = len(self.containers), body.start_byte if body is not None else node.end_byte
            self.units.append(UnitShape(self._part, node, self._table, kind, outer, inner, end))
            if body is not None:
                self.members(body, inner, depth + 1)

    def _key(self, declared: Node, lists: Sequence[str] | None) -> ClassKey | None:
        """The key that a declaration shares with the others of its class; None where there can be no others."""
        classes, name = self._table.classes, declared.child_by_field_name("name")
        modifier, before_name = classes.parts[declared.type], declared.children[:_MAX_SIGNS]
        if name is None or lists is None or (modifier and all(node_text(child) != modifier for child in before_name)):
            return None
        generic = next((child for child in before_name if child.type == classes.type_parameters), None)
        count = generic.named_child_count if generic is not None else 0
        return ClassKey(".".join(lists), node_text(name), count, declared.type in classes.single_parts)

    def _declaration(self, node: Node) -> Node:
        """The declaration in a node, without decorators and the like."""
        for _ in range(_MAX_CLASS_DEPTH):
            if node.type not in self._table.generics or not node.named_child_count:
                break
            node = node.named_children[-1]
        field = self._table.wrappers.get(node.type)
        inner = node.child_by_field_name(field) if field else None
        return inner if inner is not None else node


def _spans(units: Sequence[UnitShape], shift: int) -> list[tuple[int, int, int, int]]:
    """The spans of units, moved down by so many bytes, and their containers."""
    return [(unit.start + shift, unit.end + shift, unit.outer, unit.inner) for unit in units]


def layout_of(part: ParsedPart, table: ScopeTable) -> Layout:
    """The layout of a part."""
    layout = Layout(part, table)
    layout.members(part.tree.root_node, MODULE, 0)
    return layout


def _flat(holder: Node, table: ScopeTable) -> Iterator[tuple[Node, tuple[str, ...] | None]]:
    """Yield the children of a node, of a list its children instead, of a list with a body only the body.

    Each with the names of the lists around it; None from _MAX_LIST_DEPTH on.
    """
    levels: list[tuple[list[Node], tuple[str, ...] | None]] = [(holder.children[::-1], ())]
    while levels:
        rows, lists = levels[-1]
        if not rows:
            levels.pop()
            continue
        node = rows.pop()
        unnamed = node.type in table.classes.unnamed_lists and node.child_by_field_name("name") is None
        if unnamed or node.type in table.classes.member_lists:
            name = node.child_by_field_name("name") if table.classes.parts and lists is not None else None
            if name is not None and lists is not None:
                lists = (*lists, node_text(name)) if len(lists) < _MAX_LIST_DEPTH else None
            body = node.child_by_field_name("body")
            levels.append(([body] if body is not None else node.children[::-1], lists))
        else:
            yield node, lists
