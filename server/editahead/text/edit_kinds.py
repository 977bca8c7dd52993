"""Kinds of changes of a text, guessed from their shape; and the limits of a history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from editahead.text.coalesced_edits import CoalescedEdit


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
