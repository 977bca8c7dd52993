"""What a user changed, as net replacements of the current text: bursts that touch are one, places put back are told.

Byte offsets are of the current text unless said otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from editahead.text.coalesced_edits import CoalescedEdit, split
from editahead.text.history import HistoryView

_PART_OF_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")


@dataclass(frozen=True, slots=True)
class NetChange:
    """Bytes [start, end) stand where `old` stood; the last burst that went into it ended at `time` (seconds).

    `turn` orders the changes of one text by their last burst. `settled` is false while the user still types there.
    """

    start: int
    end: int
    old: bytes
    time: float
    turn: int
    settled: bool = True

    def undone(self, data: bytes) -> bool:
        """Whether the old text stands there again."""
        return data[self.start : self.end] == self.old


def net_changes(view: HistoryView, data: bytes) -> list[NetChange]:
    """All changes of a history in text order, those taken back by hand included; `data` is the current text."""
    changes: list[NetChange] = []
    turn = 0
    for burst in view.settled:
        changes = _after(changes, burst, turn, True)
        turn += 1
    if view.pending is not None:
        for part in split(view.pending):
            changes = _after(changes, part, turn, False)
            turn += 1
    return _whole_words(changes, data)


def _whole_words(changes: list[NetChange], data: bytes) -> list[NetChange]:
    """The same changes, those between which only a part of one word stands as one."""
    result: list[NetChange] = []
    for change in changes:
        last = result[-1] if result else None
        between = data[last.end : change.start] if last is not None else b""
        if last is None or not _PART_OF_WORD.fullmatch(between):
            result.append(change)
            continue
        newer = max(last, change, key=lambda one: one.turn)
        old = last.old + between + change.old
        result[-1] = replace(newer, start=last.start, end=change.end, old=old, settled=last.settled and change.settled)
    return result


def _after(changes: list[NetChange], burst: CoalescedEdit, turn: int, settled: bool) -> list[NetChange]:
    """The changes once `burst`, in coordinates of the text before it, is done as well."""
    before = [change for change in changes if change.end < burst.start]
    touched = [change for change in changes if change.end >= burst.start and change.start <= burst.old_end]
    behind = [change for change in changes if change.start > burst.old_end]
    start = min([burst.start, *(change.start for change in touched)])
    end = max([burst.old_end, *(change.end for change in touched)]) + burst.delta
    old = _before(touched, burst)
    moved = [replace(change, start=change.start + burst.delta, end=change.end + burst.delta) for change in behind]
    return [*before, NetChange(start, end, old, burst.time, turn, settled), *moved]


def _before(touched: Iterable[NetChange], burst: CoalescedEdit) -> bytes:
    """What stood, before all of it, where the touched changes and the burst are."""
    parts: list[bytes] = []
    at = burst.start
    for change in touched:
        if change.start > at:
            parts.append(burst.removed[at - burst.start : change.start - burst.start])
        parts.append(change.old)
        at = max(at, change.end)
    parts.append(burst.removed[at - burst.start :] if at < burst.old_end else b"")
    return b"".join(parts)
