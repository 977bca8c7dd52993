"""Resolvers of the latest versions of documents."""

from __future__ import annotations

from editahead.analysis.facts.file_facts import FactsCache
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.nodes import Parts, part_spans
from editahead.syntax.snapshot import SyntaxSnapshot

MAX_VERSIONS = 4  # of a document: the current text, and texts with renamings reverted
_Spans = tuple[tuple[int, int], ...] | None  # of the parts that were read


class ResolverCache:
    """ResolverCache by document. Not for two threads at a time."""

    def __init__(self) -> None:
        self._caches: dict[str, FactsCache] = {}
        self._resolvers: dict[str, list[tuple[bytes, _Spans, Resolver | None]]] = {}

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

    def once(self, uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        """As `of`, for a text that is needed once: it evicts no other."""
        cache = self._caches.setdefault(uri, FactsCache())
        cache.is_probing = True
        try:
            return resolver_of(syntax, cache, parts, uri)
        finally:
            cache.is_probing = False

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self._caches.pop(uri, None)
        self._resolvers.pop(uri, None)
