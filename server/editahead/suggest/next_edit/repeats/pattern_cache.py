"""What the last question about repeated edits found in each text: while one file is typed in, the others stay."""

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


def _go_on() -> None:
    """Nobody ends the question."""


class PatternCache:
    """Answers about texts, kept from one question to the next and no longer. Not for two threads at a time.

    `check` is called again and again in the course of a question, and may raise to end it; what was found by then is
    kept for the next one.
    """

    def __init__(self) -> None:
        self.check: Callable[[], None] = _go_on
        self._last: dict[Hashable, tuple[object, object]] = {}
        self._now: dict[Hashable, tuple[object, object]] = {}
        self._complete = True
        self._resolvers = ResolverCache()

    def begin(self) -> None:
        """A new question: what the last one that came to its end did not use is forgotten."""
        self._last, self._now = (self._now if self._complete else {**self._last, **self._now}), {}
        self._complete = False

    def end(self) -> None:
        """The question has come to its end."""
        self._complete = True

    def forget(self) -> None:
        """Keep nothing."""
        self._last, self._now, self._resolvers = {}, {}, ResolverCache()

    def names(self, document: Document, words: frozenset[str], near: Sequence[int]) -> Resolver | None:
        """The names of a document, of a large one where some words stand, and at some bytes."""
        self.check()
        parts = Parts(frozenset(word.encode() for word in words), tuple(near))
        return self._resolvers.of(document.uri, document.syntax, parts)

    def matches(self, pattern: Pattern, buffer: Buffer, near: int, lines: Sequence[int]) -> list[Match]:
        """`find` in some lines of a text; `near` is a line."""

        def look() -> list[Match]:
            tabs, eol = style_of(buffer.data)
            return find_matches(pattern, buffer, near, tabs=tabs, eol=eol, lines=lines, check=self.check)

        return self._remembered((pattern.signature(), pattern.anchor, id(buffer), near, tuple(lines)), buffer, look)

    def errors(self, syntax: SyntaxSnapshot, edits: Sequence[ByteEdit]) -> int:
        """Syntax errors after some edits."""
        self.check()
        return self._remembered((tuple(edits), id(syntax)), syntax, lambda: syntax.errors_with(edits))

    def _remembered(self, key: Hashable, about: object, ask: Callable[[], T]) -> T:
        known = self._now.get(key) or self._last.get(key)
        if known is None or known[0] is not about:  # an id lives as long as what it names
            known = (about, ask())
        self._now[key] = known
        return cast(T, known[1])
