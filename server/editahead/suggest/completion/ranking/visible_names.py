"""The names that can be used in a scope, read from what stands near: of far declarations only their names."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from editahead.analysis.facts.file_facts import MODULE, Unit
from editahead.analysis.facts.unit_layout import Layout
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, FileScopes, ScopeRef
from editahead.analysis.resolver.resolver import Resolver, VisibleName
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.scope_table import ScopeKind
from editahead.text.memo import cache_texts

_HEAD = 400  # bytes of a far statement that are looked at
_HEADS_KEPT = 4_000
_STRETCHES_KEPT = 8
_DECLARED = re.compile(r"\b(def|class|interface|enum|record)\s+([^\W\d]\w*)")
_ASSIGNED = re.compile(r"([^\W\d]\w*)\s*(?::[^=\n]*)?=(?!=)")
_IMPORTED = re.compile(r"(?:from\s+[\w.]+\s+)?import\s+([\w\s.,()]*)")
_CLASS = 1  # the first scope inside the facts of a class


class Reach(NamedTuple):
    """Two spans of bytes that are read: the head of the file up to `head`, and [start, end) around the cursor."""

    head: int
    start: int
    end: int

    def is_within(self, unit: Unit) -> bool:
        """Whether a unit overlaps any of these ranges."""
        return unit.start < self.head or (unit.start < self.end and unit.end > self.start)

    def units_in(self, scopes: FileScopes) -> list[int]:
        """The numbers of the units that stand in any of them, in text order."""
        head, first, last = (scopes.unit_at(byte) for byte in (self.head - 1, self.start, self.end - 1))
        numbers = sorted({*range(head + 1), *range(max(0, first), last + 1)})
        return [number for number in numbers if self.is_within(scopes.facts.units[number])]


class _Bound(NamedTuple):
    """A name that a scope binds: the kind of its binding and the byte where that begins.

    `until`: the byte where it ends, -1 where that is the end of the scope. `deletes`: it unbinds the name instead.
    """

    name: str
    kind: str
    start: int
    until: int = -1
    deletes: bool = False
    of_instance: bool = False


def visible_names(resolver: Resolver, scope: ScopeRef, byte: int, reach: Reach) -> dict[str, VisibleName]:
    """Names that can be used at a byte by text that belongs to a scope, each with the nearest scope that binds it.

    The nearest scope comes first, and within a scope what stands first.
    """
    visible: dict[str, VisibleName] = {}
    ended = set[str]()  # names of functions around that are unbound at the byte, so that no name further out is meant
    scopes = resolver.scopes
    later = no_object = False
    for distance, ref in enumerate(scopes.around(scope)):
        kind, facts = scopes.kind(ref), scopes.local(ref)
        if ref == MODULE_SCOPE:
            names = _module_names(resolver, byte, reach, later=later, distance=distance)
            for name in ended.difference(visible):
                names.pop(name, None)
            visible = {**visible, **names, **visible}
        elif kind is not ScopeKind.CLASS or not distance or resolver.table.classes.scope_is_inherited:
            early = kind is ScopeKind.BLOCK and not resolver.table.hoisted
            rows = [row for row in _bound_in(resolver, ref, reach) if not (early and row.start > byte)]
            here = _holding(rows, _deletions(rows, byte), byte, later=later)
            for row in here:
                if row.name not in visible and row.name not in ended and not (no_object and row.of_instance):
                    visible[row.name] = VisibleName(row.name, row.kind, distance)
            if kind is ScopeKind.FUNCTION:
                ended.update({row.name for row in rows}.difference(row.name for row in here))
        later |= kind is ScopeKind.FUNCTION
        no_object |= facts is not None and facts.without_object
    return visible


def _module_names(resolver: Resolver, byte: int, reach: Reach, *, later: bool, distance: int) -> dict[str, VisibleName]:
    """The names that the module binds and that hold at a byte. `later` as in `_holding`."""
    stretches = list(_stretches(resolver, reach))
    deleted = _deletions([row for stretch in stretches for row in stretch.near], byte)
    names: dict[str, VisibleName] = {}
    for stretch in stretches:
        far = _far_names(tuple(stretch.layouts), distance)
        holds = later or stretch.start < byte
        for name in deleted:
            if name in far and not (holds and deleted[name] < stretch.start):
                far = {other: far[other] for other in far if other != name}
        names = {**names, **far, **names}
        for row in _holding(stretch.near, deleted, byte, later=later):
            names.setdefault(row.name, VisibleName(row.name, row.kind, distance))
    return names


class _Stretch(NamedTuple):
    """Parts of a module that are out of reach, from a byte on, and what the part behind them binds in the module."""

    start: int
    layouts: list[Layout]
    near: list[_Bound]


def _stretches(resolver: Resolver, reach: Reach) -> Iterator[_Stretch]:
    scopes, units = resolver.scopes, resolver.scopes.facts.units
    near, stretch = reach.units_in(scopes), _Stretch(0, [], [])
    for part in scopes.units_of_parts():
        if part.first == part.end:
            continue
        at = bisect_left(near, part.first)
        if part.layout is not None and (at == len(near) or near[at] >= part.end):
            if not stretch.layouts:
                stretch = stretch._replace(start=units[part.first].start)
            stretch.layouts.append(part.layout)
            continue
        for number in range(part.first, part.end):
            unit = units[number]
            if reach.is_within(unit):
                stretch.near.extend(_declared_global(unit))
            if unit.outer == MODULE:
                stretch.near.extend(_of_unit(resolver, unit, reach))
        yield stretch
        stretch = _Stretch(0, [], [])
    yield stretch


@cache_texts(_STRETCHES_KEPT)
def _far_names(layouts: tuple[Layout, ...], distance: int) -> dict[str, VisibleName]:
    """The names that parts of a module bind, by the beginning of each statement alone: kept while the parts stay."""
    tables = [_names_of_heads(layout, distance) for layout in layouts]
    names = dict(chain.from_iterable(table.items() for table in tables))
    for table in reversed(tables):  # of equal names the first
        names.update(table)
    return names


def _names_of_heads(layout: Layout, distance: int) -> dict[str, VisibleName]:
    names: dict[str, VisibleName] | None = layout.heads.get(distance)
    if names is None:
        checkpoint()
        names = {}
        for unit in layout.units:
            if unit.outer == MODULE:
                for name, what in far_names(layout.data[unit.start : min(unit.end, unit.start + _HEAD)]):
                    names.setdefault(name, VisibleName(name, what, distance))
        layout.heads[distance] = names
    return names


def _deletions(rows: list[_Bound], byte: int) -> dict[str, int]:
    """Where the latest deletion of each name stands whose block goes on at a byte."""
    deleted: dict[str, int] = {}
    for row in rows:
        if row.deletes and row.start < byte and (row.until < 0 or byte < row.until):
            deleted[row.name] = max(row.start, deleted.get(row.name, -1))
    return deleted


def _holding(rows: list[_Bound], deleted: Mapping[str, int], byte: int, *, later: bool) -> list[_Bound]:
    """The bindings of a scope that hold at a byte. `later`: what stands there runs after the rest of the scope."""
    return [
        row for row in rows
        if not row.deletes
        and (row.until < 0 or row.start <= byte < row.until)
        and (row.name not in deleted or (deleted[row.name] < row.start and (later or row.start < byte)))
    ]  # fmt: skip


def _bound_in(resolver: Resolver, ref: ScopeRef, reach: Reach) -> Iterator[_Bound]:
    """Each name that a scope below the module binds; once for each unit of it, unless its bindings end."""
    scopes, units = resolver.scopes, resolver.scopes.facts.units
    if ref[0] >= 0:
        yield from _of_facts(units[ref[0]], ref[1])
        return
    container = scopes.facts.containers[ref[1]]
    yield from _of_facts(units[container.head], _CLASS)
    for number in range(container.head + 1, scopes.unit_at(container.end) + 1):
        if units[number].outer == ref[1]:
            yield from _of_unit(resolver, units[number], reach)


def _of_unit(resolver: Resolver, unit: Unit, reach: Reach) -> Iterator[_Bound]:
    """The names that a unit binds in the scope around it; of a distant unit by its head."""
    checkpoint()
    if reach.is_within(unit):
        yield from _of_facts(unit, 0)
        return
    head = resolver.scopes.facts.data[unit.start : min(unit.end, unit.start + _HEAD)]
    for name, what in far_names(head):
        yield _Bound(name, what, unit.start)


@cache_texts(_HEADS_KEPT)
def far_names(head: bytes) -> tuple[tuple[str, str], ...]:
    """The names that a statement binds at the top level, by its beginning alone, each with the kind of its binding."""
    return tuple(_names_in(head.decode("utf-8", "replace")))


def _names_in(head: str) -> Iterator[tuple[str, str]]:
    if imported := _IMPORTED.match(head):
        for part in imported[1].replace("(", " ").replace(")", " ").split(","):
            words = part.split()
            if words:
                yield words[-1].partition(".")[0], "import"
    elif assigned := _ASSIGNED.match(head):
        yield assigned[1], "variable"
    elif declared := _DECLARED.search(head):
        yield declared[2], "function" if declared[1] == "def" else "class"


def _declared_global(unit: Unit) -> Iterator[_Bound]:
    """What the functions of a unit bind in the module."""
    for scope in unit.facts.scopes:
        for (_, name), rows in scope.bound.items() if scope.global_names else ():
            occurrence = unit.facts.occurrences[rows[0]]
            if name in scope.global_names and rows[0] not in unit.facts.deleted:
                yield _Bound(name, occurrence.kind, unit.start + occurrence.start)


def _of_facts(unit: Unit, scope: int) -> Iterator[_Bound]:
    facts = unit.facts
    if scope >= len(facts.scopes):
        return
    plain = not (facts.until or facts.deleted or facts.of_instance)
    for (_, name), rows in facts.scopes[scope].bound.items():
        for row in rows[:1] if plain else rows:
            occurrence = facts.occurrences[row]
            until = facts.until.get(row, facts.deleted.get(row))
            yield _Bound(
                name, occurrence.kind, unit.start + occurrence.start, -1 if until is None else unit.start + until,
                row in facts.deleted, row in facts.of_instance,
            )  # fmt: skip
