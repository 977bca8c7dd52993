"""The edits of a file by hunk."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit


def edits_by_hunk(before: bytes, edits: Sequence[ByteEdit]) -> list[list[int]]:
    """The numbers of the edits of a text, ordered by start, by hunk.

    Edits between which no whole line stays as it was are one hunk.
    """
    line_at = Buffer(before).line_at
    hunks: list[list[int]] = []
    last = -2
    for number, edit in enumerate(edits):
        if line_at(edit.start) - last > 1:
            hunks.append([])
        hunks[-1].append(number)
        last = line_at(edit.old_end)
    return hunks
