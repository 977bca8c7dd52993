"""Names that the user has just replaced by other names, read from the edits of a history."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from editahead.text.coalesced_edits import CoalescedEdit, HistoryView, split, text_before
from editahead.text.words import is_name

MAX_EDITS = 100  # the most recent edits, in which a changed name counts as recent
_AROUND = 200  # bytes of a name
_MAX_SPLIT = 2000  # bytes of an edit whose words are compared
_PIECE = re.compile(rb"[A-Za-z0-9_$\x80-\xff]+|[^A-Za-z0-9_$\x80-\xff]")
_IMPORT = re.compile(rb"[ \t]*(?:from|import|use|using|#[ \t]*include)\b")
_COUNTING_LOOP = re.compile(rb"[ \t}]*for[ \t]*\([^;]*;")
_WORD = re.compile(rb"[A-Za-z0-9_$\x80-\xff]*")
_WORD_END = re.compile(rb"[A-Za-z0-9_$\x80-\xff]*\Z")


@dataclass(frozen=True, slots=True)
class NameChange:
    """The replacement of a name: at byte `start` of the current text is `new` instead of `old`.

    `turn` orders the changes by their last edit.
    """

    start: int
    old: str
    new: str
    turn: int

    @property
    def end(self) -> int:
        """The byte behind the new name."""
        return self.start + len(self.new.encode())


class Renaming(NamedTuple):
    """A name that another name replaced, with its replaced occurrences in text order."""

    old: str
    new: str
    changes: tuple[NameChange, ...]

    @property
    def turn(self) -> int:
        """The turn of the most recent replacement."""
        return max(change.turn for change in self.changes)


class _Event(NamedTuple):
    """An edit as the change of a word at byte `start` of the text after it. Either word may be empty."""

    start: int
    old: bytes
    new: bytes
    turn: int


class _Changed(NamedTuple):
    """An edit, and the word that it changed in the text right after it; None where it changed anything else."""

    edit: CoalescedEdit
    word: _Event | None


def renamings(view: HistoryView, data: bytes) -> list[Renaming]:
    """Renamings by recent edits that are still in `data`, the current text; most recent first."""
    groups: dict[tuple[str, str], list[NameChange]] = {}
    for change in _changes(view, data):
        groups.setdefault((change.old, change.new), []).append(change)
    latest = [
        Renaming(old, new, tuple(sorted(rows, key=lambda change: change.start))) for (old, new), rows in groups.items()
    ]
    return sorted(latest, key=lambda renaming: -renaming.turn)


def has_replaced(view: HistoryView, old: str, new: str) -> bool:
    """Whether a recent edit wrote the new name where it removed the old, whatever else it changed."""
    latest = [*view.settled[-MAX_EDITS:], *([view.pending] if view.pending is not None else [])]
    return any(
        old.encode() in _PIECE.findall(edit.removed) and new.encode() in _PIECE.findall(edit.inserted)
        for edit in latest
        if len(edit.removed) + len(edit.inserted) <= _MAX_SPLIT
    )


def typed_name(view: HistoryView, data: bytes, byte: int) -> tuple[str, str] | None:
    """The old and the new form of the name that the last edit changed, if the cursor is still at it.

    The new form may be empty. None where the last edit did anything else, or wrote a new word.
    """
    events = view.derive("events", data, _events)
    last = events[-1] if events else None
    if last is None or last.old == last.new or not last.start <= byte <= last.start + len(last.new):
        return None
    old = last.old.decode("utf-8", "replace")
    return (old, last.new.decode("utf-8", "replace")) if is_name(old) else None


def _changes(view: HistoryView, data: bytes) -> Iterator[NameChange]:
    events = view.derive("events", data, _events)
    for event in events:
        old, new = event.old.decode("utf-8", "replace"), event.new.decode("utf-8", "replace")
        stands = _word_at(data, event.start) == event.new
        if stands and old != new and is_name(old) and is_name(new) and not _is_moved(event, events, data):
            yield NameChange(event.start, old, new, event.turn)


def _is_moved(event: _Event, events: Sequence[_Event], data: bytes) -> bool:
    """Whether the line was rewritten around the name: `f(a, b)` that became `f(c, a)` renames nothing.

    Nor does `import a` that became `from b import c`, or `for (a : b)` that became `for (i = 0; ...)`.
    """
    line = data.rfind(b"\n", 0, event.start) + 1
    end = data.find(b"\n", event.start)
    beside = [other for other in events if line <= other.start and (end < 0 or other.start <= end)]
    if any(other.new == event.old and _word_at(data, other.start) == event.old for other in beside):
        return True
    others = [other for other in beside if (other.old, other.new) != (event.old, event.new)]
    is_at_once = any(abs(other.turn - event.turn) == 1 for other in others)
    return is_at_once and bool(_IMPORT.match(data, line) or _COUNTING_LOOP.match(data, line))


def _events(view: HistoryView, data: bytes) -> list[_Event]:
    """The words that recent edits changed, in the order of their last edits, with offsets in the current text."""
    settled, pending = view.settled, [view.pending] if view.pending is not None else []

    def and_words(words: tuple[list[_Changed], ...], number: int) -> tuple[list[_Changed], ...]:
        if number < len(settled) - MAX_EDITS:
            return (*words, [])
        return (*words, _changed(_word_by_word(settled[number]), data, [*settled[number + 1 :], *pending]))

    words = view.fold("changed_words", tuple[list[_Changed], ...](), and_words)
    latest = [word for each in words[-MAX_EDITS:] for word in each]
    latest += _changed(split(view.pending), data, []) if view.pending is not None else []
    return _with_current_offsets(latest[-MAX_EDITS:])


def _has_only_words(*pieces: bytes) -> bool:
    return all(_WORD.fullmatch(piece) is not None for piece in pieces)


def _changed(parts: Sequence[CoalescedEdit], data: bytes, later: Sequence[CoalescedEdit]) -> list[_Changed]:
    """The parts of an edit with the words that they changed; `data` is the text after the `later` edits."""
    edits = [*parts, *later]
    return [_Changed(part, _event(edits, number, data)) for number, part in enumerate(parts)]


def _with_current_offsets(changed: Sequence[_Changed]) -> list[_Event]:
    """The words that edits changed, in the order of their last edits, with offsets in the text after the last edit."""
    events: list[_Event] = []
    starts: list[int] = []  # the current offsets of the events
    for turn, (edit, event) in enumerate(changed):
        if events and event is not None and events[-1].turn == turn - 1:
            last = events[-1]
            if event.start == starts[-1] and event.old == last.new:  # the name was incomplete
                events[-1] = event._replace(old=last.old, turn=turn)
                continue
        low, high, delta = edit.start, edit.old_end, edit.delta
        if delta:  # a word that overlaps the edit keeps its offset
            starts = [start + delta if start >= high and start > low else start for start in starts]
        if event is not None:
            kept = [at for at, other in enumerate(events) if starts[at] != event.start or other.new != event.old]
            if len(kept) < len(events):
                events, starts = [events[at] for at in kept], [starts[at] for at in kept]
            events.append(event._replace(turn=turn))
            starts.append(event.start)
        else:  # its last word may be incomplete
            last_word = _WORD_END.search(edit.inserted[-_AROUND:])
            word = last_word.group() if last_word is not None else b""
            events.append(_Event(edit.end - len(word), b"", word, turn))
            starts.append(edit.end - len(word))
    return [event._replace(start=start) for event, start in zip(events, starts, strict=True)]


def _word_by_word(edit: CoalescedEdit) -> list[CoalescedEdit]:
    """An edit as replacements of single words if it kept the text between them, else split into small changes.

    A reordering of the same words is not split.
    """
    is_word = _WORD.fullmatch(edit.removed) is not None or _WORD.fullmatch(edit.inserted) is not None
    if is_word or len(edit.removed) + len(edit.inserted) > _MAX_SPLIT:
        return [edit]
    old, new = _PIECE.findall(edit.removed), _PIECE.findall(edit.inserted)
    if sorted(old) == sorted(new):
        return [edit]
    if len(old) != len(new) or any(
        gone != come and not _has_only_words(gone, come) for gone, come in zip(old, new, strict=True)
    ):
        return split(edit)
    parts, start = list[CoalescedEdit](), edit.start
    for gone, come in zip(old, new, strict=True):
        if gone != come:
            parts.append(CoalescedEdit(start, gone, come, edit.time))
        start += len(come)
    return parts


def _event(edits: Sequence[CoalescedEdit], turn: int, data: bytes) -> _Event | None:
    """The word that an edit changed; None where it changed anything but the letters of a single word."""
    edit = edits[turn]
    if _WORD.fullmatch(edit.removed) is None or _WORD.fullmatch(edit.inserted) is None:
        return None
    word_end = _WORD_END.search(text_before(data, edits, max(0, edit.start - _AROUND), edit.start, turn + 1))
    word_start = _WORD.match(text_before(data, edits, edit.end, edit.end + _AROUND, turn + 1))
    assert word_end is not None
    assert word_start is not None
    before, behind = word_end.group(), word_start.group()
    return _Event(edit.start - len(before), before + edit.removed + behind, before + edit.inserted + behind, turn)


def _word_at(data: bytes, start: int) -> bytes:
    if start and _WORD_END.search(data[start - 1 : start]).group():  # type: ignore[union-attr]
        return b""
    word = _WORD.match(data[start : start + _AROUND])
    return word.group() if word is not None else b""


def reverted_offsets(renaming: Renaming) -> Renaming:
    """The renaming with the offsets of its changes in the reverted text."""
    delta = len(renaming.old.encode()) - len(renaming.new.encode())
    changes = (replace(change, start=change.start + delta * at) for at, change in enumerate(renaming.changes))
    return renaming._replace(changes=tuple(changes))
