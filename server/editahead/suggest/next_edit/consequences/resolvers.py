"""The names of the documents that were asked about last, kept while their texts stand."""

from __future__ import annotations

from editahead.analysis.resolver.file_facts import FactsCache
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.nodes import Parts, is_in_parts
from editahead.syntax.snapshot import SyntaxSnapshot

MOST = 4  # versions of one document: as it stands, and with some renamings taken back


class Resolvers:
    """Resolvers by document. Not for two threads at a time."""

    def __init__(self) -> None:
        self._caches: dict[str, FactsCache] = {}
        self._resolvers: dict[str, list[tuple[bytes, Parts | None, Resolver | None]]] = {}

    def of(self, uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        """The names of a text of a document, of a large one in some parts; None without a table of scopes."""
        rows, data = self._resolvers.setdefault(uri, []), syntax.buffer.data
        wanted = parts if is_in_parts(syntax) else None
        for number, (text, known_parts, known) in enumerate(rows):
            if known_parts == wanted and text == data:
                rows.insert(0, rows.pop(number))
                return known
        cache = self._caches.setdefault(uri, FactsCache())
        resolver = resolver_of(syntax, cache, wanted)
        rows.insert(0, (data, wanted, resolver))
        del rows[MOST:]
        return resolver

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self._caches.pop(uri, None)
        self._resolvers.pop(uri, None)
