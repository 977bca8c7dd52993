"""Byte edits, the common representation of changes of a text.

An edit's offsets are bytes in the text before that edit. Texts are valid UTF-8, and edits start and end on
character boundaries; everything here keeps it so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from editahead.text.diff import changed_spans, common_prefix, common_suffix

_NOT_TEXT = "\ufffd"  # what a buffer holds instead of bytes that do not decode


@dataclass(frozen=True, slots=True)
class ByteEdit:
    """Replace `data[start:old_end]` by `new`. Raises ValueError unless 0 <= start <= old_end."""

    start: int
    old_end: int
    new: bytes

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.old_end:
            raise ValueError(f"not an edit: start {self.start}, old_end {self.old_end}")

    @property
    def new_end(self) -> int:
        """The end of the inserted bytes, in the text after the edit."""
        return self.start + len(self.new)

    @property
    def delta(self) -> int:
        """The number of bytes by which the text grows."""
        return self.start + len(self.new) - self.old_end

    def old_bytes(self, data: bytes) -> bytes:
        """Return the bytes that the edit removes from `data`."""
        return data[self.start : self.old_end]

    def new_text(self, data: bytes) -> str | None:
        """Return the new text; None where it, or what it replaces in `data`, stands for bytes that are not UTF-8."""
        text = self.new.decode()
        return None if _NOT_TEXT in text or _NOT_TEXT.encode() in self.old_bytes(data) else text

    def is_noop(self, data: bytes) -> bool:
        """Whether the edit changes nothing in `data`."""
        return self.old_end - self.start == len(self.new) and data[self.start : self.old_end] == self.new

    def inverse(self, data: bytes) -> ByteEdit:
        """Return the inverse edit; `data` is the text before this edit."""
        return ByteEdit(self.start, self.new_end, data[self.start : self.old_end])

    def apply(self, data: bytes) -> bytes:
        """Apply the edit to `data`, with a single copy. Raises ValueError when it reaches past the end."""
        if self.old_end > len(data):
            raise ValueError(f"an edit of bytes {self.start} to {self.old_end} in a text of {len(data)} bytes")
        view = memoryview(data)
        return b"".join((view[: self.start], self.new, view[self.old_end :]))

    def trim(self, data: bytes) -> ByteEdit:
        """Return the smallest edit with the same effect on `data`; a no-op becomes an empty edit at its end."""
        old, new = data[self.start : self.old_end], self.new
        head = common_prefix(old, new) if old[:1] == new[:1] else 0
        remaining = min(len(old), len(new)) - head
        tail = common_suffix(old, new, limit=remaining) if remaining and old[-1] == new[-1] else 0
        if not head and not tail:
            return self
        return ByteEdit(self.start + head, self.old_end - tail, self.new[head : len(self.new) - tail])


def apply_all(data: bytes, edits: Iterable[ByteEdit]) -> bytes:
    """Apply edits in order, each in coordinates of the text after the previous edit.

    Only the stretch that they touch is rebuilt each time, so that many small edits near each other are cheap
    in a large text. Raises ValueError when an edit reaches past the end.
    """
    todo = list(edits)
    return merge_all(data, todo).apply(data) if todo else data


def merge_all(data: bytes, edits: Sequence[ByteEdit]) -> ByteEdit:
    """Merge edits (a non-empty sequence, in order as for `apply_all`) into a single edit with the same effect.

    Raises ValueError when an edit reaches past the end.
    """
    low, high, grown = len(data), 0, 0  # the stretch; `high` in coordinates of the text so far
    for edit in edits:
        if edit.old_end > len(data) + grown:
            raise ValueError(f"an edit up to byte {edit.old_end} in a text of {len(data) + grown} bytes")
        low, high = min(low, edit.start), max(high, edit.old_end) + edit.delta
        grown += edit.delta
    part = data[low : high - grown]
    for edit in edits:
        part = ByteEdit(edit.start - low, edit.old_end - low, edit.new).apply(part)
    return ByteEdit(low, high - grown, part)


def is_overlapping(first: ByteEdit, second: ByteEdit) -> bool:
    """Whether two edits of the same text cannot both be applied: they overlap, or are equal."""
    return (first.start < second.old_end and second.start < first.old_end) or first == second


def apart(edits: Iterable[ByteEdit]) -> list[ByteEdit]:
    """The edits that overlap with no other, in text order; all are of the same text, and none is given twice."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.old_end))
    clashing = set[int]()
    furthest = 0  # the number of the edit that reaches furthest so far
    for number in range(1, len(ordered)):
        if is_overlapping(ordered[furthest], ordered[number]):
            clashing.update((furthest, number))
        if ordered[number].old_end > ordered[furthest].old_end:
            furthest = number
    return [edit for number, edit in enumerate(ordered) if number not in clashing]


def rebase(edit: ByteEdit, over: ByteEdit) -> ByteEdit | None:
    """Rebase `edit` so that it applies after `over`; both are in coordinates of the same text.

    None when the two overlap, or when they touch, both insert, and either removes nothing (text typed
    at the border of a change most likely belongs to it). The exception: when `over` typed a prefix of what
    `edit` inserts at the same position, the remainder is kept, and the final text is that of `edit` alone
    (an empty edit when all was typed).
    """
    if over.start == over.old_end and not over.new:
        return edit
    typed = over.new
    if typed and over.start == edit.start and over.old_end <= edit.old_end and edit.new.startswith(typed):
        return ByteEdit(over.new_end, edit.old_end + over.delta, edit.new[len(typed) :])
    inserts = edit.start == edit.old_end or over.start == over.old_end
    if inserts and edit.new and typed and edit.start <= over.old_end and over.start <= edit.old_end:
        return None
    if edit.old_end <= over.start:
        return edit
    if over.old_end <= edit.start:
        return ByteEdit(edit.start + over.delta, edit.old_end + over.delta, edit.new)
    return None


def minimal_diff(old: bytes, new: bytes) -> list[ByteEdit]:
    """Return a few small edits that turn `old` into `new`: none when they are equal.

    Offsets are bytes of `old`; the edits do not overlap and come last first, so that `apply_all` may run them
    in order. No edit splits a UTF-8 character. The cost is bounded: where lines differ too much to be
    matched, the whole stretch is replaced.
    """
    spans = changed_spans(old, new)
    return [ByteEdit(a, b, new[c:d]) for a, b, c, d in reversed(spans)]


def lines_around(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return where the lines start and end that these bytes stand in, without the last line end."""
    last = data.find(b"\n", end)
    return data.rfind(b"\n", 0, start) + 1, len(data) if last < 0 else last
