"""What is verified: edits of some files, applied together, and where the bytes of a text stand after them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.diff import common_prefix
from editahead.text.edits import ByteEdit
from editahead.text.words import WORD_BYTES

_WORD_BYTE = re.compile(rb"[$" + WORD_BYTES + rb"]")

_NEAR = 400  # bytes


class PositionMap:
    """Where bytes of a text stand after some edits of it, which are in text order and do not overlap."""

    def __init__(self, edits: Sequence[ByteEdit]) -> None:
        self.edits = edits
        self.removed = tuple((edit.start, edit.old_end) for edit in edits)
        self._starts = [edit.start for edit in edits]
        self._shifts = [0]
        for edit in edits:
            self._shifts.append(self._shifts[-1] + edit.delta)
        self.inserted = tuple(
            (edit.start + shift, edit.new_end + shift) for edit, shift in zip(edits, self._shifts[:-1], strict=True)
        )

    def after(self, start: int, end: int) -> int | None:
        """The first byte of [start, end) after the edits; None where an edit changes a byte of it."""
        number = bisect_right(self._starts, start)
        before = self.edits[number - 1] if number else None
        if before is not None and (before.old_end > start or (before.start == start < before.old_end)):
            return None
        if number < len(self.edits) and self.edits[number].start < end:
            return None
        return start + self._shifts[number]

    def is_inserted(self, start: int, end: int) -> bool:
        """Whether bytes of the text after the edits lie in what they inserted."""
        return self.insertion_at(start, end) >= 0

    def insertion_at(self, start: int, end: int) -> int:
        """The number of the edit that inserted a byte of [start, end) of the text after the edits; -1 for none."""
        number = bisect_right(self.inserted, (end, -1)) - 1
        low, high = self.inserted[number] if number >= 0 else (0, 0)
        return number if number >= 0 and low < end and start < high else -1

    def is_near(self, start: int, end: int) -> bool:
        """Whether bytes of the text after the edits lie within a line's length of what an edit inserted."""
        return any(low - _NEAR <= start and end <= high + _NEAR for low, high in self.inserted)

    def is_removed(self, start: int, end: int) -> bool:
        """Whether a byte of [start, end) of the text before the edits is taken away."""
        number = bisect_right(self.removed, (end, -1)) - 1
        return number >= 0 and self.removed[number][0] < end and start < self.removed[number][1]


def slide(data: bytes, edits: Sequence[ByteEdit]) -> tuple[ByteEdit, ...]:
    """The same change with each deletion as far down as its text allows: of `a, b = a` it may take the first `a`."""
    slid: list[ByteEdit] = []
    for number, edit in enumerate(edits):
        limit = edits[number + 1].start if number + 1 < len(edits) else len(data)
        limit = min(limit, edit.old_end + _NEAR)
        shift = 0 if edit.new else common_prefix(data[edit.start : limit], data[edit.old_end : limit])
        slid.append(ByteEdit(edit.start + shift, edit.old_end + shift, edit.new))
    return tuple(slid)


def whole_words(data: bytes, edit: ByteEdit) -> tuple[int, int]:
    """The bytes that an edit removes, extended to the whole words at both ends."""
    low, high = edit.start, edit.old_end
    touches_start = low == high or _WORD_BYTE.match(data, low)
    touches_end = low == high or _WORD_BYTE.match(data, high - 1)
    while touches_start and low and _WORD_BYTE.match(data, low - 1):
        low -= 1
    while touches_end and high < len(data) and _WORD_BYTE.match(data, high):
        high += 1
    return low, high


class SafetyRule(str, Enum):
    """The rules of verification, by the names under which refusals are counted."""

    SYNTAX = "syntax"
    TEXT = "text"
    BINDING = "binding"
    DELETION = "deletion"
    EXPORT = "export"


class Violation(NamedTuple):
    """Why a proposal is refused: the rule that it breaks, and what it would do, in words."""

    rule: SafetyRule
    detail: str


class FileEdits(NamedTuple):
    """Edits of the text of `syntax`, in text order; none overlaps another."""

    uri: str
    syntax: SyntaxSnapshot
    edits: tuple[ByteEdit, ...]


class UserChange(NamedTuple):
    """A change by the user: `inserted` stands at byte `start` of the text of `syntax` and replaced `removed`."""

    uri: str
    syntax: SyntaxSnapshot
    start: int
    removed: bytes
    inserted: bytes


IsUsedElsewhere = Callable[[str, str], "bool | None"]
"""Whether another file uses a name that the file of a URI declares or imports; None where nobody knows."""


def is_unknown(uri: str, name: str) -> bool | None:
    """Without knowledge of other files: declarations count as used there, imports do not."""
    return None


@dataclass(frozen=True, slots=True)
class ProposedEdits:
    """Edits that are verified together: a single edit, or all edits of a change.

    `changes`: what the user did, in any file. `is_used_elsewhere`: what other files use.
    """

    files: tuple[FileEdits, ...]
    changes: tuple[UserChange, ...] = ()
    is_used_elsewhere: IsUsedElsewhere = field(default=is_unknown)
