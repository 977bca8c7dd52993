"""Net changes of a document: coalesced edits that touch are merged into a single replacement of the current text.

A change that was undone by hand is still listed; `NetChange.is_undone` detects it.
Byte offsets are of the current text unless stated otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from editahead.text.coalesced_edits import CoalescedEdit, HistoryView, split

_PART_OF_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")


@dataclass(frozen=True, slots=True)
class NetChange:
    """A net replacement: bytes [start, end) of the current text replace `old`.

    `time` (seconds) is the end of the last coalesced edit in it, and `turn` that edit's index in the history of the
    document. `settled` is false while the user still types there.
    """

    start: int
    end: int
    old: bytes
    time: float
    turn: int
    settled: bool = True

    def is_undone(self, data: bytes) -> bool:
        """Whether `data` has the old text at this position again."""
        return data[self.start : self.end] == self.old


def net_changes(view: HistoryView, data: bytes) -> list[NetChange]:
    """Return the net changes of a history in text order, undone ones included; `data` is the current text."""
    return list(view.derive("net_changes", data, _net_changes))


def take_latest(changes: Iterable[NetChange], most: int) -> list[NetChange]:
    """Return at most so many changes, most recent first."""
    return sorted(changes, key=lambda change: -change.turn)[:most]


def _net_changes(view: HistoryView, data: bytes) -> list[NetChange]:
    settled = view.settled
    changes = view.fold("net_changes", list[NetChange](), lambda past, turn: _after(past, settled[turn], turn, True))
    turn = len(settled)
    if view.pending is not None:
        for part in split(view.pending):
            changes = _after(changes, part, turn, False)
            turn += 1
    return _whole_words(changes, data)


def _whole_words(changes: list[NetChange], data: bytes) -> list[NetChange]:
    """Merge changes that are separated only by a part of a word."""
    result: list[NetChange] = []
    for change in changes:
        last = result[-1] if result else None
        between = data[last.end : change.start] if last is not None else b""
        if last is None or not _PART_OF_WORD.fullmatch(between):
            result.append(change)
            continue
        newer = max(last, change, key=lambda part: part.turn)
        old = last.old + between + change.old
        result[-1] = replace(newer, start=last.start, end=change.end, old=old, settled=last.settled and change.settled)
    return result


def _after(changes: list[NetChange], edit: CoalescedEdit, turn: int, settled: bool) -> list[NetChange]:
    """Add a coalesced edit, given in coordinates of the text before it, to the changes."""
    before = [change for change in changes if change.end < edit.start]
    touched = [change for change in changes if change.end >= edit.start and change.start <= edit.old_end]
    behind = [change for change in changes if change.start > edit.old_end]
    start = min([edit.start, *(change.start for change in touched)])
    end = max([edit.old_end, *(change.end for change in touched)]) + edit.delta
    old = _before(touched, edit)
    moved = [replace(change, start=change.start + edit.delta, end=change.end + edit.delta) for change in behind]
    return [*before, NetChange(start, end, old, edit.time, turn, settled), *moved]


def _before(touched: Iterable[NetChange], edit: CoalescedEdit) -> bytes:
    """Return the original text of the stretch that the touched changes and the coalesced edit cover."""
    parts: list[bytes] = []
    at = edit.start
    for change in touched:
        if change.start > at:
            parts.append(edit.removed[at - edit.start : change.start - edit.start])
        parts.append(change.old)
        at = max(at, change.end)
    parts.append(edit.removed[at - edit.start :] if at < edit.old_end else b"")
    return b"".join(parts)
