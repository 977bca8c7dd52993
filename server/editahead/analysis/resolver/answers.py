"""Answers that are asked for again and again, some of which depend on one another in a circle."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar, cast

Answer = TypeVar("Answer")
_MISSING = object()


class Answers(Generic[Answer]):
    """Answers by what is asked: each is found once.

    What depends on itself (`a = a.next()`) is None where it is asked for again, and then only the answer that was asked
    for first is kept: the others might be another one if they were asked for alone. Until that one is found they hold.
    Of what was cut short not even that one is kept.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Answer | None] = {}
        self._doubtful_ones: dict[Hashable, Answer | None] = {}
        self._open: set[Hashable] = set()
        self._doubtful = self._is_cut = False

    def doubt(self) -> None:
        """Say that what is being found might be another answer if it were asked for alone."""
        self._doubtful = bool(self._open)

    def cut(self) -> None:
        """Say that what is being found is not looked for any deeper."""
        self._doubtful = self._is_cut = bool(self._open)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Ask in here as if nothing else was being found."""
        kept = self._open, self._doubtful, self._is_cut, self._doubtful_ones
        self._open, self._doubtful, self._is_cut, self._doubtful_ones = set(), False, False, {}
        try:
            yield
        finally:
            self._open, self._doubtful, self._is_cut, self._doubtful_ones = kept

    def of(self, question: Hashable, find: Callable[[], Answer | None]) -> Answer | None:
        """The answer to a question, which `find` finds where it is not known."""
        known = self._known.get(question, _MISSING)
        if known is not _MISSING:
            return cast("Answer | None", known)
        if question in self._open or question in self._doubtful_ones:
            self.doubt()
            return self._doubtful_ones.get(question)
        self._open.add(question)
        try:
            found = find()
        finally:
            self._open.discard(question)
            if not self._open:
                self._doubtful_ones.clear()
        if not self._doubtful or (not self._open and not self._is_cut):
            self._known[question] = found
        elif self._open:
            self._doubtful_ones[question] = found
        self._doubtful, self._is_cut = self._doubtful and bool(self._open), self._is_cut and bool(self._open)
        return found
