"""The facts of a whole file: its declarations and statements as units, each read again only when its text changes."""

from __future__ import annotations

import weakref
from collections import Counter, deque
from collections.abc import Sequence
from typing import NamedTuple

from editahead.analysis.facts.facts import Facts
from editahead.analysis.facts.first_pass import FactsWalk
from editahead.analysis.facts.unit_layout import MODULE, ClassKey, FactsKey, Layout, UnitShape, layout_of
from editahead.syntax.nodes import Node, ParsedPart, Parts, parsed_parts
from editahead.syntax.scope_table import ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.diff import common_prefix, common_suffix

_MIN_BASE = 600  # bytes of a unit whose statements are copied to its next text
_MAX_BASES = 8
_HEAD = 200  # bytes in which the first line of a unit is looked for
_RECENT = 4  # facts that are kept though no layout holds them

__all__ = ["MODULE", "Container", "FactsCache", "FileFacts", "Unit", "file_facts"]


class Unit:
    """A declaration or statement in bytes [start, end), of a class its head; its facts are read on first use.

    `outer`: the container around it (an index of FileFacts.containers). `inner`: of the head of a class, the container
    of the class, else -1.
    """

    __slots__ = ("_cache", "_shape", "end", "inner", "outer", "start")

    def __init__(self, shape: UnitShape, part: int, outer: int, inner: int, cache: FactsCache) -> None:
        """`part`: the first byte of the part of the file to which the shape belongs."""
        self.start, self.end, self.outer, self.inner = part + shape.start, part + shape.end, outer, inner
        self._shape, self._cache = shape, cache

    @classmethod
    def of_part(cls, shape: UnitShape, first: int, inner: int, cache: FactsCache) -> Unit:
        """A unit of a part from byte `first` on; `inner`: containers before those of the part, without the module."""
        outer = shape.outer + inner if shape.outer else MODULE
        return cls(shape, first, outer, shape.inner + inner if shape.inner > 0 else -1, cache)

    def with_shift(self, shift: int) -> Unit:
        """The same unit, moved down by so many bytes."""
        return Unit(self._shape, self.start - self._shape.start + shift, self.outer, self.inner, self._cache)

    @property
    def facts(self) -> Facts:
        """The scopes and names of the unit, in bytes from `start`."""
        facts = self._shape.facts
        return facts if facts is not None else self._cache.read_facts(self._shape)

    def can_bind(self, name: bytes, container: int) -> bool:
        """Whether the unit may bind a name in a container around it; without reading its facts."""
        return self._shape.can_bind(name, is_outside=container == MODULE != self.outer)

    def node_at(self, start: int, end: int) -> Node | None:
        """The smallest node around bytes [start, end) of the file, which must lie in the unit."""
        shift = self._shape.start - self.start
        return self._shape.node.descendant_for_byte_range(start + shift, end + shift)


class Container(NamedTuple):
    """The module, or a class whose members are units. `head`: the unit of its head, -1 for the module.

    `first`: of a class with several declarations the container of the first, else the container itself.
    """

    kind: ScopeKind
    parent: int
    head: int
    start: int
    end: int
    first: int


class FilePart(NamedTuple):
    """A part of a file from byte `first` on, with the number of units and containers (the module aside) before it."""

    layout: Layout
    first: int
    units: int
    containers: int


class FileFacts(NamedTuple):
    """All units of a file in text order, and their containers. `data` is the text, `parts` those that were read."""

    units: Sequence[Unit]
    containers: Sequence[Container]
    data: bytes
    parts: Sequence[FilePart]


class PlacedUnits(NamedTuple):
    """The units of a layout at a position in the file; see `FactsCache.units_at`."""

    layout: Layout
    first: int
    inner: int
    units: list[Unit]


