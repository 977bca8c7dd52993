"""Bursts: what a stretch of typing took away and put in, and how two of them become one.

All functions are pure; they need no text but the bytes that the bursts themselves carry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from editahead.text.edits import ByteEdit, apply_all, minimal_diff


@dataclass(frozen=True, slots=True)
class CoalescedEdit:
    """`inserted` replaced `removed` at byte `start` of the text before it; it ended at `time` (seconds)."""

    start: int
    removed: bytes
    inserted: bytes
    time: float

    @property
    def edit(self) -> ByteEdit:
        """The burst as an edit of the text before it."""
        return ByteEdit(self.start, self.start + len(self.removed), self.inserted)

    @property
    def inverse(self) -> ByteEdit:
        """The edit that takes the burst back, in coordinates of the text after it."""
        return ByteEdit(self.start, self.start + len(self.inserted), self.removed)

    @property
    def end(self) -> int:
        """Where the inserted bytes end, in the text after the burst."""
        return self.start + len(self.inserted)

    @property
    def old_end(self) -> int:
        """Where the removed bytes end, in the text before the burst."""
        return self.start + len(self.removed)

    @property
    def delta(self) -> int:
        """By how many bytes the text grows."""
        return len(self.inserted) - len(self.removed)

    @property
    def size(self) -> int:
        """The bytes that the burst keeps in memory."""
        return len(self.removed) + len(self.inserted)

    @property
    def is_noop(self) -> bool:
        """Whether it leaves the text as it was."""
        return self.removed == self.inserted

    @property
    def is_blank(self) -> bool:
        """Whether only white space differs before and after it."""
        return squeezed(self.removed) == squeezed(self.inserted)


def squeezed(data: bytes) -> bytes:
    """`data` without any white space."""
    return b"".join(data.split())


def burst_of(edit: ByteEdit, data: bytes, time: float) -> CoalescedEdit:
    """The burst that an edit of `data` is."""
    return CoalescedEdit(edit.start, data[edit.start : edit.old_end], edit.new, time)


def joined(first: CoalescedEdit, second: CoalescedEdit) -> CoalescedEdit | None:
    """Both as one; None where `second` (in coordinates after `first`) does not touch what `first` wrote."""
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


def spanned(first: CoalescedEdit, second: CoalescedEdit, text: bytes) -> CoalescedEdit:
    """Both as one wherever they are; `text` is the one after `first`, where the bytes between them are."""
    if second.start > first.end:
        gap = text[first.end : second.start]
        first = replace(first, removed=first.removed + gap, inserted=first.inserted + gap)
    elif second.old_end < first.start:
        gap = text[second.old_end : first.start]
        first = CoalescedEdit(second.old_end, gap + first.removed, gap + first.inserted, first.time)
    both = joined(first, second)
    assert both is not None
    return both


def gap_between(first: CoalescedEdit, second: CoalescedEdit) -> int:
    """How many untouched bytes lie between the two; `second` in coordinates after `first`."""
    return max(0, second.start - first.end, first.start - second.old_end)


def split(burst: CoalescedEdit) -> list[CoalescedEdit]:
    """The small changes in a burst, first place first, each in coordinates after the one before."""
    parts: list[CoalescedEdit] = []
    grown = 0
    for edit in reversed(minimal_diff(burst.removed, burst.inserted)):
        removed = burst.removed[edit.start : edit.old_end]
        parts.append(CoalescedEdit(burst.start + edit.start + grown, removed, edit.new, burst.time))
        grown += edit.delta
    return parts


def trimmed(burst: CoalescedEdit) -> CoalescedEdit:
    """The burst without the bytes that it removes only to insert them again at either end."""
    edit = ByteEdit(0, len(burst.removed), burst.inserted).trimmed(burst.removed)
    return CoalescedEdit(burst.start + edit.start, burst.removed[edit.start : edit.old_end], edit.new, burst.time)


def taken_back(data: bytes, bursts: Sequence[CoalescedEdit]) -> bytes:
    """The text before the bursts, from `data`, the text after them."""
    return apply_all(data, [burst.inverse for burst in reversed(bursts)])


def absorbed(bursts: Sequence[CoalescedEdit], steps: Iterable[CoalescedEdit]) -> list[CoalescedEdit]:
    """The edits as they would read, had `steps` been done to the text before them all.

    The `steps` came after them.

    A step that overlaps what a burst wrote becomes part of that burst; every other one moves to the text
    before.
    """
    result = list(bursts)
    for step in steps:
        for at in range(len(result) - 1, -1, -1):
            burst = result[at]
            if step.start >= burst.end:
                step = replace(step, start=step.start - burst.delta)
            elif step.old_end <= burst.start:
                result[at] = replace(burst, start=burst.start + step.delta)
            else:
                both = joined(burst, step)
                assert both is not None
                result[at] = replace(both, time=burst.time)
                break
    return [burst for burst in result if not burst.is_noop]
