"""Cached results of the last request for repeated edits, by text: only the edited file is searched again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar, cast

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.patterns.matching import Match, find_matches
from editahead.patterns.pattern import Pattern
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import style_of

T = TypeVar("T")


def _continue() -> None:
    """Never end a request."""


class PatternCache:
    """Results about texts, kept from a request to the next only. Not thread-safe.

    `check` is called repeatedly during a request, and may raise to end it; results so far are kept for the next.
    """

    def __init__(self) -> None:
        self.check: Callable[[], None] = _continue
        self._last: dict[Hashable, tuple[object, object]] = {}
        self._current: dict[Hashable, tuple[object, object]] = {}
        self._is_complete = True
        self._resolvers = ResolverCache()

    def begin(self) -> None:
        """Begin a request; drop what the last completed request did not use."""
        self._last, self._current = (self._current if self._is_complete else {**self._last, **self._current}), {}
        self._is_complete = False

    def end(self) -> None:
        """Complete the request."""
        self._is_complete = True

    def forget(self) -> None:
        """Drop all results."""
        self._last, self._current, self._resolvers = {}, {}, ResolverCache()

    def names(self, document: Document, words: frozenset[str], near: Sequence[int]) -> Resolver | None:
        """The names of a document, of a large document in the parts with some words or bytes."""
        self.check()
        parts = Parts(frozenset(word.encode() for word in words), tuple(near))
        return self._resolvers.of(document.uri, document.syntax, parts)

    def matches(self, pattern: Pattern, buffer: Buffer, near: int, lines: Sequence[int]) -> list[Match]:
        """The matches of a pattern in some lines of a text, those near a line first."""

        def find() -> list[Match]:
            tabs, eol = style_of(buffer.data)
            return find_matches(pattern, buffer, near, tabs=tabs, eol=eol, lines=lines, check=self.check)

        return self._get((pattern.signature(), pattern.anchor, id(buffer), near, tuple(lines)), buffer, find)

    def errors(self, syntax: SyntaxSnapshot, edits: Sequence[ByteEdit]) -> int:
        """The number of syntax errors after some edits."""
        self.check()
        return self._get((tuple(edits), id(syntax)), syntax, lambda: syntax.errors_with(edits))

    def _get(self, key: Hashable, owner: object, compute: Callable[[], T]) -> T:
        """The cached result of a key with the id of an owner, else that of `compute`."""
        row = self._current.get(key) or self._last.get(key)
        if row is None or row[0] is not owner:  # the id may have been reused
            row = (owner, compute())
        self._current[key] = row
        return cast(T, row[1])
