"""The facts of a whole file: its declarations and statements as units, each read once while its text stands."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from editahead.analysis.facts.facts import Facts
from editahead.analysis.facts.first_pass import FactsWalk
from editahead.analysis.facts.unit_layout import MODULE, ClassKey, FactsKey, Layout, UnitShape, layout_of
from editahead.syntax.nodes import Node, ParsedPart, Parts, parsed_parts
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot

__all__ = ["MODULE", "Container", "FactsCache", "FileFacts", "Unit", "file_facts"]


class Unit:
    """A declaration or statement in bytes [start, end), of a class its head; its facts are read when first asked for.

    `outer`: the container around it (an index of FileFacts.containers). `inner`: where it is the head of a class, the
    container that the class is, else -1.
    """

    __slots__ = ("_cache", "_shape", "end", "inner", "outer", "start")

    def __init__(self, shape: UnitShape, part: int, outer: int, inner: int, cache: FactsCache) -> None:
        """`part`: the byte where the part of the file begins that the shape is of."""
        self.start, self.end, self.outer, self.inner = part + shape.start, part + shape.end, outer, inner
        self._shape, self._cache = shape, cache

    @classmethod
    def of_part(cls, shape: UnitShape, first: int, inner: int, cache: FactsCache) -> Unit:
        """A unit of a part that begins at a byte; `inner`: containers before those of the part, the module aside."""
        outer = shape.outer + inner if shape.outer else MODULE
        return cls(shape, first, outer, shape.inner + inner if shape.inner > 0 else -1, cache)

    def with_shift(self, shift: int) -> Unit:
        """The same unit, so many bytes further down."""
        return Unit(self._shape, self.start - self._shape.start + shift, self.outer, self.inner, self._cache)

    @property
    def facts(self) -> Facts:
        """Its scopes and names, in bytes from `start`."""
        facts = self._shape.facts
        return facts if facts is not None else self._cache.read_facts(self._shape)

    def node_at(self, start: int, end: int) -> Node | None:
        """The smallest node of bytes [start, end) of the file, which lie in the unit."""
        shift = self._shape.start - self.start
        return self._shape.node.descendant_for_byte_range(start + shift, end + shift)


class Container(NamedTuple):
    """The module, or a class whose members are units. `head`: the unit of its head, -1 for the module.

    `first`: of a class that is declared in several places the container of the first one, else the container itself.
    """

    kind: ScopeKind
    parent: int
    head: int
    start: int
    end: int
    first: int


class FilePart(NamedTuple):
    """A part of a file that begins at a byte, and how many units and containers stand before its own.

    The module does not count.
    """

    layout: Layout
    first: int
    units: int
    containers: int


class FileFacts(NamedTuple):
    """All units of a file in text order, and the scopes that hold them. `data` is the text, `parts` were read."""

    units: Sequence[Unit]
    containers: Sequence[Container]
    data: bytes
    parts: Sequence[FilePart]


class PlacedUnits(NamedTuple):
    """The units of a layout at a place in the file; see `FactsCache.placed`."""

    layout: Layout
    first: int
    inner: int
    units: list[Unit]


class FactsCache:
    """The facts of one file's units by their text, and the layouts of its parts: those of the latest KEPT versions."""

    KEPT = 8

    def __init__(self) -> None:
        self._known: dict[FactsKey, tuple[Facts, int]] = {}
        self._layouts: dict[int, tuple[Layout, int]] = {}  # by the identity of a tree, which the layout keeps alive
        self._placed: dict[int, PlacedUnits] = {}  # likewise
        self._version = 0
        self._unfinished: tuple[FactsKey, FactsWalk] | None = None  # of the latest unit whose reading was interrupted
        key = id(self)
        _caches[key] = weakref.ref(self, lambda _: _caches.pop(key, None))
        self.read = 0  # units that had to be read, for tests
        self.is_probing = False  # texts that are only looked at evict nothing

    def __len__(self) -> int:
        return len(self._known) + len(self._layouts)

    def begin(self, base: Sequence[FilePart] = ()) -> None:
        """Another version, which uses the parts of a base: what the latest ones did not use is forgotten."""
        if self.is_probing:
            return
        self._version += 1
        self._layouts.update({id(part.layout.tree): (part.layout, self._version) for part in base})
        oldest = self._version - self.KEPT
        self._layouts = {key: row for key, row in self._layouts.items() if row[1] >= oldest}
        self._placed = {key: placed for key, placed in self._placed.items() if key in self._layouts}
        if self._version % self.KEPT == 0:
            self._known = {key: row for key, row in self._known.items() if row[1] >= oldest}

    def layout(self, part: ParsedPart, table: ScopeTable) -> Layout:
        """The units of a part, laid out once while its tree stands."""
        known = self._layouts.get(id(part.tree))
        layout = known[0] if known is not None and known[0].tree is part.tree else layout_of(part, table)
        if self.is_probing:
            return layout
        self._layouts[id(part.tree)] = layout, self._version
        return layout

    def placed(self, layout: Layout, first: int, inner: int) -> list[Unit]:
        """The units of a layout whose part begins at a byte; the very same ones while it stays there.

        `inner`: the number of containers before its own, the module aside.
        """
        known = self._placed.get(id(layout.tree))
        if known is not None and (known.layout, known.first, known.inner) == (layout, first, inner):
            return known.units
        units = [Unit.of_part(shape, first, inner, self) for shape in layout.units]
        self._placed[id(layout.tree)] = PlacedUnits(layout, first, inner, units)
        return units

    def read_facts(self, shape: UnitShape) -> Facts:
        """The facts of a unit, read where its text is not known or its syntax is broken."""
        key = shape.key()
        known = self._known.get(key)
        facts = known[0] if known is not None and not known[0].errors else None
        if facts is None:
            facts = self._walk(key, shape).finish()
            self._unfinished = None
            self.read += 1
        self._known[key] = facts, self._version
        shape.facts = facts
        return facts

    def _walk(self, key: FactsKey, shape: UnitShape) -> FactsWalk:
        """The walk over a unit; the interrupted walk if the text is the same and the syntax whole."""
        unfinished = self._unfinished
        if unfinished is not None and unfinished[0] == key and not shape.node.has_error:
            return unfinished[1]
        walk = FactsWalk(shape.part, shape.node, shape.table, shape.kind, shape.header_end)
        self._unfinished = (key, walk) if not shape.node.has_error else None
        return walk


