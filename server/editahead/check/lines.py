"""Edits of a file from a diff, line by line where the number of lines is unchanged.

A shortest difference of neighbouring lines may pair the ends of different lines: shorter, but not what was
done to each of them, and equal edits of two lines would not look equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, minimal_diff


@dataclass
class _Stretch:
    """A block of adjacent changed lines: the first and the last, before and after."""

    old: tuple[int, int]
    new: tuple[int, int]
    edits: list[ByteEdit] = field(default_factory=list)


def line_edits(old: Buffer, new: Buffer) -> list[ByteEdit]:
    """Return the edits that turn a text into another, in text order and in coordinates of `old`."""
    result: list[ByteEdit] = []
    for stretch in _stretches(old, new):
        result += _by_line(old, new, stretch) or stretch.edits
    return result


def _stretches(old: Buffer, new: Buffer) -> Iterator[_Stretch]:
    """Yield the blocks of adjacent changed lines."""
    shift = 0
    last: _Stretch | None = None
    for edit in sorted(minimal_diff(old.data, new.data), key=lambda edit: edit.start):
        was = old.line_at(edit.start), old.line_at(edit.old_end)
        now = new.line_at(edit.start + shift), new.line_at(edit.new_end + shift)
        shift += edit.delta
        if last is not None and was[0] <= last.old[1] + 1:
            last.old, last.new = (last.old[0], was[1]), (last.new[0], now[1])
        else:
            if last is not None:
                yield last
            last = _Stretch(was, now)
        last.edits.append(edit)
    if last is not None:
        yield last


def _by_line(old: Buffer, new: Buffer, stretch: _Stretch) -> Sequence[ByteEdit] | None:
    """The edits of each line by itself; None where lines came, went, or changed their ends, and for a single line."""
    numbers = range(stretch.old[0], stretch.old[1] + 1)
    if len(numbers) < 2 or len(numbers) != stretch.new[1] - stretch.new[0] + 1:
        return None
    result: list[ByteEdit] = []
    for number in numbers:
        there = stretch.new[0] + number - stretch.old[0]
        if number < numbers[-1] and _line_end(old, number) != _line_end(new, there):
            return None
        low = old.line_span(number)[0]
        parts = minimal_diff(old.line_bytes(number), new.line_bytes(there))
        moved = (ByteEdit(low + part.start, low + part.old_end, part.new) for part in parts)
        result += sorted(moved, key=lambda edit: edit.start)
    return result


def _line_end(buffer: Buffer, line: int) -> bytes:
    return buffer.data[buffer.line_span(line)[1] : int(buffer.line_starts[line + 1])]
