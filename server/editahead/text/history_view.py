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

    `generation` changes when `anchor` does. Within one generation `settled` grows at its end, and loses
    edits from its end when the user undoes them: a cache compares edits, not their number.
    `derived` holds what `derive` computed, and `carried` what `fold` did, for the views that come after this one.
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
        """What `compute` gives for this history and the current text, computed once for one text."""
        known = self.derived.get(name)
        if known is None or known[0] is not data:
            known = self.derived[name] = data, compute(self, data)
        return cast(T, known[1])

    def fold(self, name: str, begin: T, step: Callable[[T, int], T]) -> T:
        """What `step` makes of `begin` and each settled edit, given by its number, from where the last view ended.

        A state must not change once `step` has returned it, and must depend on the anchor and the edits alone.
        """
        known = self.carried.get(name)
        if known is None or known.anchor is not self.anchor or known.settled != self.settled[: len(known.settled)]:
            known = Folded(self.anchor, (), begin)
        state = cast(T, known.state)
        for number in range(len(known.settled), len(self.settled)):
            state = step(state, number)
        self.carried[name] = Folded(self.anchor, self.settled, state)
        return state

    @property
    def edits(self) -> tuple[CoalescedEdit, ...]:
        """The settled edits, then the pending one if there is one."""
        return (*self.settled, self.pending) if self.pending else self.settled

    def current(self) -> bytes:
        """The current text."""
        return apply_all(self.anchor.data, [edit.edit for edit in self.edits])
