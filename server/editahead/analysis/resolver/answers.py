"""Answers that are asked for again and again, some of which depend on one another in a circle."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Answers(Generic[Answer]):
    """Answers by what is asked: each is found once.

    What depends on itself (`a = a.next()`) is None where it is asked for again, and then only the answer that was asked
    for first is kept: the others might be another one if they were asked for alone.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Answer | None] = {}
        self._open: set[Hashable] = set()
        self._doubtful = False

    def doubt(self) -> None:
        """Say that what is being found might be another answer if it were asked for alone."""
        self._doubtful = bool(self._open)

    def of(self, question: Hashable, find: Callable[[], Answer | None]) -> Answer | None:
        """The answer to a question, which `find` finds where it is not known."""
        if question in self._known:
            return self._known[question]
        if question in self._open:
            self.doubt()
            return None
        self._open.add(question)
        try:
            found = find()
        finally:
            self._open.discard(question)
        if not self._open or not self._doubtful:
            self._known[question] = found
        self._doubtful = self._doubtful and bool(self._open)
        return found
