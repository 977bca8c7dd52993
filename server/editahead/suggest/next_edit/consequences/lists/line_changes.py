"""Changes as whole lines, wherever in them they were typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from editahead.patterns.changes import NetChange
from editahead.text.buffer import Buffer
from editahead.text.diff import common_ends

LONGEST = 200
"""Characters of a line."""
MAX_LINES = 8
"""Lines of a change."""


class LineChange(NamedTuple):
    """Whole lines that a change took away and put in, from line `first` on."""

    first: int
    gone: tuple[str, ...]
    come: tuple[str, ...]


def line_change(buffer: Buffer, change: NetChange) -> LineChange | None:
    """A change as whole lines; a comma at the end of a line makes no other line of it.

    None for a change of more than MAX_LINES lines.
    """
    new = buffer.data[change.start : change.end]
    if max(change.old.count(b"\n"), new.count(b"\n")) > MAX_LINES:
        return None
    first = buffer.line_at(change.start)
    low, high = buffer.line_span(first)[0], buffer.line_span(buffer.line_at(change.end))[1]
    if high - low > (MAX_LINES + 2) * LONGEST:
        return None
    before, behind = buffer.data[low : change.start], buffer.data[change.end : high]
    old, now = (
        text.decode("utf-8", "replace").replace("\r", "").split("\n")
        for text in (before + change.old + behind, before + new + behind)
    )
    head, tail = common_ends(_bare(old), _bare(now))
    return LineChange(first + head, tuple(old[head : len(old) - tail]), tuple(now[head : len(now) - tail]))


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.rstrip().rstrip(",") for line in lines]


def indent_of(line: str) -> int:
    """The blanks before a line."""
    return len(line) - len(line.lstrip())
