"""The scopes of a whole file, and an index of the occurrences and declarations of each name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from editahead.analysis.facts.facts import Occurrence, ScopeFacts
from editahead.analysis.facts.file_facts import MODULE, FileFacts, Unit
from editahead.analysis.facts.unit_layout import Layout
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

_START = attrgetter("start")

ScopeRef = tuple[int, int]
"""A scope of the file: (-1, container) for the module and for classes whose members are units, else (unit, scope)."""
MODULE_SCOPE: ScopeRef = (-1, MODULE)


class NameAt(NamedTuple):
    """An occurrence of a name in bytes [start, end) of the file, with the number of its unit."""

    start: int
    end: int
    unit: int
    occurrence: Occurrence


Bound = dict[tuple[ScopeRef, Namespace], list[NameAt]]


class NameIndex(NamedTuple):
    """All occurrences of a name in text order, and those that bind it, by scope and namespace."""

    all: list[NameAt]
    bound: Bound


class PartUnits(NamedTuple):
    """Units [first, end) of a part, and their layout; None where the text of the part has changed."""

    first: int
    end: int
    layout: Layout | None


class FileScopes:
    """Scopes of a version of a file. A query by name costs time in the units and occurrences of that name."""

    def __init__(self, facts: FileFacts, wildcard_words: tuple[bytes, ...] = ()) -> None:
        """`wildcard_words`: words; each wildcard import contains some of them."""
        self.facts = facts
        self.wildcard_words = wildcard_words
        self._names: dict[str, NameIndex] = {}
        self._bound: dict[tuple[ScopeRef, Namespace, str], list[NameAt]] = {}
        self._unit_bound: dict[tuple[int, str], Bound] = {}
        self._unit_rows: dict[tuple[int, str], list[NameAt]] = {}
        self._by_action: dict[tuple[Action, str], list[NameAt]] = {}
        self._parts: dict[int, list[int]] = {}  # containers of the declarations of a class, by the first of them
        self._members: dict[int, list[int]] = {}  # units by the first container of the class around them
        self._with_name: dict[bytes, list[int]] = {}
        self._wildcards: list[int] | None = None
        self._at_spans: dict[tuple[tuple[int, int], ...], list[int]] = {}  # of the latest spans

    def local(self, ref: ScopeRef) -> ScopeFacts | None:
        """The facts of a scope; None for the module. Spans in them count from their unit."""
        if ref[0] >= 0:
            return self.facts.units[ref[0]].facts.scopes[ref[1]]
        head = self.facts.containers[ref[1]].head
        if head < 0:
            return None
        scopes = self.facts.units[head].facts.scopes
        return scopes[_class_scope(scopes)]

    def heads(self, ref: ScopeRef) -> Iterator[tuple[int, ScopeFacts]]:
        """The facts of a class by each of its declarations, with the unit from which spans in them count."""
        if ref[0] >= 0:
            yield ref[0], self.facts.units[ref[0]].facts.scopes[ref[1]]
            return
        for number in self._heads_of(ref[1]):
            scopes = self.facts.units[number].facts.scopes
            yield number, scopes[_class_scope(scopes)]

    def _heads_of(self, first: int) -> list[int]:
        containers = self.facts.containers
        heads = (containers[number].head for number in self._declarations_of(first))
        return [head for head in heads if head >= 0]

    def _declarations_of(self, first: int) -> list[int]:
        """The containers of a class with several declarations."""
        if not self._parts:
            for number, container in enumerate(self.facts.containers):
                self._parts.setdefault(container.first, []).append(number)
        return self._parts[first]

    def kind(self, ref: ScopeRef) -> ScopeKind:
        """The kind of a scope."""
        return self.facts.containers[ref[1]].kind if ref[0] < 0 else self.facts.units[ref[0]].facts.scopes[ref[1]].kind

    def placed(self, unit: int, scope: int) -> ScopeRef:
        """The reference of a scope, given by its index in the facts of a unit."""
        holder = self.facts.units[unit]
        if scope == 0:
            return self._first(holder.outer)
        if holder.inner >= 0 and scope == _class_scope(holder.facts.scopes):
            return self._first(holder.inner)
        return unit, scope

    def _first(self, container: int) -> ScopeRef:
        """The scope of a container; of a class with several declarations, that of the first."""
        return -1, self.facts.containers[container].first

    def parent(self, ref: ScopeRef) -> ScopeRef | None:
        """The scope around a scope; None for the module."""
        if ref[0] < 0:
            parent = self.facts.containers[ref[1]].parent
            return self._first(parent) if parent >= 0 else None
        return self.placed(ref[0], self.facts.units[ref[0]].facts.scopes[ref[1]].parent)

    def span(self, ref: ScopeRef) -> tuple[int, int]:
        """The bytes [start, end) of a scope; of a class with several declarations, those of the first."""
        if ref[0] < 0:
            container = self.facts.containers[ref[1]]
            return container.start, container.end
        unit = self.facts.units[ref[0]]
        scope = unit.facts.scopes[ref[1]]
        return unit.start + scope.start, unit.start + scope.end

    def around(self, ref: ScopeRef | None) -> Iterator[ScopeRef]:
        """A scope and those around it, innermost first."""
        while ref is not None:
            yield ref
            ref = self.parent(ref)

    def scope_at(self, byte: int) -> ScopeRef:
        """The innermost scope that holds a byte."""
        around = self._container_at(byte)
        best, size = self._first(around), self.facts.containers[around].end - self.facts.containers[around].start
        number = self.unit_at(byte)
        for unit in self.facts.units[number : number + 1] if number >= 0 else ():
            for at, scope in enumerate(unit.facts.scopes):
                ref = self.placed(number, at) if at else best
                inside = unit.start + scope.start <= byte <= unit.start + scope.end
                if at and ref[0] >= 0 and inside and scope.end - scope.start <= size:
                    best, size = ref, scope.end - scope.start
        return best

    def _container_at(self, byte: int) -> int:
        """The smallest container that holds a byte; of two equal ones that meet there, the second."""
        containers, candidates = self.facts.containers, list[tuple[int, int]]()
        for low in (byte, byte - 1):
            number = bisect_right(containers, low, key=_START) - 1  # it or a container around it holds the byte
            while number > MODULE and containers[number].end < byte:
                number = containers[number].parent
            number = max(MODULE, number)
            candidates.append((containers[number].end - containers[number].start, -number))
        return -min(candidates)[1]

    def index(self, name: str) -> NameIndex:
        """All occurrences of a name."""
        index = self._names.get(name)
        if index is None:
            rows: list[NameAt] = []
            for number in self.units_with(name.encode()):
                checkpoint()
                rows += self.in_unit(number, name)
            rows.sort(key=_START)  # stable: rows of the same byte stay in the order of the walk
            index = self._names[name] = NameIndex(rows, self._binding_rows(rows, name))
        return index

    def bound_in(self, ref: ScopeRef, namespace: Namespace, name: str) -> list[NameAt]:
        """The occurrences that bind a name in a scope, in text order.

        Of a class or the module, only the units that may bind the name are read.
        """
        if ref[0] >= 0:
            return self._bound_by(ref[0], name).get((ref, namespace), [])
        if ref == MODULE_SCOPE and name in self._names:
            return self._names[name].bound.get((ref, namespace), [])
        key = ref, namespace, name
        if key not in self._bound:
            text, rows = name.encode(), list[NameAt]()
            for number in self._units_binding(ref, text):
                checkpoint()
                rows += self._bound_by(number, name).get((ref, namespace), [])
            self._bound[key] = sorted(rows, key=_START)
        return self._bound[key]

    def _units_binding(self, ref: ScopeRef, name: bytes) -> Iterator[int]:
        """Yield the numbers of units that may bind a name in the module or a class."""
        if ref == MODULE_SCOPE:
            units = ((number, self.facts.units[number]) for number in self.units_with(name))
        else:
            find = self.facts.data.find
            units = ((number, unit) for number, unit in self.units_in(ref) if find(name, unit.start, unit.end) >= 0)
        return (number for number, unit in units if unit.can_bind(name, ref[1]))

    def in_spans(self, spans: tuple[tuple[int, int], ...], name: str) -> list[NameAt]:
        """The occurrences of a name in the units that overlap some byte spans."""
        return [use for number in self.units_of(spans) for use in self.in_unit(number, name)]

    def units_of(self, spans: tuple[tuple[int, int], ...]) -> list[int]:
        """The units that overlap some byte spans, and the last unit before each."""
        numbers = self._at_spans.get(spans)
        if numbers is None:
            in_spans = {number for low, high in spans for number in range(self.unit_at(low), self.unit_at(high) + 1)}
            numbers = sorted(number for number in in_spans if number >= 0)
            self._at_spans = {spans: numbers}
        return numbers

    def keywords(self, name: str) -> list[NameAt]:
        """The keyword arguments of a name: the only occurrences of a local outside its unit."""
        return self.rows_with(Action.KEYWORD, name)

    def assignments(self, name: str) -> list[NameAt]:
        """The assignments to a member of a name through an object."""
        return self.rows_with(Action.ATTRIBUTE, name)

    def rows_with(self, action: Action, name: str) -> list[NameAt]:
        """The occurrences of a name with an action, in text order; only the assigned attributes."""
        rows = self._by_action.get((action, name))
        if rows is None:
            rows = self._by_action[action, name] = self._find_rows(action, name)
        return rows

    def _find_rows(self, action: Action, name: str) -> list[NameAt]:
        return [row for row in self.index(name).all if has_action(row, action)]

    def is_bound(self, name: str) -> bool:
        """Whether anything in the file binds a name."""
        return bool(self.index(name).bound)

    def _bound_by(self, number: int, name: str) -> Bound:
        """The declarations of a name in each scope of a unit."""
        if (number, name) not in self._unit_bound:
            rows = sorted(self.in_unit(number, name), key=_START)
            self._unit_bound[number, name] = self._binding_rows(rows, name)
        return self._unit_bound[number, name]

    def units_in(self, ref: ScopeRef) -> Iterator[tuple[int, Unit]]:
        """Yield the units, with their numbers, that hold a scope or parts of it, without those of nested classes."""
        if ref[0] >= 0:
            yield ref[0], self.facts.units[ref[0]]
            return
        for number in (*self._heads_of(ref[1]), *self._members_of(ref[1])):
            yield number, self.facts.units[number]

    def _members_of(self, first: int) -> Sequence[int]:
        """The units in a class, given by its first container."""
        if not self._members:
            for number, unit in enumerate(self.facts.units):
                self._members.setdefault(self.facts.containers[unit.outer].first, []).append(number)
        return self._members.get(first, ())

    def in_unit(self, number: int, name: str) -> list[NameAt]:
        """The occurrences of a name in a unit, given by its number."""
        rows = self._unit_rows.get((number, name))
        if rows is None:
            unit = self.facts.units[number]
            occurrences = [unit.facts.occurrences[at] for at in unit.facts.by_name.get(name, ())]
            rows = self._unit_rows[number, name] = [
                NameAt(unit.start + row.start, unit.start + row.end, number, row) for row in occurrences
            ]
        return rows

    def _binding_rows(self, rows: list[NameAt], name: str) -> Bound:
        bound: Bound = {}
        for row in rows:
            if row.occurrence.action is Action.BIND:
                scope = self.binding_scope(self.placed(row.unit, row.occurrence.scope), name)
                bound.setdefault((scope, row.occurrence.namespace), []).append(row)
        return bound

    def units_of_parts(self) -> list[PartUnits]:
        """The units of each part that was read, in text order."""
        parts, count = self.facts.parts, len(self.facts.units)
        ends = [*(part.units for part in parts[1:]), count]
        return [PartUnits(part.units, end, part.layout) for part, end in zip(parts, ends, strict=True)]

    def unit_at(self, byte: int) -> int:
        """The last unit that begins at a byte or before it; -1 for none."""
        return bisect_right(self._starts, byte) - 1

    @cached_property
    def _starts(self) -> list[int]:
        return [unit.start for unit in self.facts.units]

    def units_with(self, name: bytes) -> list[int]:
        """The units that contain the bytes of a name, in text order."""
        numbers = self._with_name.get(name)
        if numbers is None:
            numbers = self._with_name[name] = self._search(name)
        return numbers

    def _search(self, name: bytes) -> list[int]:
        data, units, numbers = self.facts.data, self.facts.units, list[int]()
        at = data.find(name) if name else -1
        while at >= 0:
            number = self.unit_at(at)
            if number >= 0 and at + len(name) <= units[number].end:
                numbers.append(number)
            if number + 1 == len(units):
                break
            at = data.find(name, units[number + 1].start)
        return numbers

    def binding_scope(self, ref: ScopeRef, name: str) -> ScopeRef:
        """The scope in which an assignment in a scope binds a name, following `global` and `nonlocal` statements."""
        facts = self.local(ref)
        if facts is None:
            return ref
        if name in facts.global_names:
            return MODULE_SCOPE
        if name in facts.nonlocal_names:
            for outer in self.around(self.parent(ref)):
                outer_facts = self.local(outer)
                if self.kind(outer) is not ScopeKind.FUNCTION or outer_facts is None:
                    continue
                if name not in outer_facts.nonlocal_names and any(key[1] == name for key in outer_facts.bound):
                    return outer
        return ref

    def declared_by(self, start: int) -> ScopeRef | None:
        """The scope of the function or class whose name begins at a byte."""
        return self._scope_with(start, lambda scope: scope.name_start)

    def assigned_to(self, start: int) -> ScopeRef | None:
        """The scope of the nameless function or the object literal that the variable at a byte is assigned."""
        return self._scope_with(start, lambda scope: scope.value_of)

    def _scope_with(self, start: int, name_of: Callable[[ScopeFacts], int]) -> ScopeRef | None:
        number = self.unit_at(start)
        unit = self.facts.units[number] if number >= 0 else None
        for at, scope in enumerate(unit.facts.scopes if unit is not None else ()):
            if unit is not None and at and name_of(scope) == start - unit.start:
                return self.placed(number, at)
        return None

    def has_type_parameter(self, ref: ScopeRef, namespace: Namespace, name: str) -> bool:
        """Whether the head of a class or function declares a type parameter of that name."""
        head, facts = ref[0] if ref[0] >= 0 else self.facts.containers[ref[1]].head, self.local(ref)
        if facts is None:
            return False
        occurrences = self.facts.units[head].facts.occurrences
        return any(occurrences[at].kind == "type-parameter" for at in facts.bound.get((namespace, name), ()))

    def name_start(self, ref: ScopeRef) -> int:
        """The first byte of the name of a class or function, given by its scope; -1 for none."""
        head, facts = ref[0] if ref[0] >= 0 else self.facts.containers[ref[1]].head, self.local(ref)
        return self.facts.units[head].start + facts.name_start if facts is not None and facts.name_start >= 0 else -1

    def function_around(self, ref: ScopeRef) -> ScopeRef | None:
        """The innermost function around a scope, or the scope itself."""
        return next((scope for scope in self.around(ref) if self.kind(scope) is ScopeKind.FUNCTION), None)

    def class_around(self, ref: ScopeRef) -> ScopeRef | None:
        """The innermost class around a scope, or the scope itself."""
        return next((scope for scope in self.around(ref) if self.kind(scope) is ScopeKind.CLASS), None)

    def has_wildcard_import(self) -> bool:
        """Whether the file has wildcard imports."""
        return bool(self.wildcard_units())

    def wildcard_units(self) -> list[int]:
        """The units with wildcard imports."""
        if self._wildcards is None:
            self._wildcards = [number for number, unit in enumerate(self.facts.units) if self._is_wildcard(unit)]
        return self._wildcards

    def _is_wildcard(self, unit: Unit) -> bool:
        data = self.facts.data
        if data.find(b"*", unit.start, unit.end) < 0:  # reading the facts of all units takes a second in a long file
            return False
        if not any(data.find(word, unit.start, unit.end) >= 0 for word in self.wildcard_words):
            return False
        checkpoint()
        return any(scope.has_wildcard for scope in unit.facts.scopes)


def has_action(row: NameAt, action: Action) -> bool:
    """Whether an occurrence has an action; an attribute counts if it is assigned."""
    return row.occurrence.action is action and (action is not Action.ATTRIBUTE or bool(row.occurrence.kind))


def _class_scope(scopes: list[ScopeFacts]) -> int:
    return next(at for at, scope in enumerate(scopes) if at and scope.kind is ScopeKind.CLASS)
