"""The names that can be used in a scope, read from what stands near: of far declarations only their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from editahead.analysis.facts.file_facts import Unit
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, ScopeRef
from editahead.analysis.resolver.resolver import Resolver, VisibleName
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.scope_table import ScopeKind
from editahead.text.memo import cache_texts

_HEAD = 400  # bytes of a far statement that are looked at
_HEADS_KEPT = 4_000
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
    """Names that can be used at a byte by text that belongs to a scope, each with the nearest scope that binds it."""
    visible: dict[str, VisibleName] = {}
    unbound = set[str]()  # names of functions around that are unbound at the byte, and hide names further out
    scopes = resolver.scopes
    later = no_object = False
    for distance, ref in enumerate(scopes.around(scope)):
        kind, facts = scopes.kind(ref), scopes.local(ref)
        if kind is not ScopeKind.CLASS or not distance or resolver.table.classes.scope_is_inherited:
            early = kind is ScopeKind.BLOCK and not resolver.table.hoisted
            rows = [bound for bound in _bound_in(resolver, ref, reach) if not (early and bound.start > byte)]
            here = _holding(rows, byte, later=later)
            for bound in here:
                if bound.name not in visible and bound.name not in unbound and not (no_object and bound.of_instance):
                    visible[bound.name] = VisibleName(bound.name, bound.kind, distance)
            if kind is ScopeKind.FUNCTION:
                unbound.update({bound.name for bound in rows}.difference(bound.name for bound in here))
        later |= kind is ScopeKind.FUNCTION
        no_object |= facts is not None and facts.without_object
    return visible


def _holding(rows: list[_Bound], byte: int, *, later: bool) -> list[_Bound]:
    """The bindings of a scope that apply at a byte. `later`: the code there runs after the rest of the scope."""
    deleted: dict[str, int] = {}  # the latest deletion whose block continues at the byte
    for bound in rows:
        if bound.deletes and bound.start < byte and (bound.until < 0 or byte < bound.until):
            deleted[bound.name] = max(bound.start, deleted.get(bound.name, -1))
    return [
        bound for bound in rows
        if not bound.deletes
        and (bound.until < 0 or bound.start <= byte < bound.until)
        and (bound.name not in deleted or (deleted[bound.name] < bound.start and (later or bound.start < byte)))
    ]  # fmt: skip


def _bound_in(resolver: Resolver, ref: ScopeRef, reach: Reach) -> Iterator[_Bound]:
    """Each name that a scope binds; once for each unit of it, unless its bindings end."""
    scopes = resolver.scopes
    if ref[0] >= 0:
        yield from _of_facts(scopes.facts.units[ref[0]], ref[1])
        return
    for unit in scopes.facts.units:
        if ref == MODULE_SCOPE and reach.is_within(unit):
            yield from _declared_global(unit)
        if unit.inner == ref[1]:
            yield from _of_facts(unit, _CLASS)
        if unit.outer != ref[1]:
            continue
        checkpoint()
        if reach.is_within(unit):
            yield from _of_facts(unit, 0)
        else:
            head = scopes.facts.data[unit.start : min(unit.end, unit.start + _HEAD)]
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
