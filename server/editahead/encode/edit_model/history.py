"""The history of a document as hunks between an anchor text and the current text.

A hunk says which lines became which; that touched last comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import overload

from editahead.encode.edit_model.sequences import HunkEdit, hunk_edits
from editahead.encode.edit_model.tokens import EditToken, indent_of, line_keys
from editahead.encode.edit_model.window import Window
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import CoalescedEdit, HistoryView
from editahead.text.diff import common_ends
from editahead.text.edits import ByteEdit


@dataclass(frozen=True, slots=True)
class LineRegion:
    """A changed region: anchor lines [a0, a1) are now lines [c0, c1); `turn` orders regions by their last edit."""

    a0: int
    a1: int
    c0: int
    c1: int
    turn: int

    @property
    def shift(self) -> int:
        """The number of lines by which the text below it moved."""
        return (self.c1 - self.c0) - (self.a1 - self.a0)


def apply_edit(
    regions: Sequence[LineRegion], buffer: Buffer, edit: ByteEdit, turn: int
) -> tuple[list[LineRegion], Buffer]:
    """Return the regions (in text order) and the text after a further edit; adjacent regions are merged."""
    after = buffer.apply(edit)
    first, last = buffer.line_at(edit.start), buffer.line_at(edit.old_end) + 1
    count = after.line_at(edit.new_end) - first + 1
    return _touch(regions, first, last, count - (last - first), turn), after


def _touch(regions: Sequence[LineRegion], first: int, last: int, grown: int, turn: int) -> list[LineRegion]:
    """Update the regions for a change of the current lines [first, last), which adds `grown` lines."""
    before = [region for region in regions if region.c1 < first]
    merge_regions = [region for region in regions if region.c1 >= first and region.c0 <= last]
    behind = [region for region in regions if region.c0 > last]
    shift = sum(region.shift for region in before)
    a0, c0 = first - shift, first
    if merge_regions and merge_regions[0].c0 < first:
        a0, c0 = merge_regions[0].a0, merge_regions[0].c0
    total = shift + sum(region.shift for region in merge_regions)
    a1, c1 = last - total, last
    if merge_regions and merge_regions[-1].c1 > last:
        a1, c1 = merge_regions[-1].a1, merge_regions[-1].c1
    moved = [replace(region, c0=region.c0 + grown, c1=region.c1 + grown) for region in behind]
    return [*before, LineRegion(a0, a1, c0, c1 + grown, turn), *moved]


def trim(region: LineRegion, anchor: Sequence[str], current: Sequence[str]) -> LineRegion | None:
    """Trim equal lines at the ends of a region with the lines `current`; None when nothing differs."""
    old, new = list(anchor[region.a0 : region.a1]), list(current)
    head, tail = common_ends(old, new)
    if head == len(old) == len(new):
        return None
    return LineRegion(region.a0 + head, region.a1 - tail, region.c0 + head, region.c1 - tail, region.turn)


def merge_regions(regions: Iterable[LineRegion]) -> list[LineRegion]:
    """Merge trimmed regions (in text order) without an equal line between them, as in the hunks of a line diff."""
    result: list[LineRegion] = []
    for region in regions:
        last = result[-1] if result else None
        if last is not None and last.a1 >= region.a0:
            result[-1] = LineRegion(last.a0, region.a1, last.c0, region.c1, max(last.turn, region.turn))
        else:
            result.append(region)
    return result


def region_lines(buffer: Buffer, first: int, last: int) -> list[str]:
    """Return lines [first, last) of a buffer as text, without their ends."""
    lines: list[str] = []
    for line in range(first, last):
        start, end = buffer.line_span(line)
        lines.append(buffer.data[start:end].decode("utf-8", "replace"))
    return lines


class BufferLines(Sequence[str]):
    """The lines of a buffer as text, without their ends; decoded on demand."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer

    def __len__(self) -> int:
        return self._buffer.line_count

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, int):
            return self._buffer.line_text(at)
        first, last, step = at.indices(len(self))
        return region_lines(self._buffer, first, last)[::step]


def region_edits(
    region: LineRegion, anchor: Sequence[str], current: Sequence[str], before: int, window: Window
) -> list[HunkEdit] | None:
    """Return the token edits of a trimmed region.

    `current` holds its new lines, `before` the indentation above them in the current text.

    None when the region is not inside the window.
    """
    span = window.span(region.a0, region.a1)
    if span is None:
        return None
    old: list[EditToken] = list(window.keys[span[0] : span[1]])
    lines = [" " * before + "x", *current]
    new = [key for line in line_keys(lines, 1, len(lines)) for key in line]
    return hunk_edits(old, new, span[0])


def indent_above(buffer: Buffer, line: int) -> int:
    """Return the indentation (columns) of the nearest visible line above `line`."""
    for number in range(line - 1, max(-1, line - 200), -1):
        indent = indent_of(region_lines(buffer, number, number + 1)[0])
        if indent >= 0:
            return indent
    return 0


class RegionTracker:
    """The changed regions of a document: each settled edit is applied only once. Not thread-safe."""

    def __init__(self) -> None:
        self._anchor: Buffer | None = None
        self._settled: tuple[CoalescedEdit, ...] = ()
        self._regions: list[LineRegion] = []
        self._buffer = Buffer(b"")

    def missing(self, view: HistoryView) -> int:
        """How many edits `track` would have to apply."""
        return len(view.edits) - (len(self._settled) if self._is_continued_by(view) else 0)

    def track(self, view: HistoryView, check: Callable[[], None] | None = None) -> tuple[list[LineRegion], Buffer]:
        """The changed regions in text order and the resulting text, after all edits of a history.

        `check` is called before each edit, and may raise; what was done by then is kept.
        """
        if not self._is_continued_by(view):
            self._anchor, self._settled, self._regions, self._buffer = view.anchor, (), [], view.anchor
        for turn in range(len(self._settled), len(view.settled)):
            if check is not None:
                check()
            edit = view.settled[turn].edit
            self._regions, self._buffer = apply_edit(self._regions, self._buffer, edit, turn)
            self._settled = view.settled[: turn + 1]
        if view.pending is None:
            return self._regions, self._buffer
        return apply_edit(self._regions, self._buffer, view.pending.edit, len(view.settled))

    def _is_continued_by(self, view: HistoryView) -> bool:
        done = self._settled
        return self._anchor is view.anchor and len(done) <= len(view.settled) and view.settled[: len(done)] == done
