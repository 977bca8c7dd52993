"""The facts of a whole file: its declarations and statements as units, each read once while its text stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from editahead.analysis.resolver.facts import Facts
from editahead.analysis.resolver.first_pass import facts_of
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, Parts, tree_roots
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

MODULE = 0
_DEEPEST_CLASS = 20
_Key = tuple[str, bool, bytes]


class Unit:
    """A declaration or statement in bytes [start, end), of a class its head; its facts are read when first asked for.

    `outer`: the container around it (an index of FileFacts.containers). `inner`: where it is the head of a class, the
    container that the class is, else -1.
    """

    __slots__ = ("_facts", "_read", "end", "inner", "outer", "start")

    def __init__(self, start: int, end: int, outer: int, inner: int, read: Callable[[], Facts]) -> None:
        self.start, self.end, self.outer, self.inner = start, end, outer, inner
        self._read: Callable[[], Facts] | None = read
        self._facts: Facts | None = None

    @property
    def facts(self) -> Facts:
        """Its scopes and names, in bytes from `start`."""
        if self._facts is None:
            assert self._read is not None
            self._facts = self._read()
            self._read = None
        return self._facts


class Container(NamedTuple):
    """The module, or a class whose members are units. `head`: the unit of its head, -1 for the module."""

    kind: ScopeKind
    parent: int
    head: int
    start: int
    end: int


class FileFacts(NamedTuple):
    """All units of a file in text order, and the scopes that hold them. `data` is the text."""

    units: list[Unit]
    containers: list[Container]
    data: bytes


class FactsCache:
    """The facts of one file's units by their text: those that the latest KEPT versions used, and no others."""

    KEPT = 8

    def __init__(self) -> None:
        self._known: dict[_Key, tuple[Facts, int]] = {}
        self._version = 0
        self.read = 0  # units that had to be read, for tests

    def __len__(self) -> int:
        return len(self._known)

    def begin(self) -> None:
        """Another version: what the latest ones did not use is forgotten."""
        self._version += 1
        if self._version % self.KEPT == 0:
            oldest = self._version - self.KEPT
            self._known = {key: row for key, row in self._known.items() if row[1] >= oldest}

    def facts(self, key: _Key, read: Callable[[], Facts]) -> Facts:
        """The facts of a unit's text, read where they are not known or its syntax is broken."""
        known = self._known.get(key)
        facts = known[0] if known is not None and not known[0].errors else None
        if facts is None:
            facts = read()
            self.read += 1
        self._known[key] = facts, self._version
        return facts


def file_facts(syntax: SyntaxSnapshot, table: ScopeTable, cache: FactsCache, parts: Parts | None = None) -> FileFacts:
    """The facts of a file; of a large one those of the asked parts at least."""
    cache.begin()
    made = _Reading(table, cache, syntax.buffer.data)
    for first, root in tree_roots(syntax, parts):
        made.members(root, first, MODULE, 0)
    return FileFacts(made.units, made.containers, syntax.buffer.data)


class _Reading:
    def __init__(self, table: ScopeTable, cache: FactsCache, data: bytes) -> None:
        self._table, self._cache, self._data = table, cache, data
        self.units: list[Unit] = []
        self.containers = [Container(ScopeKind.MODULE, -1, -1, 0, len(data))]

    def members(self, holder: Node, offset: int, outer: int, depth: int) -> None:
        """Read the members of a module or a class."""
        checkpoint()
        for node in _flat(holder, self._table):
            if not node.is_named:
                continue
            declared = self._declaration(node)
            body_field = self._table.bodies.get(declared.type)
            body = declared.child_by_field_name(body_field) if body_field else None
            if body is None or depth >= _DEEPEST_CLASS:
                self._unit(node, offset, outer, -1, header=False)
                continue
            inner = len(self.containers)
            self.containers.append(
                Container(
                    ScopeKind.CLASS, outer, len(self.units), declared.start_byte + offset, declared.end_byte + offset
                )
            )
            self._unit(node, offset, outer, inner, header=True, end=body.start_byte)
            self.members(body, offset, inner, depth + 1)

    def _declaration(self, node: Node) -> Node:
        """The declaration itself, without what wraps it."""
        for _ in range(_DEEPEST_CLASS):
            if node.type not in self._table.generics or not node.named_child_count:
                break
            node = node.named_children[-1]
        field = self._table.wrappers.get(node.type)
        inner = node.child_by_field_name(field) if field else None
        return inner if inner is not None else node

    def _unit(self, node: Node, offset: int, outer: int, inner: int, *, header: bool, end: int = -1) -> None:
        start = node.start_byte + offset
        stop = (end if end >= 0 else node.end_byte) + offset
        kind = self.containers[outer].kind
        table, cache, data = self._table, self._cache, self._data  # not `self`, which holds the unit: a circle

        def read() -> Facts:
            key = (f"{node.type} in {kind.value}", header, data[start:stop])
            header_end = stop - offset if header else None
            return cache.facts(key, lambda: facts_of(node, table, kind, header_end=header_end))

        self.units.append(Unit(start, stop, outer, inner, read))


def _flat(holder: Node, table: ScopeTable) -> Iterator[Node]:
    """The children of a node, in place of a list its own: of one with a body that body alone."""
    rows = holder.children[::-1]
    while rows:
        node = rows.pop()
        unnamed = node.type in table.unnamed_lists and node.child_by_field_name("name") is None
        if unnamed or node.type in table.member_lists:
            body = node.child_by_field_name("body")
            rows += [body] if body is not None else node.children[::-1]
        else:
            yield node
