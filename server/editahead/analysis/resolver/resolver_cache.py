"""Resolvers of the latest versions of documents."""

from __future__ import annotations

from dataclasses import dataclass

from editahead.analysis.facts.file_facts import FactsCache
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.nodes import Parts, other_parts, part_spans
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_VERSIONS = 4  # of a document: the current text, and texts with renamings reverted
MAX_NAMES = 4_000
"""Names of a document whose parts are kept; with more, the oldest are read again."""
_Spans = tuple[tuple[int, int], ...] | None  # of the parts that were read


@dataclass(slots=True)
class _Basis:
    """A version of a document whose names were read, and the version that was resolved by it last.

    None of `names` stands in `unread`.
    """

    syntax: SyntaxSnapshot
    resolver: Resolver
    names: frozenset[bytes]
    unread: list[SyntaxSnapshot]
    latest: tuple[SyntaxSnapshot, Resolver]

    def has_read(self, parts: Parts) -> bool:
        """Whether what some parts of the version hold was read."""
        new = parts.names - self.names
        if any(part.count(name) for part in self.unread for name in new):
            return False
        self.names |= new
        return True


class ResolverCache:
    """Resolvers by document. Not for two threads at a time."""

    def __init__(self) -> None:
        self._caches: dict[str, FactsCache] = {}
        self._resolvers: dict[str, list[tuple[bytes, _Spans, Resolver | None]]] = {}
        self._bases: dict[str, _Basis] = {}

    def of(self, uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        """The names of a text of a document, in a large file of some parts; None without a table of scopes."""
        rows, data = self._resolvers.setdefault(uri, []), syntax.buffer.data
        spans = part_spans(syntax, parts)  # different questions may be about the same parts
        for number, (text, cached_spans, cached) in enumerate(rows):
            if cached_spans == spans and text == data:
                rows.insert(0, rows.pop(number))
                return cached
        cache = self._caches.setdefault(uri, FactsCache())
        resolver = resolver_of(syntax, cache, parts if spans is not None else None, uri)
        rows.insert(0, (data, spans, resolver))
        del rows[MAX_VERSIONS:]
        return resolver

    def current(self, uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        """As `of`, by what was read of an earlier version, perhaps with more parts than requested."""
        basis, data = self._bases.get(uri), syntax.buffer.data
        if basis is not None and basis.has_read(parts):
            if basis.latest[0].buffer.data == data:
                return basis.latest[1]
            resolver = basis.resolver.patched(basis.syntax, syntax, self._caches.setdefault(uri, FactsCache()))
            if resolver is not None:
                basis.latest = syntax, resolver
                return resolver
        names = parts.names | basis.names if basis is not None and len(basis.names) < MAX_NAMES else parts.names
        cache = self._caches.setdefault(uri, FactsCache())
        resolver = resolver_of(syntax, cache, parts._replace(names=names), uri)
        if resolver is not None:
            unread = other_parts(syntax, {part.first for part in resolver.scopes.facts.parts})
            self._bases[uri] = _Basis(syntax, resolver, names, unread, (syntax, resolver))
        return resolver

    def once(self, uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        """As `current`, for a text that is needed once: it evicts no other."""
        cache, basis = self._caches.setdefault(uri, FactsCache()), self._bases.get(uri)
        cache.is_probing = True
        try:
            patched = basis.resolver.patched(basis.syntax, syntax, cache) if basis is not None else None
            names = parts.names | basis.names if basis is not None else parts.names
            return patched or resolver_of(syntax, cache, parts._replace(names=names), uri)
        finally:
            cache.is_probing = False

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        for rows in (self._caches, self._resolvers, self._bases):
            rows.pop(uri, None)
