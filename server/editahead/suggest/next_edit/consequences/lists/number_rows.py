"""Rows of lines that are built alike and count upwards: what becomes of the later ones when one came, went or changed.

Lines are built alike if they differ in words and texts alone. Lines of other kinds may stand between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from editahead.patterns.changes import NetChange
from editahead.suggest.next_edit.consequences.lists.line_changes import indent_of, line_change
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

MAX_LINES, MAX_GAP, LONGEST = 200, 12, 200
"""Lines that a row is looked for in, lines between two of its numbers, and characters of one."""
_PIECE = re.compile(r"\"[^\"]*\"|'[^']*'|[^\W\d]\w*|[0-9]+(?:\.[0-9]+)*|\S")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,5}")
_HEADING = re.compile(r"\s*((?:#|//|\*|--)\s*(?:[Ss]tep |[Pp]art |[Pp]hase )?)([0-9]{1,4})([.):])")


class LineNumbers(NamedTuple):
    """The numbers of a line with their columns and lengths, and how the line is built without them."""

    shape: str
    values: tuple[tuple[int, int, int], ...]  # value, column, length


class ShiftedRow(NamedTuple):
    """The edits of the later lines, in order, and what happened: added, removed or changed."""

    shape: str
    kind: str
    edits: tuple[ByteEdit, ...]


def numbers_of(line: str) -> LineNumbers | None:
    """The numbers of a line; None where it has none, or is too long. Of a comment only a number that it begins with."""
    if len(line) > LONGEST:
        return None
    heading = _HEADING.match(line)
    if heading is not None:
        sign, number, stop = heading.groups()
        return LineNumbers(f"{indent_of(line)} {sign}N{stop}", ((int(number), heading.start(2), len(number)),))
    if line.lstrip().startswith(("#", "//", "*", "--")):
        return None
    shape, values = list[str](), list[tuple[int, int, int]]()
    for found in _PIECE.finditer(line.rstrip().rstrip(",")):
        text = found.group()
        if _NUMBER.fullmatch(text):
            values.append((int(text), found.start(), len(text)))
            text = "N"
        elif text[0].isdigit():
            text = "F"
        elif text[0] in "\"'":
            text = "S"
        elif text[0].isalpha() or text[0] == "_":
            text = "W"
        shape.append(text)
    return LineNumbers(f"{indent_of(line)} {' '.join(shape)}", tuple(values)) if values else None


def shifted_row(buffer: Buffer, change: NetChange) -> ShiftedRow | None:
    """What becomes of the lines behind a changed one that count on from it; None where they do not."""
    lines = line_change(buffer, change)
    if lines is None or max(len(lines.gone), len(lines.come)) > 3:
        return None
    gone, come = (tuple(one for line in some if (one := numbers_of(line))) for some in (lines.gone, lines.come))
    behind = lines.first + len(lines.come)
    if len(come) == 1 and not gone:
        kind, new, old = "added", come[0], None
    elif len(gone) == 1 and not come:
        kind, new, old = "removed", None, gone[0]
    elif len(gone) == len(come) == 1 and gone[0].shape == come[0].shape and len(lines.gone) == len(lines.come):
        kind, new, old = "changed", come[0], gone[0]
    elif len(come) == 2 and len(gone) == 1:  # a line was put before or behind one that looks changed by it
        kind, new, old = "added", come[-1], None
    else:
        return None
    like = new or old
    assert like is not None
    for slot in range(len(like.values)):
        above = next(_alike(buffer, like, slot, range(lines.first - 1, -1, -1)), None)
        if kind == "added" and len(come) == 2:
            above = (come[0].values[slot][0], 0, 0) if come[0].shape == like.shape else None
        below = list(_alike(buffer, like, slot, range(behind, buffer.line_count)))
        by = _shift(kind, above[0] if above else None, old, new, slot, [one[0] for one in below])
        if by:
            return ShiftedRow(like.shape, kind, tuple(_edits(below, by)))
    return None


def _shift(
    kind: str, above: int | None, old: LineNumbers | None, new: LineNumbers | None, slot: int, below: list[int]
) -> int:
    """By how much the numbers below change; 0 where they do not count on."""
    was = old.values[slot][0] if old is not None else None
    now = new.values[slot][0] if new is not None else None
    if not below or not _counts(below) or (above is None and len(below) < 2):
        return 0
    if kind == "added" and now is not None:
        return 1 if below[0] == now and above in (None, now - 1) else 0
    if kind == "removed" and was is not None:
        return -1 if below[0] == was + 1 and above in (None, was - 1) else 0
    if was is None or now != was + 1:
        return 0
    return 1 if below[0] == now and above in (was - 1, was) else 0


def _counts(values: list[int]) -> bool:
    """Whether the first two numbers follow one another, or there is one alone."""
    return len(values) == 1 or values[1] == values[0] + 1


def _alike(buffer: Buffer, like: LineNumbers, slot: int, numbers: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Value, byte and length of the number in each line that is built alike, up to the first gap that is too long."""
    gap = 0
    indent = int(like.shape.split(" ", 1)[0])
    for count, number in enumerate(numbers):
        start, end = buffer.line_span(number)
        if gap > MAX_GAP or count > MAX_LINES or end - start > 4 * LONGEST:
            return
        text = buffer.data[start:end].decode("utf-8", "replace")
        if text.strip() and indent_of(text) < indent:
            return
        found = numbers_of(text)
        if found is None or found.shape != like.shape:
            gap += 1
            continue
        gap = 0
        value, column, length = found.values[slot]
        yield value, start + len(text[:column].encode()), length


def _edits(below: list[tuple[int, int, int]], by: int) -> Iterator[ByteEdit]:
    """The numbers that count on without a gap, shifted; zeros before them stay."""
    last: int | None = None
    for value, at, length in below:
        if last is not None and value != last + 1:
            return
        last = value
        padded = length if length > len(str(value)) else 0
        yield ByteEdit(at, at + length, str(value + by).zfill(padded).encode())
