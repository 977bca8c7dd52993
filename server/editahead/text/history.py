"""The history of a text: coalesced edits of the user, relative to an anchor text.

Consecutive keystrokes at the same position are a single coalesced edit. A pause, a jump, a new line after text, or a
paste settles it. The current text is always `anchor` with every settled edit in order and then the pending edit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import takewhile

from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import (
    CoalescedEdit,
    HistoryView,
    gap_between,
    merge_spanning,
    merge_touching,
    rebase_before,
    reverted_text,
    split,
    to_coalesced_edit,
    trim,
)
from editahead.text.edits import ByteEdit, apply_all


@dataclass(frozen=True, slots=True)
class HistoryState:
    """The coalesced edits at a point in time. `spread`: the pending edit covers several positions."""

    settled: tuple[CoalescedEdit, ...] = ()
    pending: CoalescedEdit | None = None
    spread: bool = False

    @property
    def edits(self) -> tuple[CoalescedEdit, ...]:
        """The settled edits, then the pending edit if any."""
        return (*self.settled, self.pending) if self.pending else self.settled


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """A notification as a single edit, with the states before (for undo) and after (for redo)."""

    edit: CoalescedEdit
    size: int  # bytes of the text before it
    before: HistoryState
    after: HistoryState


def is_same_change(first: CoalescedEdit, second: CoalescedEdit) -> bool:
    """Whether two edits change a text in the same way, at whatever time."""
    return (first.start, first.removed, first.inserted) == (second.start, second.removed, second.inserted)


def undo_depth(whole: CoalescedEdit, size: int, done: Sequence[HistoryStep]) -> int:
    """Return how many of the last notifications `whole`, after which the text has `size` bytes, exactly undoes."""
    if not done or len(done[-1].edit.inserted) > len(whole.removed):
        return 0  # typing after typing, the common case
    furthest = max((depth for depth, step in enumerate(reversed(done), 1) if step.size == size), default=0)
    combined: CoalescedEdit | None = None
    for depth, step in zip(range(1, furthest + 1), reversed(done), strict=False):
        combined = step.edit if combined is None else merge_touching(step.edit, combined)
        if combined is None or len(combined.inserted) > len(whole.removed):
            return 0  # further back only more was inserted
        if step.size == size and is_same_change(
            whole, CoalescedEdit(combined.start, combined.inserted, combined.removed, 0.0)
        ):
            return depth
    return 0


def is_retyped(whole: CoalescedEdit, done: Sequence[HistoryStep]) -> bool:
    """Whether a letter is typed that was the last of several erased ones: an undo would restore all of them."""
    if len(whole.inserted) != 1 or whole.removed or len(done) < 2:
        return False
    first, last = done[-2].edit, done[-1].edit
    is_erased = all(len(edit.removed) == 1 and not edit.inserted for edit in (first, last))
    return is_erased and last.start <= first.start <= last.start + 1


class EditKind(str, Enum):
    """The origin of a change. LSP does not transmit it, so it is guessed unless the caller gives it."""

    TYPED = "typed"
    UNDO = "undo"
    REDO = "redo"
    PASTE = "paste"
    FORMAT = "format"  # changes white space only, in many places: not recorded as an edit
    REPLACED = "replaced"  # a tool changed several positions: a settled edit for each
    RELOADED = "reloaded"  # another text under the same name: the edits so far are dropped


@dataclass(frozen=True, slots=True)
class HistoryLimits:
    """The limits of a history. `pause` is in seconds, sizes are in bytes."""

    pause: float = 1.0
    max_edits: int = 100
    max_bytes: int = 256_000  # removed and inserted bytes of all edits together
    max_spread: int = 8_000  # positions further apart than this are separate edits, even in the same notification
    max_parts: int = 16  # a replacement that changed more positions than this is another text
    min_reload: int = 200  # a document of which more than half, and more than this, is replaced is another text
    paste_bytes: int = 80  # a single line this long was not typed
    max_work: int = 50_000  # changes of a format times edits to carry over it; past it they are dropped
    undo_depth: int = 500  # notifications that an undo is looked for among


def guess(
    pushed: Sequence[CoalescedEdit],
    steps: Sequence[CoalescedEdit],
    whole: CoalescedEdit | None,
    pending: CoalescedEdit | None,
    size: int,
    limits: HistoryLimits,
) -> EditKind:
    """Guess the kind of a change that is neither undo nor redo.

    `pushed` are the changes as the client sent them, `steps` the same without equal lines,
    `whole` all merged (None where that is long), `pending` what is being typed, `size` the bytes of the
    document.
    """
    inside = pending and whole and pending.start <= whole.start and whole.old_end <= pending.end
    is_document = size > 0 and any(edit.start == 0 and len(edit.removed) == size for edit in pushed)
    if (len(steps) > 2 or is_document) and not inside and all(step.is_blank for step in steps):
        return EditKind.FORMAT
    gone = sum(len(step.removed) for step in steps)
    if is_document and gone > max(size // 2, limits.min_reload):
        return EditKind.RELOADED
    if len(steps) != len(pushed):
        return EditKind.REPLACED if len(steps) <= limits.max_parts else EditKind.RELOADED
    if len(steps) == 1 and not steps[0].removed and _is_paste(steps[0], limits):
        return EditKind.PASTE
    return EditKind.TYPED


def _is_paste(edit: CoalescedEdit, limits: HistoryLimits) -> bool:
    """Whether a change inserts more than a keystroke: text on several lines, or a long line."""
    lines = b"\n" in edit.inserted and len(edit.inserted.split()) > 1
    return lines or len(edit.inserted) >= limits.paste_bytes


FORMATTED_WITHIN = 0.8
"""Seconds before a save in which blank changes are those of a formatter: the editor asks it right before it saves."""

__all__ = ["CoalescedEdit", "EditKind", "History", "HistoryLimits", "HistoryView"]


class History:
    """The history of an open document. Not thread-safe: for the thread that owns the document."""

    def __init__(self, anchor: Buffer, clock: Callable[[], float], limits: HistoryLimits | None = None) -> None:
        """Begin at `anchor`; `clock` returns monotonic seconds."""
        self._clock = clock
        self._limits = limits or HistoryLimits()
        self._anchor = anchor
        self._size = len(anchor)
        self._state = HistoryState()
        self._generation = 0
        self._last = clock()
        self._done: deque[HistoryStep] = deque(maxlen=self._limits.undo_depth)
        self._undone: list[HistoryStep] = []
        self._undone_at: float | None = None
        self._view: HistoryView | None = None

    def push(self, edit: ByteEdit, before: Buffer, kind: EditKind | None = None) -> None:
        """Record an edit of `before`, the current text. `kind` is guessed when None."""
        self.push_all([(edit, before)], kind)

    def push_all(self, changes: Sequence[tuple[ByteEdit, Buffer]], kind: EditKind | None = None) -> None:
        """Record the edits of a notification, each with the text that it applies to.

        `kind` is guessed when None. A text of another length than the current text becomes the anchor first.
        """
        changes = [(edit, before) for edit, before in changes if not edit.is_noop(before.data)]
        if not changes:
            return
        if len(changes[0][1]) != self._size:
            self.reanchor(changes[0][1])
        now = self._clock()
        last, text = changes[-1]
        self._size = len(text) + last.delta
        self.settle(now)
        pushed = [to_coalesced_edit(edit, before.data, now) for edit, before in changes]
        steps = [part for edit in pushed for part in _parts(edit)]
        whole = _whole(pushed, [before.data for _, before in changes], self._limits.max_spread)
        if kind in (None, EditKind.UNDO, EditKind.REDO) and whole and self._undo_or_redo(whole):
            self._last = self._state.pending.time if self._state.pending else now
            self._undone_at = now if self._undone else None
            self.settle(now)
            return
        kind = kind or guess(pushed, steps, whole, self._state.pending, len(changes[0][1]), self._limits)
        earlier, generation = self._state, self._generation
        if kind is EditKind.RELOADED or sum(step.size for step in steps) > self._limits.max_bytes // 2:
            self.reanchor(Buffer(last.apply(text.data)))
        elif kind is EditKind.FORMAT:
            self._absorb(steps, last.apply(text.data))
        elif kind is EditKind.TYPED and len(steps) == len(pushed):
            self._type(steps, [before.data for _, before in changes])
        else:
            self._settle_pending()
            parts = map(trim, pushed) if kind is EditKind.PASTE else steps
            self._state = HistoryState((*self._state.settled, *parts))
        self._last = now
        self._undone.clear()
        self._undone_at = None
        if whole and generation == self._generation:
            self._done.append(HistoryStep(whole, len(changes[0][1]), earlier, self._state))
        else:
            self._done.clear()
        self._shrink()

    def settle(self, now: float | None = None) -> bool:
        """Settle the pending edit if the pause is over at `now` (seconds), or at once without `now`; True if it did."""
        if self._state.pending is None or (now is not None and now - self._last < self._limits.pause):
            return False
        self._settle_pending()
        self._shrink()
        return True

    def absorb_formatting(self) -> bool:
        """Attribute recent blank changes to a formatter, at a save; return whether there were any.

        As other changes of a formatter they are not recorded, nor are they an undo where they take back the blanks that
        were typed last. What is blank and belongs to an edit stays a part of it.
        """
        edits, since = self._state.edits, self._clock() - FORMATTED_WITHIN
        lately = self._undone_at is not None and self._undone_at >= since
        taken_back = lately and all(step.edit.is_blank for step in self._undone)
        if taken_back:
            self._undone.clear()
            self._undone_at = None
        blank = list(takewhile(lambda edit: edit.is_blank and edit.time >= since, reversed(edits)))
        if not blank:
            return taken_back
        after = apply_all(self._anchor.data, [edit.edit for edit in edits])
        settled = tuple(rebase_before(edits[: len(edits) - len(blank)], reversed(blank)))
        self._reset(Buffer(reverted_text(after, settled)), HistoryState(settled))
        return True

    @property
    def is_undone(self) -> bool:
        """Whether the last change was an undo."""
        return self._undone_at is not None

    @property
    def changed_at(self) -> float:
        """The end of the last edit in seconds; minus infinity if there is none."""
        state = self._state
        last = state.pending or (state.settled[-1] if state.settled else None)
        return last.time if last is not None else float("-inf")

    def view(self) -> HistoryView:
        """Return a snapshot of the history: the same object until something changes."""
        undone = tuple(step.edit for step in reversed(self._undone))
        state = self._state
        now = (self._anchor, state.settled, state.pending, self._generation, self._undone_at, undone)
        last = self._view
        if last is None or last.generation != self._generation:
            self._view = HistoryView(*now)
        elif (
            last.settled is not state.settled
            or last.pending is not state.pending
            or (last.undone_at, last.undone) != (self._undone_at, undone)
        ):
            self._view = HistoryView(*now, carried=last.carried)
        assert self._view is not None
        return self._view

    def reanchor(self, buffer: Buffer) -> None:
        """Drop all edits and begin again at `buffer`, the current text."""
        self._reset(buffer, HistoryState())
        self._size = len(buffer)

    def _reset(self, anchor: Buffer, state: HistoryState) -> None:
        self._anchor = anchor
        self._state = state
        self._generation += 1
        self._done.clear()
        self._undone.clear()
        self._undone_at = None

    def _type(self, pushed: Sequence[CoalescedEdit], texts: Sequence[bytes]) -> None:
        """Merge typing (at a single position or, in the same notification, at several) into the pending edit."""
        for at, (step, text) in enumerate(zip(pushed, texts, strict=True)):
            pending = self._state.pending
            both = merge_touching(pending, step) if pending and not _is_new_line(step, pending) else None
            if both is None and pending and at and gap_between(pending, step) <= self._limits.max_spread:
                both = merge_spanning(pending, step, text)
                self._state = replace(self._state, spread=True)
            if both is None:
                self._settle_pending()
                self._state = replace(self._state, pending=step)
            else:
                kept = None if both.is_noop else both
                self._state = replace(self._state, pending=kept, spread=self._state.spread and kept is not None)

    def _undo_or_redo(self, whole: CoalescedEdit) -> bool:
        """Undo or redo, if `whole` is exactly that; returns whether it was."""
        if self._undone and is_same_change(whole, self._undone[-1].edit):
            step = self._undone.pop()
            self._state = step.after
            self._done.append(step)
            return True
        depth = 0 if is_retyped(whole, self._done) else undo_depth(whole, self._size, self._done)
        if not depth:
            return False
        steps = [self._done.pop() for _ in range(depth)]
        again = CoalescedEdit(whole.start, whole.inserted, whole.removed, whole.time)
        self._undone.append(HistoryStep(again, steps[-1].size, steps[-1].before, steps[0].after))
        self._state = steps[-1].before
        return True

    def _absorb(self, steps: Sequence[CoalescedEdit], after: bytes) -> None:
        """Move the changes of a formatter into the anchor, and rebase the edits."""
        self._settle_pending()
        if len(steps) * len(self._state.settled) > self._limits.max_work:
            self._reset(Buffer(after), HistoryState())
            return
        settled = tuple(rebase_before(self._state.settled, steps))
        self._reset(Buffer(reverted_text(after, settled)), HistoryState(settled))

    def _settle_pending(self) -> None:
        state = self._state
        if state.pending is None:
            return
        parts = split(state.pending) if state.spread else [trim(state.pending)]
        self._state = HistoryState((*state.settled, *parts))

    def _shrink(self) -> None:
        """Move the older half of the edits into the anchor when a limit is exceeded."""
        if self._state.pending and self._state.pending.size > self._limits.max_bytes // 2:
            self._settle_pending()
        settled = self._state.settled
        kept = settled
        while len(kept) > self._limits.max_edits or sum(edit.size for edit in kept) > self._limits.max_bytes:
            kept = kept[(len(kept) + 1) // 2 :]
        if len(kept) == len(settled):
            return
        dropped = [edit.edit for edit in settled[: len(settled) - len(kept)]]
        anchor = Buffer(apply_all(self._anchor.data, dropped))
        self._reset(anchor, replace(self._state, settled=kept))


def _parts(edit: CoalescedEdit) -> list[CoalescedEdit]:
    """Split an edit that replaces lines by lines into what differs; any other edit is kept."""
    if b"\n" in edit.removed and b"\n" in edit.inserted:
        return split(edit)
    return [edit]


def _whole(pushed: Sequence[CoalescedEdit], texts: Sequence[bytes], limit: int) -> CoalescedEdit | None:
    """Merge the edits of a notification; None where the result would be longer than `limit` bytes."""
    whole = trim(pushed[0])
    for edit, text in zip(pushed[1:], texts[1:], strict=True):
        if whole.size + 2 * gap_between(whole, edit) > limit:
            return None
        whole = merge_spanning(whole, edit, text)
    return whole if whole.size <= limit else None


def _is_new_line(step: CoalescedEdit, pending: CoalescedEdit) -> bool:
    """Whether `step` is a new line after typed text, which settles the edit; the line end begins the next edit."""
    return step.inserted[:1] in (b"\n", b"\r") and not step.removed.strip() and bool(pending.inserted.strip())
