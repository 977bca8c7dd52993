"""The scopes of a text that differs from a base text in a few units; only these are read."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from editahead.analysis.facts.file_facts import FileFacts
from editahead.analysis.facts.patched_facts import PatchedUnits, UnitMap
from editahead.analysis.resolver.file_scopes import (
    Bound,
    FileScopes,
    NameAt,
    NameIndex,
    PartUnits,
    ScopeRef,
    has_action,
)
from editahead.syntax.scope_table import Action, Namespace

_START = attrgetter("start")


class PatchedScopes(FileScopes):
    """Scopes of a version of a file, derived from those of a base text.

    A query by name costs time in the occurrences of that name, a query for declarations in the declarations only.
    """

    def __init__(self, facts: FileFacts, base: FileScopes, unit_map: UnitMap) -> None:
        super().__init__(facts, base.wildcard_words)
        self._base, self._map = base, unit_map
        self._new_numbers = unit_map.new_numbers
        self._new_bound: dict[str, Bound] = {}

    def index(self, name: str) -> NameIndex:
        """All occurrences of a name."""
        index = self._names.get(name)
        if index is None:
            base = self._base.index(name)
            rows = sorted([*self._moved(base.all), *self._new_rows(name)], key=_START)
            bound = dict(self._bound_anew(name))
            for (ref, namespace), declared in base.bound.items():
                at = (-1, 0) if ref[0] < 0 else self._map.number_after(ref[0])
                key = ((at[0], ref[1]), namespace) if at is not None else None
                if key is not None and (merged := self._merged(declared, bound.get(key, ()))):
                    bound[key] = merged
            index = self._names[name] = NameIndex(rows, bound)
        return index

    def bound_in(self, ref: ScopeRef, namespace: Namespace, name: str) -> list[NameAt]:
        """The occurrences that bind a name in a scope, in text order."""
        if ref[0] >= 0:
            return super().bound_in(ref, namespace, name)
        rows = self._bound.get((ref, namespace, name))
        if rows is None:
            anew = self._bound_anew(name).get((ref, namespace), ())
            rows = self._bound[ref, namespace, name] = self._merged(self._base.bound_in(ref, namespace, name), anew)
        return rows

    def _find_rows(self, action: Action, name: str) -> list[NameAt]:
        anew = [row for row in self._new_rows(name) if has_action(row, action)]
        return self._merged(self._base.rows_with(action, name), anew)

    def is_bound(self, name: str) -> bool:
        """Whether anything in the file binds a name."""
        if self._bound_anew(name):
            return True
        return any(self._moved(rows) for rows in self._base.index(name).bound.values())

    def unit_at(self, byte: int) -> int:
        """The last unit that begins at a byte or before it; -1 for none."""
        units = self.facts.units
        return units.last_at(byte) if isinstance(units, PatchedUnits) else super().unit_at(byte)

    def units_of_parts(self) -> list[PartUnits]:
        """The units of each part that was read, in text order."""
        rows, replaced, count = list[PartUnits](), self._map.parts, 0
        for part, units in zip(self.facts.parts, self._base.units_of_parts(), strict=True):
            while count < len(replaced) and replaced[count] < part.first:
                count += 1
            first, layout = units.first + self._map.grown(count), units.layout
            if count < len(replaced) and replaced[count] == part.first:
                count, layout = count + 1, None
            rows.append(PartUnits(first, units.end + self._map.grown(count), layout))
        return rows

    def wildcard_units(self) -> list[int]:
        """The units with wildcard imports."""
        if self._wildcards is None:
            moved = [self._map.number_after(number) for number in self._base.wildcard_units()]
            anew = [number for number in self._new_numbers if self._is_wildcard(self.facts.units[number])]
            self._wildcards = sorted([*(at[0] for at in moved if at is not None), *anew])
        return self._wildcards

    def _declarations_of(self, first: int) -> list[int]:
        return self._base._declarations_of(first)

    def _members_of(self, first: int) -> Sequence[int]:
        moved = [self._map.number_after(number) for number in self._base._members_of(first)]
        containers, units = self.facts.containers, self.facts.units
        anew = [number for number in self._new_numbers if containers[units[number].outer].first == first]
        return sorted([*(at[0] for at in moved if at is not None), *anew])

    def _search(self, name: bytes) -> list[int]:
        moved = [self._map.number_after(number) for number in self._base.units_with(name)]
        return sorted([*(at[0] for at in moved if at is not None), *self._new_units_with(name)])

    def _new_units_with(self, name: bytes) -> list[int]:
        units, find = self.facts.units, self.facts.data.find
        return [number for number in self._new_numbers if find(name, units[number].start, units[number].end) >= 0]

    def _new_rows(self, name: str) -> list[NameAt]:
        return [row for number in self._new_units_with(name.encode()) for row in self.in_unit(number, name)]

    def _bound_anew(self, name: str) -> Bound:
        """The declarations of a name in the replaced units."""
        bound = self._new_bound.get(name)
        if bound is None:
            bound = self._new_bound[name] = self._binding_rows(sorted(self._new_rows(name), key=_START), name)
        return bound

    def _moved(self, rows: Sequence[NameAt]) -> list[NameAt]:
        """Occurrences of the base text at their new positions, without those in replaced units."""
        moved: list[NameAt] = []
        for row in rows:
            at = self._map.number_after(row.unit)
            if at is not None:
                number, shift = at
                moved.append(NameAt(row.start + shift, row.end + shift, number, row.occurrence))
        return moved

    def _merged(self, base: Sequence[NameAt], anew: Sequence[NameAt]) -> list[NameAt]:
        rows = [*self._moved(base), *anew]
        return sorted(rows, key=_START) if anew else rows
