"""What undo and redo go by: the notifications of a history, each with the states before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from editahead.text.coalesced_edits import CoalescedEdit, merge_touching


@dataclass(frozen=True, slots=True)
class HistoryState:
    """The coalesced edits at a point in time. `spread`: the pending edit covers several positions."""

    settled: tuple[CoalescedEdit, ...] = ()
    pending: CoalescedEdit | None = None
    spread: bool = False

    @property
    def edits(self) -> tuple[CoalescedEdit, ...]:
        """The settled edits, then the pending edit if there is one."""
        return (*self.settled, self.pending) if self.pending else self.settled


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """A notification as a single edit, with the states before (for undo) and after (for redo)."""

    edit: CoalescedEdit
    size: int  # bytes of the text before it
    before: HistoryState
    after: HistoryState


def is_same_change(first: CoalescedEdit, second: CoalescedEdit) -> bool:
    """Whether two edits change a text in the same way, at whatever time."""
    return (first.start, first.removed, first.inserted) == (second.start, second.removed, second.inserted)


def undo_depth(whole: CoalescedEdit, size: int, done: Sequence[HistoryStep]) -> int:
    """Return how many of the last notifications `whole`, after which the text has `size` bytes, exactly undoes."""
    if not done or len(done[-1].edit.inserted) > len(whole.removed):
        return 0  # typing after typing, the common case
    furthest = max((depth for depth, step in enumerate(reversed(done), 1) if step.size == size), default=0)
    combined: CoalescedEdit | None = None
    for depth, step in zip(range(1, furthest + 1), reversed(done), strict=False):
        combined = step.edit if combined is None else merge_touching(step.edit, combined)
        if combined is None or len(combined.inserted) > len(whole.removed):
            return 0  # further back only more was inserted
        if step.size == size and is_same_change(
            whole, CoalescedEdit(combined.start, combined.inserted, combined.removed, 0.0)
        ):
            return depth
    return 0