class FactsCache:
    """The layouts of a file's parts in the last KEPT versions, and the facts of their units by text.

    All that read a document share its cache (`document_facts`): each text of a unit is read once.
    """

    KEPT = 8

    def __init__(self) -> None:
        self._facts: dict[FactsKey, Facts] = {}
        self._most = _RECENT  # facts, until those are evicted that nothing holds
        self._recent: deque[Facts] = deque(maxlen=_RECENT)
        self._layouts: dict[int, tuple[Layout, int]] = {}  # by the identity of a tree, which the layout keeps alive
        self._placed: dict[int, PlacedUnits] = {}  # likewise
        self._version = 0
        self._unfinished: tuple[FactsKey, FactsWalk] | None = None  # the last walk that was interrupted
        self._bases: dict[tuple[str, bytes], tuple[bytes, Facts]] = {}  # the last texts of units by their first line
        key = id(self)
        _caches[key] = weakref.ref(self, lambda _: _caches.pop(key, None))
        self.read = 0  # units that had to be read, for tests
        self.is_probing = False  # while it is set, nothing is evicted

    def __len__(self) -> int:
        return len(self._facts) + len(self._layouts)

    def begin(self, base: Sequence[FilePart] = ()) -> None:
        """Begin another version, which uses the parts of a base; evict what the last versions did not use."""
        if self.is_probing:
            return
        self._version += 1
        self._layouts.update({id(part.layout.tree): (part.layout, self._version) for part in base})
        oldest = self._version - self.KEPT
        self._layouts = {key: row for key, row in self._layouts.items() if row[1] >= oldest}
        self._placed = {key: placed for key, placed in self._placed.items() if key in self._layouts}
        if len(self._facts) > self._most:
            for facts in self._recent:
                facts.version = self._version
            for layout, _ in self._layouts.values():
                for shape in layout.units:
                    if shape.facts is not None:
                        shape.facts.version = self._version
            self._facts = {key: facts for key, facts in self._facts.items() if facts.version == self._version}
            self._most = 2 * len(self._facts) + _RECENT

    def layout(self, part: ParsedPart, table: ScopeTable) -> Layout:
        """The layout of a part, computed once per tree."""
        layout, _ = self._layouts.get(id(part.tree), (None, 0))
        if layout is None or layout.tree is not part.tree:
            layout = layout_of(part, table)
        if not self.is_probing:
            self._layouts[id(part.tree)] = layout, self._version
        return layout

    def units_at(self, layout: Layout, first: int, inner: int) -> list[Unit]:
        """The units of a layout whose part begins at a byte; the same objects as long as it stays there.

        `inner`: the number of containers before its own, without the module.
        """
        placed = self._placed.get(id(layout.tree))
        if placed is not None and (placed.layout, placed.first, placed.inner) == (layout, first, inner):
            return placed.units
        units = [Unit.of_part(shape, first, inner, self) for shape in layout.units]
        self._placed[id(layout.tree)] = PlacedUnits(layout, first, inner, units)
        return units

    def read_facts(self, shape: UnitShape) -> Facts:
        """The facts of a unit, read if its text is new or has a syntax error."""
        key = shape.key()
        facts = self._facts.get(key)
        if facts is None or facts.errors:
            facts = self._facts[key] = self._walk(key, shape).finish()
            self._recent.append(facts)
            self._unfinished = None
            self.read += 1
            self._keep_base(key, facts)
        shape.facts, shape.base = facts, None
        return facts

    def _walk(self, key: FactsKey, shape: UnitShape) -> FactsWalk:
        """The walk over a unit; the interrupted walk if the text is the same and has no syntax error."""
        unfinished = self._unfinished
        if unfinished is not None and unfinished[0] == key and not shape.node.has_error:
            return unfinished[1]
        base, shared = None, len(key[2]) // 2  # of a base with less in common, hardly a statement can be copied
        for candidate in (self._bases.get(_head(key)), shape.base) if shape.header_end is None else ():
            same = common_prefix(candidate[0], key[2]) + common_suffix(candidate[0], key[2]) if candidate else 0
            if same > shared:
                base, shared = candidate, same
        walk = FactsWalk(shape.part, shape.node, shape.table, shape.kind, shape.header_end, base)
        self._unfinished = (key, walk) if not shape.node.has_error else None
        return walk

    def _keep_base(self, key: FactsKey, facts: Facts) -> None:
        """Keep the facts of a long unit for its next text."""
        if len(key[2]) >= _MIN_BASE and facts.statements:
            self._bases.pop(_head(key), None)
            self._bases[_head(key)] = key[2], facts
            if len(self._bases) > _MAX_BASES:
                del self._bases[next(iter(self._bases))]


def _head(key: FactsKey) -> tuple[str, bytes]:
    return key[0], key[2][:_HEAD].partition(b"\n")[0]


_caches: dict[int, weakref.ref[FactsCache]] = {}
_by_document: weakref.WeakValueDictionary[str, FactsCache] = weakref.WeakValueDictionary()


def document_facts(uri: str) -> FactsCache:
    """The cache that all who read a document share, as long as anybody holds it."""
    cache = _by_document.get(uri)
    if cache is None:
        cache = _by_document[uri] = FactsCache()
    return cache


def facts_kept() -> int:
    """The number of facts of units and layouts of parts in all caches. Thread-safe."""
    caches = (reference() for reference in list(_caches.values()))
    return sum(len(cache) for cache in caches if cache is not None)


def file_facts(syntax: SyntaxSnapshot, table: ScopeTable, cache: FactsCache, parts: Parts | None = None) -> FileFacts:
    """The facts of a file; of a large file at least those of the requested parts."""
    cache.begin()
    units, file_parts = list[Unit](), list[FilePart]()
    containers = [Container(ScopeKind.MODULE, -1, -1, 0, len(syntax.buffer.data), MODULE)]
    keys: list[ClassKey | None] = [None]
    for part in parsed_parts(syntax, parts):
        layout = cache.layout(part, table)
        heads, inner = len(units), len(containers) - 1  # the module is the container of all parts
        file_parts.append(FilePart(layout, part.first, heads, inner))
        for span in layout.containers:
            parent = span.parent + inner if span.parent else MODULE
            start, end, number = span.start + part.first, span.end + part.first, len(containers)
            containers.append(Container(ScopeKind.CLASS, parent, span.head + heads, start, end, number))
            keys.append(span.key)
        units += cache.units_at(layout, part.first, inner)
    joined = _join_parts(containers, keys) if table.classes.parts else containers
    return FileFacts(units, joined, syntax.buffer.data, file_parts)


def _join_parts(containers: list[Container], keys: list[ClassKey | None]) -> list[Container]:
    """The containers with `first` set to the first declaration of the same class.

    Classes that allow a single declaration, yet have several, stay apart.
    """
    rows = list(zip(containers, keys, strict=True))
    singles = Counter((container.parent, key) for container, key in rows if key and key.is_single)
    several = {(parent, key._replace(is_single=False)) for (parent, key), count in singles.items() if count > 1}
    firsts, joined = dict[tuple[int, ClassKey], int](), list[Container]()
    for number, (container, key) in enumerate(rows):
        common = key._replace(is_single=False) if key is not None else None
        if common is None or (container.parent, common) in several:
            joined.append(container)
            continue
        parent = joined[container.parent].first
        joined.append(container._replace(first=firsts.setdefault((parent, common), number)))
    return joined
