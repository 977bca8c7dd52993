"""The names of the documents that were asked about last, kept while their texts stand."""

from __future__ import annotations

from editahead.analysis.resolver.file_facts import FactsCache
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.snapshot import SyntaxSnapshot

MOST = 4  # versions of one document: as it stands, and with some renamings taken back


class Resolvers:
    """Resolvers by document. Not for two threads at a time."""

    def __init__(self) -> None:
        self._caches: dict[str, FactsCache] = {}
        self._made: dict[str, list[tuple[bytes, tuple[str, str], Resolver | None]]] = {}

    def of(self, uri: str, syntax: SyntaxSnapshot, old: str, new: str) -> Resolver | None:
        """The names of a text of a document, in which two of them are asked about; None without a table of scopes."""
        rows = self._made.setdefault(uri, [])
        data = syntax.buffer.data
        for number, (text, names, known) in enumerate(rows):
            if names == (old, new) and text == data:
                rows.insert(0, rows.pop(number))
                return known
        cache = self._caches.setdefault(uri, FactsCache())
        made = resolver_of(syntax, cache, frozenset({old.encode(), new.encode()}))
        rows.insert(0, (data, (old, new), made))
        del rows[MOST:]
        return made

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self._caches.pop(uri, None)
        self._made.pop(uri, None)
