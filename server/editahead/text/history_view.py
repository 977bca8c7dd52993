"""What a history shows of itself: an immutable snapshot, with what others compute from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar, cast

from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import CoalescedEdit
from editahead.text.edits import apply_all

T = TypeVar("T")


class Folded(NamedTuple):
    """How far `HistoryView.fold` has come: the state after some edits of an anchor."""

    anchor: Buffer
    settled: tuple[CoalescedEdit, ...]
    state: object


@dataclass(frozen=True, slots=True)
class HistoryView:
    """An immutable snapshot of a history.

    `generation` changes when `anchor` does. Within a generation `settled` grows at its end, and loses
    edits from its end when the user undoes them: a cache compares edits, not their number.
    `derived` holds what `derive` computed, and `carried` what `fold` did, for later views.
    """

    anchor: Buffer
    settled: tuple[CoalescedEdit, ...]
    pending: CoalescedEdit | None
    generation: int
    undone_at: float | None = None  # seconds; when the last thing done was an undo
    undone: tuple[
        CoalescedEdit, ...
    ] = ()  # what redo would do, in this order; each in coordinates of the text before it
    derived: dict[str, tuple[bytes, object]] = field(default_factory=dict, compare=False, repr=False)
    carried: dict[str, Folded] = field(default_factory=dict, compare=False, repr=False)

    def derive(self, name: str, data: bytes, compute: Callable[[HistoryView, bytes], T]) -> T:
        """The result of `compute` for this history and the current text, cached for that text."""
        cached = self.derived.get(name)
        if cached is None or cached[0] is not data:
            cached = self.derived[name] = data, compute(self, data)
        return cast(T, cached[1])

    def fold(self, name: str, begin: T, step: Callable[[T, int], T]) -> T:
        """Fold `step` over the indices of the settled edits, from `begin`; continues the result of the last view.

        A state must not change once `step` has returned it, and must depend on the anchor and the edits alone.
        """
        cached = self.carried.get(name)
        if cached is None or cached.anchor is not self.anchor or cached.settled != self.settled[: len(cached.settled)]:
            cached = Folded(self.anchor, (), begin)
        state = cast(T, cached.state)
        for number in range(len(cached.settled), len(self.settled)):
            state = step(state, number)
        self.carried[name] = Folded(self.anchor, self.settled, state)
        return state

    @property
    def edits(self) -> tuple[CoalescedEdit, ...]:
        """The settled edits, then the pending edit if any."""
        return (*self.settled, self.pending) if self.pending else self.settled

    def current(self) -> bytes:
        """The current text."""
        return apply_all(self.anchor.data, [edit.edit for edit in self.edits])
