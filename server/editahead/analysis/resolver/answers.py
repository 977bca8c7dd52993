"""A memo of answers that may depend on one another in a circle."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar, cast

Answer = TypeVar("Answer")
_MISSING = object()


class Answers(Generic[Answer]):
    """Answers by question, each computed once.

    A question that recurs while its own answer is computed (`a = a.next()`) gives None. What was computed from that
    None is provisional: it holds until the outermost question is answered, of which the answer is stored. An answer
    that was cut off at a depth limit is not stored.
    """

    def __init__(self) -> None:
        self._answers: dict[Hashable, Answer | None] = {}
        self._provisional: dict[Hashable, Answer | None] = {}
        self._open: set[Hashable] = set()
        self._is_provisional = self._is_cut_off = False

    def mark_provisional(self) -> None:
        """Note that the answer being computed might differ if its question were the outermost."""
        self._is_provisional = bool(self._open)

    def mark_cut_off(self) -> None:
        """Note that the answer being computed is cut off at a depth limit."""
        self._is_provisional = self._is_cut_off = bool(self._open)

    @contextmanager
    def isolate(self) -> Iterator[None]:
        """Answer questions in this context as if no other were open."""
        state = self._open, self._is_provisional, self._is_cut_off, self._provisional
        self._open, self._is_provisional, self._is_cut_off, self._provisional = set(), False, False, {}
        try:
            yield
        finally:
            self._open, self._is_provisional, self._is_cut_off, self._provisional = state

    def get(self, question: Hashable, compute: Callable[[], Answer | None]) -> Answer | None:
        """The stored answer to a question, else that of `compute`."""
        stored = self._answers.get(question, _MISSING)
        if stored is not _MISSING:
            return cast("Answer | None", stored)
        if question in self._open or question in self._provisional:
            self.mark_provisional()
            return self._provisional.get(question)
        self._open.add(question)
        try:
            answer = compute()
        finally:
            self._open.discard(question)
            if not self._open:
                self._provisional.clear()
        if not self._is_provisional or (not self._open and not self._is_cut_off):
            self._answers[question] = answer
        elif self._open:
            self._provisional[question] = answer
        self._is_provisional = self._is_provisional and bool(self._open)
        self._is_cut_off = self._is_cut_off and bool(self._open)
        return answer
