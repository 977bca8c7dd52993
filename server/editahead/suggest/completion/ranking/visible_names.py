"""The names that can be used in a scope, read from what stands near: of far declarations only their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from editahead.analysis.resolver.file_facts import Unit
from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.resolver import Resolver, VisibleName
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.scope_table import ScopeKind
from editahead.text.memo import remembered

_HEAD = 400  # bytes of a far statement that are looked at
_HEADS_KEPT = 4_000
_DECLARED = re.compile(rb"\b(def|class|interface|enum|record)\s+([^\W\d]\w*)")
_ASSIGNED = re.compile(rb"([^\W\d]\w*)\s*(?::[^=\n]*)?=(?!=)")
_IMPORTED = re.compile(rb"(?:from\s+[\w.]+\s+)?import\s+([\w\s.,()]*)")
_CLASS = 1  # the first scope inside the facts of a class


class Reach(NamedTuple):
    """Two spans of bytes that are read: the head of the file up to `head`, and [start, end) around the cursor."""

    head: int
    start: int
    end: int

    def holds(self, unit: Unit) -> bool:
        """Whether a unit stands in one of them, in part."""
        return unit.start < self.head or (unit.start < self.end and unit.end > self.start)


def visible_names(resolver: Resolver, scope: ScopeRef, byte: int, reach: Reach) -> dict[str, VisibleName]:
    """Names that can be used at a byte by text that belongs to a scope, each with the nearest scope that binds it."""
    found: dict[str, VisibleName] = {}
    scopes = resolver.scopes
    for distance, ref in enumerate(scopes.around(scope)):
        kind = scopes.kind(ref)
        if kind is ScopeKind.CLASS and distance and not resolver.table.class_scope_is_inherited:
            continue
        early = kind is ScopeKind.BLOCK and not resolver.table.hoisted
        for name, what, start in _bound_in(resolver, ref, reach):
            if name not in found and not (early and start > byte):
                found[name] = VisibleName(name, what, distance)
    return found


def _bound_in(resolver: Resolver, ref: ScopeRef, reach: Reach) -> Iterator[tuple[str, str, int]]:
    """Each name that a scope binds, with the kind of its binding and the byte of the first one."""
    scopes = resolver.scopes
    if ref[0] >= 0:
        yield from _of_facts(scopes.facts.units[ref[0]], ref[1])
        return
    for unit in scopes.facts.units:
        if unit.inner == ref[1]:
            yield from _of_facts(unit, _CLASS)
        if unit.outer != ref[1]:
            continue
        checkpoint()
        if reach.holds(unit):
            yield from _of_facts(unit, 0)
        else:
            head = scopes.facts.data[unit.start : min(unit.end, unit.start + _HEAD)]
            for name, what in far_names(head):
                yield name, what, unit.start


@remembered(_HEADS_KEPT)
def far_names(head: bytes) -> tuple[tuple[str, str], ...]:
    """The names that a statement binds at the top level, by its beginning alone, each with the kind of its binding."""
    return tuple(_names_in(head))


def _names_in(head: bytes) -> Iterator[tuple[str, str]]:
    if imported := _IMPORTED.match(head):
        for part in imported[1].replace(b"(", b" ").replace(b")", b" ").split(b","):
            words = part.split()
            if words:
                yield words[-1].partition(b".")[0].decode("utf-8", "replace"), "import"
    elif assigned := _ASSIGNED.match(head):
        yield assigned[1].decode("utf-8", "replace"), "variable"
    elif declared := _DECLARED.search(head):
        yield declared[2].decode("utf-8", "replace"), "function" if declared[1] == b"def" else "class"


def _of_facts(unit: Unit, scope: int) -> Iterator[tuple[str, str, int]]:
    facts = unit.facts
    if scope >= len(facts.scopes):
        return
    for (_, name), rows in facts.scopes[scope].bound.items():
        first = facts.occurrences[rows[0]]
        yield name, first.kind, unit.start + first.start