_caches: dict[int, weakref.ref[FactsCache]] = {}


def facts_kept() -> int:
    """Return how many facts of units and layouts of parts all caches keep. Safe from any thread."""
    caches = (reference() for reference in list(_caches.values()))
    return sum(len(cache) for cache in caches if cache is not None)


def file_facts(syntax: SyntaxSnapshot, table: ScopeTable, cache: FactsCache, parts: Parts | None = None) -> FileFacts:
    """The facts of a file; of a large one those of the asked parts at least."""
    cache.begin()
    units, file_parts = list[Unit](), list[FilePart]()
    containers = [Container(ScopeKind.MODULE, -1, -1, 0, len(syntax.buffer.data), MODULE)]
    keys: list[ClassKey | None] = [None]
    for part in parsed_parts(syntax, parts):
        layout = cache.layout(part, table)
        heads, inner = len(units), len(containers) - 1  # the module is the container of all parts
        file_parts.append(FilePart(layout, part.first, heads, inner))
        for one in layout.containers:
            parent = one.parent + inner if one.parent else MODULE
            start, end, number = one.start + part.first, one.end + part.first, len(containers)
            containers.append(Container(ScopeKind.CLASS, parent, one.head + heads, start, end, number))
            keys.append(one.key)
        units += cache.placed(layout, part.first, inner)
    joined = _joined(containers, keys) if table.classes.parts else containers
    return FileFacts(units, joined, syntax.buffer.data, file_parts)


def _joined(containers: list[Container], keys: list[ClassKey | None]) -> list[Container]:
    """Containers of which each knows the first one of the same class; two of which only one can be are different."""
    singles = Counter((one.parent, key) for one, key in zip(containers, keys, strict=True) if key and key.is_single)
    several = {(parent, key._replace(is_single=False)) for (parent, key), count in singles.items() if count > 1}
    firsts, made = dict[tuple[int, ClassKey], int](), list[Container]()
    for number, (one, key) in enumerate(zip(containers, keys, strict=True)):
        common = key._replace(is_single=False) if key is not None else None
        if common is None or (one.parent, common) in several:
            made.append(one)
            continue
        parent = made[one.parent].first
        made.append(one._replace(first=firsts.setdefault((parent, common), number)))
    return made
