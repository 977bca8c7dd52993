"""Resolvers of the latest versions of documents."""

from __future__ import annotations

from dataclasses import dataclass

from editahead.analysis.facts.file_facts import FactsCache, document_facts
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.nodes import Parts, part_numbers, part_snapshots
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_VERSIONS = 4  # of a document: the current text, and texts with renamings reverted
MAX_NAMES = 4_000  # names of a document whose parts are kept; beyond, all are read again
MAX_READINGS = 8  # selections of parts of a document that are kept


@dataclass(slots=True)
class _Reading:
    """A version of which some parts were read, and the versions patched from it, by the id of their text."""

    syntax: SyntaxSnapshot
    resolver: Resolver
    versions: dict[int, Resolver]


@dataclass(slots=True)
class _Basis:
    """A version of a document whose names were read, and the version that was last patched from it.

    None of `names` occurs in `unread`.
    """

    syntax: SyntaxSnapshot
    resolver: Resolver
    names: frozenset[bytes]
    unread: list[SyntaxSnapshot]
    latest: tuple[SyntaxSnapshot, Resolver]

    def has_read(self, parts: Parts) -> bool:
        """Whether all parts of the version that hold the requested names were read."""
        new = parts.names - self.names
        if any(part.count(name) for part in self.unread for name in new):
            return False
        self.names |= new
        return True


class ResolverCache:
    """Resolvers by document. Not thread-safe."""

    def __init__(self) -> None:
        self._caches: dict[str, FactsCache] = {}
        self._readings: dict[str, dict[tuple[int, ...], _Reading]] = {}  # by the numbers of the parts
        self._texts: dict[str, list[bytes]] = {}  # recent texts, most recent last
        self._bases: dict[str, _Basis] = {}

    def of(self, uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        """The names of a text of a document, of a large file those of some parts; None without a scope table."""
        cache, readings = self._cache_of(uri), self._readings.setdefault(uri, {})
        numbers, text = part_numbers(syntax, parts), self._text_of(uri, syntax.buffer.data)
        reading = readings.pop(numbers, None)  # added again below as the most recent
        names = reading.versions.get(text) if reading is not None else None
        if reading is not None and names is None:
            names = reading.resolver.patched(reading.syntax, syntax, cache, of_parts=True)
        if reading is None or names is None:
            names = resolver_of(syntax, cache, parts, uri)
            if names is None:
                return None
            reading = _Reading(syntax, names, {})
        readings[numbers] = reading
        reading.versions[text] = names
        if len(readings) > MAX_READINGS:
            del readings[next(iter(readings))]
        return names

    def _text_of(self, uri: str, data: bytes) -> int:
        """The id of the stored copy of a text; only the most recent texts are stored."""
        texts = self._texts.setdefault(uri, [])
        number = next((number for number, text in enumerate(texts) if text == data), -1)
        texts.append(texts.pop(number) if number >= 0 else data)
        if len(texts) > MAX_VERSIONS:
            oldest = id(texts.pop(0))
            for reading in self._readings[uri].values():
                reading.versions.pop(oldest, None)
        return id(texts[-1])

    def current(self, uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        """As `of`, reusing an earlier version, perhaps with more parts than requested."""
        basis, data = self._bases.get(uri), syntax.buffer.data
        if basis is not None and basis.has_read(parts):
            if basis.latest[0].buffer.data == data:
                return basis.latest[1]
            resolver = basis.resolver.patched(basis.syntax, syntax, self._cache_of(uri))
            if resolver is not None:
                basis.latest = syntax, resolver
                return resolver
        names = parts.names | basis.names if basis is not None and len(basis.names) < MAX_NAMES else parts.names
        cache = self._cache_of(uri)
        resolver = resolver_of(syntax, cache, parts._replace(names=names), uri)
        if resolver is not None:
            read = {part.first for part in resolver.scopes.facts.parts}
            unread = [part for first, part in part_snapshots(syntax) if first not in read]
            self._bases[uri] = _Basis(syntax, resolver, names, unread, (syntax, resolver))
        return resolver

    def once(self, uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        """As `current`, for a text that is needed only now: it evicts no other text."""
        cache, basis = self._cache_of(uri), self._bases.get(uri)
        cache.is_probing = True
        try:
            patched = basis.resolver.patched(basis.syntax, syntax, cache) if basis is not None else None
            names = parts.names | basis.names if basis is not None else parts.names
            return patched or resolver_of(syntax, cache, parts._replace(names=names), uri)
        finally:
            cache.is_probing = False

    def _cache_of(self, uri: str) -> FactsCache:
        cache = self._caches.get(uri)
        if cache is None:
            cache = self._caches[uri] = document_facts(uri)
        return cache

    def forget(self, uri: str) -> None:
        """Drop everything about a closed document."""
        for rows in (self._caches, self._readings, self._texts, self._bases):
            rows.pop(uri, None)
