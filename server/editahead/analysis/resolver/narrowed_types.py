"""Classes to which tests narrow names: `isinstance(a, A)`, `a instanceof A`, the cases of a switch upon types."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from editahead.analysis.facts.facts import Narrowing, Receiver, Span
from editahead.analysis.resolver.classes import Classes
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import Lookup
from editahead.syntax.scope_table import Action, Namespace

_MAX_SPANS = 32  # spans before a name that are read, the nearest first
_MAX_CODE = 4_000  # bytes between a test and an assignment that are read
_ASSIGNED = re.compile(rb"\s*(?:[-+*/%&|^@:]|\*\*|//|<<|>>>?|&&|\|\||\?\?)?=(?![=>])|\s*(?:\+\+|--)|\s+of\b")
_REPEATED = re.compile(rb"=>|->|\b(?:def|do|for|func|function|lambda|while)\b")


class NarrowedTypes:
    """The narrowed classes of a version of a file."""

    def __init__(self, scopes: FileScopes, classes: Classes, lookup: Lookup) -> None:
        self._scopes, self._classes, self._lookup = scopes, classes, lookup
        self._spans: dict[tuple[int, str], list[tuple[Span, Narrowing]]] = {}
        self._assignments: dict[tuple[int, str], list[int]] = {}

    def at(self, receiver: Receiver, unit: int, scope: ScopeRef) -> Iterator[tuple[Receiver, int, ScopeRef]]:
        """Yield the classes to which tests narrow a name or path, nearest first, with unit and scope of the test."""
        names = self._scopes.facts.units[unit].facts.narrowings
        if receiver.kind not in ("name", "attribute") or receiver.name not in names:
            return
        rows, path, byte = self._spans_of(unit, receiver.name), receiver.path, receiver.start
        last = bisect_right(rows, byte, key=lambda row: row[0][0])
        for (start, end), narrowing in reversed(rows[max(0, last - _MAX_SPANS) : last]):
            if byte < end and narrowing.path == path and self._is_valid(narrowing, receiver, unit, scope, (start, end)):
                yield narrowing.named, unit, self._scopes.placed(unit, narrowing.scope)

    def is_assigned_again(self, declared: NameAt) -> bool:
        """Whether anything in the file may be assigned to the name of a declaration besides its initial value."""
        rows, data = self._scopes.index(declared.occurrence.name).all, self._scopes.facts.data
        others = (row for row in rows if row.start != declared.start and row.occurrence.action is not Action.ATTRIBUTE)
        return any(_ASSIGNED.match(data, row.end) for row in others)

    def _spans_of(self, unit: int, name: str) -> list[tuple[Span, Narrowing]]:
        """The spans of a unit in which a path that ends with a name is narrowed, by their start."""
        if (unit, name) not in self._spans:
            rows = self._scopes.facts.units[unit].facts.narrowings[name]
            self._spans[unit, name] = sorted((span, row) for row in rows for span in row.spans)
        return self._spans[unit, name]

    def _is_valid(self, narrowing: Narrowing, receiver: Receiver, unit: int, scope: ScopeRef, span: Span) -> bool:
        """Whether a path means what it meant in the test, and nothing on it is assigned in between."""
        tested, first = self._scopes.placed(unit, narrowing.scope), self._scopes.facts.units[unit].start
        if narrowing.function and self._lookup(tested, Namespace.VALUE, narrowing.function, first + narrowing.start):
            return False
        if receiver.root.kind == "this":
            is_same = self._classes.class_around(unit, scope) == self._classes.class_around(unit, tested)
        else:
            name = receiver.path[0]
            here = self._lookup(scope, Namespace.VALUE, name, first + receiver.root.start)
            is_same = here == self._lookup(tested, Namespace.VALUE, name, first + narrowing.start)
        is_inside = self._scopes.function_around(scope) != self._scopes.function_around(tested)
        return is_same and not any(
            self._is_assigned(unit, name, narrowing.since, receiver.start, span, is_inside=is_inside)
            for name in narrowing.path
        )

    def _is_assigned(self, unit: int, name: str, since: int, byte: int, span: Span, *, is_inside: bool) -> bool:
        """Whether a name may be assigned before a byte runs. `is_inside`: the byte runs in an inner function."""
        rows = self._assignments_of(unit, name)
        following = bisect_right(rows, since)
        if following == len(rows):
            return False
        at = rows[following]
        if at <= byte or is_inside:
            return True
        start = self._scopes.facts.units[unit].start
        between = self._scopes.facts.data[start + span[0] : start + min(at, span[0] + _MAX_CODE)]
        return at < span[1] and (at - span[0] > _MAX_CODE or _REPEATED.search(between) is not None)

    def _assignments_of(self, unit: int, name: str) -> list[int]:
        """The bytes of a unit at which a name is declared or assigned, in text order."""
        if (unit, name) not in self._assignments:
            rows, data = self._scopes.in_unit(unit, name), self._scopes.facts.data
            start = self._scopes.facts.units[unit].start
            assigned = (
                row.start - start
                for row in rows
                if row.occurrence.action is Action.BIND
                or _ASSIGNED.match(data, row.end)
                or data[row.start - 2 : row.start] in (b"++", b"--")
            )
            self._assignments[unit, name] = sorted(assigned)
        return self._assignments[unit, name]
