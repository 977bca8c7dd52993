"""Coalesced edits: consecutive edits at the same position, such as keystrokes, as a removal and an insertion.

All functions are pure; they need no text but the bytes in the coalesced edits themselves.
A view is an immutable snapshot of a history of such edits, with what others compute from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar, cast

from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, apply_all, minimal_diff

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CoalescedEdit:
    """A coalesced edit: `inserted` replaced `removed` at byte `start` of the text before; ended at `time` (seconds)."""

    start: int
    removed: bytes
    inserted: bytes
    time: float

    @property
    def edit(self) -> ByteEdit:
        """The edit in coordinates of the text before it."""
        return ByteEdit(self.start, self.start + len(self.removed), self.inserted)

    @property
    def inverse(self) -> ByteEdit:
        """The inverse edit, in coordinates of the text after this edit."""
        return ByteEdit(self.start, self.start + len(self.inserted), self.removed)

    @property
    def end(self) -> int:
        """The end of the inserted bytes, in the text after the edit."""
        return self.start + len(self.inserted)

    @property
    def old_end(self) -> int:
        """The end of the removed bytes, in the text before the edit."""
        return self.start + len(self.removed)

    @property
    def delta(self) -> int:
        """The number of bytes by which the text grows."""
        return len(self.inserted) - len(self.removed)

    @property
    def size(self) -> int:
        """The size of the edit in memory, in bytes."""
        return len(self.removed) + len(self.inserted)

    @property
    def is_noop(self) -> bool:
        """Whether the edit changes nothing."""
        return self.removed == self.inserted

    @property
    def is_blank(self) -> bool:
        """Whether the edit changes only white space."""
        return without_white_space(self.removed) == without_white_space(self.inserted)


def without_white_space(data: bytes) -> bytes:
    """Return `data` without white space."""
    return b"".join(data.split())


def to_coalesced_edit(edit: ByteEdit, data: bytes, time: float) -> CoalescedEdit:
    """Convert an edit of `data` to a coalesced edit."""
    return CoalescedEdit(edit.start, data[edit.start : edit.old_end], edit.new, time)


def merge_touching(first: CoalescedEdit, second: CoalescedEdit) -> CoalescedEdit | None:
    """Merge two edits; None where `second` (in coordinates after `first`) does not touch what `first` inserted."""
    if second.start > first.end or second.old_end < first.start:
        return None
    return CoalescedEdit(
        min(first.start, second.start),
        second.removed[: max(0, first.start - second.start)]
        + first.removed
        + second.removed[first.end - second.start :],
        first.inserted[: max(0, second.start - first.start)]
        + second.inserted
        + first.inserted[max(0, second.old_end - first.start) :],
        second.time,
    )


def merge_spanning(first: CoalescedEdit, second: CoalescedEdit, text: bytes) -> CoalescedEdit:
    """Merge two edits, with the bytes between them, which are taken from `text`, the text after `first`."""
    if second.start > first.end:
        gap = text[first.end : second.start]
        first = replace(first, removed=first.removed + gap, inserted=first.inserted + gap)
    elif second.old_end < first.start:
        gap = text[second.old_end : first.start]
        first = CoalescedEdit(second.old_end, gap + first.removed, gap + first.inserted, first.time)
    both = merge_touching(first, second)
    assert both is not None
    return both


def gap_between(first: CoalescedEdit, second: CoalescedEdit) -> int:
    """Return the number of unchanged bytes between two edits; `second` in coordinates after `first`."""
    return max(0, second.start - first.end, first.start - second.old_end)


def split(whole: CoalescedEdit) -> list[CoalescedEdit]:
    """Split a coalesced edit into its small changes, in text order, each in coordinates after the previous change."""
    parts: list[CoalescedEdit] = []
    grown = 0
    for edit in reversed(minimal_diff(whole.removed, whole.inserted)):
        removed = whole.removed[edit.start : edit.old_end]
        parts.append(CoalescedEdit(whole.start + edit.start + grown, removed, edit.new, whole.time))
        grown += edit.delta
    return parts


def trim(whole: CoalescedEdit) -> CoalescedEdit:
    """Trim the bytes at either end that the edit removes and inserts again."""
    edit = ByteEdit(0, len(whole.removed), whole.inserted).trim(whole.removed)
    return CoalescedEdit(whole.start + edit.start, whole.removed[edit.start : edit.old_end], edit.new, whole.time)


def reverted_text(data: bytes, edits: Sequence[CoalescedEdit]) -> bytes:
    """Return the text before the edits, from `data`, the text after them."""
    return apply_all(data, [edit.inverse for edit in reversed(edits)])


def text_before(data: bytes, edits: Sequence[CoalescedEdit], start: int, end: int, first: int = 0) -> bytes:
    """Return bytes [start, end) of the text before the edits from number `first` on; `data` is the text after them.

    Only these bytes are copied; `start` is at most the length of that text.
    """
    for number in range(first, len(edits)):
        edit = edits[number]
        if end <= edit.start:
            continue
        old_end = edit.start + len(edit.removed)
        if start >= old_end:
            start, end = start + edit.delta, end + edit.delta
            continue
        head = text_before(data, edits, start, edit.start, number + 1) if start < edit.start else b""
        gone = edit.removed[max(0, start - edit.start) : end - edit.start]
        tail = text_before(data, edits, old_end, end, number) if end > old_end else b""
        return head + gone + tail
    return data[start:end]


def rebase_before(edits: Sequence[CoalescedEdit], steps: Iterable[CoalescedEdit]) -> list[CoalescedEdit]:
    """Rebase edits as if `steps`, which came after them, had been applied to the text before them.

    A step that overlaps the insertion of an edit becomes part of that edit; all others move to the text before.
    """
    result = list(edits)
    for step in steps:
        for at in range(len(result) - 1, -1, -1):
            edit = result[at]
            if step.start >= edit.end:
                step = replace(step, start=step.start - edit.delta)
            elif step.old_end <= edit.start:
                result[at] = replace(edit, start=edit.start + step.delta)
            else:
                both = merge_touching(edit, step)
                assert both is not None
                result[at] = replace(both, time=edit.time)
                break
    return [edit for edit in result if not edit.is_noop]


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
