"""How the declarations and statements of a parsed part of a file lie in it: what a resolver reads them from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from editahead.analysis.facts.facts import Facts
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, ParsedPart, node_text
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.text.diff import common_prefix, common_suffix

MODULE = 0
"""The container that the module is."""
FactsKey = tuple[str, bool, bytes]
_DEEPEST_CLASS = 20
_DEEPEST_LIST = 16  # named lists around a class that is declared in several places
_MOST_SIGNS = 16  # children of a declaration before its name


class UnitShape:
    """A declaration or statement in bytes [start, end) of its part, of a class its head.

    `outer` and `inner` are containers of the layout, counted from 1; 0 is the module, and -1 says that it is no head
    of a class. `facts` are None until they are read.
    """

    __slots__ = ("end", "facts", "header_end", "inner", "kind", "node", "outer", "part", "start", "table")

    def __init__(
        self, part: ParsedPart, node: Node, table: ScopeTable, kind: ScopeKind, outer: int, inner: int, end: int
    ) -> None:
        self.part, self.node, self.table, self.kind, self.outer, self.inner = part, node, table, kind, outer, inner
        self.start, self.end = node.start_byte, end
        self.header_end = end if inner > 0 else None
        self.facts: Facts | None = None

    def key(self) -> FactsKey:
        """What its facts depend on, where its syntax is whole."""
        text = self.part.data[self.start : self.end]
        return f"{self.node.type} in {self.kind.value}", self.header_end is not None, text


class ClassKey(NamedTuple):
    """What several declarations of one class have in common: the lists around it, its name, its type parameters.

    `is_single`: no second declaration of this kind can be among them.
    """

    lists: str
    name: str
    parameters: int
    is_single: bool


class ClassSpan(NamedTuple):
    """A class whose members are units, in bytes of its part: the container around it, and the unit of its head.

    `key`: of one that may be declared in several places.
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
        """Names in the heads of units by the distance of their scope, kept as long as the layout."""
        self._part, self._table = part, table
        self._changed_from: tuple[Layout, tuple[int, int, int] | None] | None = None

    def changed_units(self, after: Layout) -> tuple[int, int, int] | None:
        """The units that stand where the text of another layout differs, at the least.

        The number of the first unit, and the numbers behind the last unit here and there. None where the classes of
        both differ, or units of equal text are others.
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
            if (body is None and key is None) or depth >= _DEEPEST_CLASS:
                self.units.append(UnitShape(self._part, node, self._table, kind, outer, -1, node.end_byte))
                continue
            self.containers.append(ClassSpan(outer, len(self.units), declared.start_byte, declared.end_byte, key))
            inner, end = len(self.containers), body.start_byte if body is not None else node.end_byte
            self.units.append(UnitShape(self._part, node, self._table, kind, outer, inner, end))
            if body is not None:
                self.members(body, inner, depth + 1)

    def _key(self, declared: Node, lists: Sequence[str] | None) -> ClassKey | None:
        """What the other declarations of a class have in common with one; None where it stands alone."""
        classes, name = self._table.classes, declared.child_by_field_name("name")
        sign, signs = classes.parts[declared.type], declared.children[:_MOST_SIGNS]
        if name is None or lists is None or (sign and all(node_text(one) != sign for one in signs)):
            return None
        generic = next((one for one in signs if one.type == classes.type_parameters), None)
        count = generic.named_child_count if generic is not None else 0
        return ClassKey(".".join(lists), node_text(name), count, declared.type in classes.single_parts)

    def _declaration(self, node: Node) -> Node:
        """The declaration itself, without what wraps it."""
        for _ in range(_DEEPEST_CLASS):
            if node.type not in self._table.generics or not node.named_child_count:
                break
            node = node.named_children[-1]
        field = self._table.wrappers.get(node.type)
        inner = node.child_by_field_name(field) if field else None
        return inner if inner is not None else node


def _spans(units: Sequence[UnitShape], shift: int) -> list[tuple[int, int, int, int]]:
    """Where units stand so many bytes further down, and the containers around them and of them."""
    return [(unit.start + shift, unit.end + shift, unit.outer, unit.inner) for unit in units]


def layout_of(part: ParsedPart, table: ScopeTable) -> Layout:
    """The layout of a part."""
    layout = Layout(part, table)
    layout.members(part.tree.root_node, MODULE, 0)
    return layout


def _flat(holder: Node, table: ScopeTable) -> Iterator[tuple[Node, tuple[str, ...] | None]]:
    """The children of a node, in place of a list its own: of one with a body that body alone.

    With the names of the lists around each; None of one that stands deeper than anybody writes.
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
                lists = (*lists, node_text(name)) if len(lists) < _DEEPEST_LIST else None
            body = node.child_by_field_name("body")
            levels.append(([body] if body is not None else node.children[::-1], lists))
        else:
            yield node, lists
