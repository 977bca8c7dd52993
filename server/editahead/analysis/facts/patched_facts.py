"""The facts of a text that differs from a base text in a few units; only these are created anew."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple, overload

from editahead.analysis.facts.file_facts import MODULE, Container, FactsCache, FileFacts, FilePart, Unit
from editahead.analysis.facts.unit_layout import UnitShape
from editahead.syntax.nodes import replaced_parts
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

_UNIT_START = attrgetter("start")
MAX_REPLACED = 200  # replaced units; where more differ, the whole text is read
MAX_PARTS = 12  # replaced parts of a large file, likewise


class _Change(NamedTuple):
    """Units [first, last) of the base text, replaced by others, and the part that holds them.

    `was_first`: the byte where that part began. `now` is None where it was not read. `shift`: bytes by which it grew.
    """

    first: int
    last: int
    shapes: Sequence[UnitShape]
    was_first: int
    now: FilePart | None
    shift: int


class UnitMap:
    """The positions of the units of a base text in a text that differs from it in some units."""

    def __init__(self, changes: Sequence[_Change]) -> None:
        self.parts = [change.was_first for change in changes]  # the first bytes of the replaced parts in the base text
        self._firsts = [change.first for change in changes]
        self._lasts = [change.last for change in changes]
        self._grown = [0, *accumulate(len(change.shapes) - (change.last - change.first) for change in changes)]
        self._shifts = [0, *accumulate(change.shift for change in changes)]
        self.new_numbers = [
            number + grown
            for change, grown in zip(changes, self._grown[:-1], strict=True)
            for number in range(change.first, change.first + len(change.shapes))
        ]
        """The numbers of the new units in text order."""

    def number_after(self, number: int) -> tuple[int, int] | None:
        """The new number of a unit, and the bytes by which it moved; None of a replaced unit."""
        count = bisect_right(self._firsts, number)
        if count and number < self._lasts[count - 1]:
            return None
        return number + self._grown[count], self._shifts[count]

    def grown(self, count: int) -> int:
        """The number of units by which the first `count` changes grew the text."""
        return self._grown[count]

    def shift(self, count: int) -> int:
        """The number of bytes by which the first `count` changes grew the text."""
        return self._shifts[count]


class _Stretch(NamedTuple):
    """Consecutive units from `number` on: those of `units` from `first` on, moved down by `shift` bytes.

    `start`: the first byte of the first unit.
    """

    number: int
    start: int
    units: Sequence[Unit]
    first: int
    shift: int


class PatchedUnits(Sequence[Unit]):
    """The units of a text that differs in some of them from a base text."""

    def __init__(self, base: Sequence[Unit], changes: Sequence[_Change], unit_map: UnitMap, cache: FactsCache) -> None:
        self._moved: dict[int, Unit] = {}
        self._size = len(base) + unit_map.grown(len(changes))
        self._stretches: list[_Stretch] = []
        last = 0
        for count, change in enumerate(changes):
            self._add(base, last, change.first, unit_map.grown(count), unit_map.shift(count))
            if (now := change.now) is not None:
                units = [Unit.of_part(shape, now.first, now.containers, cache) for shape in change.shapes]
                self._add(units, 0, len(units), change.first + unit_map.grown(count), 0)
            last = change.last
        self._add(base, last, len(base), unit_map.grown(len(changes)), unit_map.shift(len(changes)))
        self._numbers = [stretch.number for stretch in self._stretches]
        self._starts = [stretch.start for stretch in self._stretches]

    def _add(self, units: Sequence[Unit], first: int, last: int, grown: int, shift: int) -> None:
        if first < last:
            self._stretches.append(_Stretch(first + grown, units[first].start + shift, units, first, shift))

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, number: int) -> Unit: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Unit]: ...
    def __getitem__(self, number: int | slice) -> Unit | Sequence[Unit]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(self._size))]
        number = range(self._size)[number]
        first, _, units, at, shift = self._stretches[bisect_right(self._numbers, number) - 1]
        if not shift:
            return units[number - first + at]
        unit = self._moved.get(number)
        if unit is None:
            unit = self._moved[number] = units[number - first + at].with_shift(shift)
        return unit

    def last_at(self, byte: int) -> int:
        """The last unit that begins at a byte or before it; -1 for none."""
        count = bisect_right(self._starts, byte)
        if not count:
            return -1
        first, _, units, at, shift = self._stretches[count - 1]
        behind = self._numbers[count] if count < len(self._numbers) else self._size
        number = bisect_right(units, byte - shift, at, behind - first + at, key=_UNIT_START)
        return number - at + first - 1


class _Containers(Sequence[Container]):
    def __init__(self, base: FileFacts, changes: Sequence[_Change], unit_map: UnitMap, size: int) -> None:
        self._base, self._changes, self._map, self._end = base, changes, unit_map, size
        self._firsts = [change.was_first for change in changes]
        self._before = [part.containers for part in base.parts]
        self._moved: dict[int, Container] = {}

    def __len__(self) -> int:
        return len(self._base.containers)

    @overload
    def __getitem__(self, number: int) -> Container: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Container]: ...
    def __getitem__(self, number: int | slice) -> Container | Sequence[Container]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        container = self._moved.get(number)
        if container is None:
            container = self._moved[number] = self._place(number)
        return container

    def _place(self, number: int) -> Container:
        container = self._base.containers[number]
        if number == MODULE:
            return container._replace(end=self._end)
        part = self._base.parts[bisect_right(self._before, number - 1) - 1]
        count = bisect_right(self._firsts, part.first)
        now = self._changes[count - 1].now if count and self._firsts[count - 1] == part.first else None
        if now is not None:
            span = now.layout.containers[number - 1 - part.containers]
            start, end = span.start + now.first, span.end + now.first
            return Container(ScopeKind.CLASS, container.parent, span.head + now.units, start, end, container.first)
        shift = self._map.shift(count)
        moved = self._map.number_after(container.head)
        assert moved is not None
        return container._replace(head=moved[0], start=container.start + shift, end=container.end + shift)


def patched_facts(
    base: FileFacts, old: SyntaxSnapshot, new: SyntaxSnapshot, table: ScopeTable, cache: FactsCache, *, of_parts: bool
) -> tuple[FileFacts, UnitMap] | None:
    """The facts of `new` derived from those of `old`, with a map of the units; None where too much differs.

    `of_parts`: parts that were not read may differ too, and stay unread.
    """
    replaced = replaced_parts(old, new) if old.language is new.language else None
    if replaced is None or len(replaced) > MAX_PARTS:
        return None
    cache.begin(base.parts)
    changes: list[_Change] = []
    grown = 0
    for replacement in replaced:
        number = bisect_right(base.parts, replacement.was_first, key=lambda part: part.first) - 1
        was = base.parts[number] if number >= 0 else None
        if was is None or was.first != replacement.was_first:
            if not of_parts:
                return None
            before = was.units + len(was.layout.units) if was is not None else 0
            shift = len(replacement.snapshot.buffer.data) - replacement.was_size
            changes.append(_Change(before, before, (), replacement.was_first, None, shift))
            continue
        part = replacement.parse()
        layout = cache.layout(part, table)
        span = was.layout.changed_units(layout)
        if span is None:
            return None
        first, last, behind = span
        for earlier, shape in zip(was.layout.units[first:last], layout.units[first:behind], strict=False):
            shape.set_base(earlier)
        now = FilePart(layout, part.first, was.units + grown, was.containers)
        shift = len(part.data) - len(was.layout.data)
        shapes = layout.units[first:behind]
        changes.append(_Change(was.units + first, was.units + last, shapes, was.first, now, shift))
        grown += behind - last
    if sum(len(change.shapes) for change in changes) > MAX_REPLACED:
        return None
    unit_map = UnitMap(changes)
    units = PatchedUnits(base.units, changes, unit_map, cache)
    containers = _Containers(base, changes, unit_map, len(new.buffer.data))
    return FileFacts(units, containers, new.buffer.data, base.parts), unit_map
