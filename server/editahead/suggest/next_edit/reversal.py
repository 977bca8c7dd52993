"""Gates against next edits that reverse the user's own changes."""

from __future__ import annotations

from editahead.patterns.changes import net_changes
from editahead.suggest.types import Document, GateReading, Reason
from editahead.text.edits import ByteEdit


def preserves_user_text(document: Document, edit: ByteEdit) -> GateReading:
    """Whether an edit preserves the text of the user's changes: it neither deletes it nor restores the old text."""
    data = document.syntax.buffer.data
    small = edit.trim(data)
    gone = data[small.start : small.old_end]
    is_reversal = any(
        small.start < change.end
        and change.start < small.old_end
        and (
            (not small.new.strip() and bool(gone.strip()) and bool(data[change.start : change.end].strip()))
            or (small.start, small.old_end, small.new) == (change.start, change.end, change.old)
        )
        for change in net_changes(document.history, data)
    )
    return GateReading(Reason.REVERSAL, not is_reversal, "takes back your edit" if is_reversal else "leaves your edits")


def not_after_undo(document: Document) -> GateReading:
    """Whether the last action was no undo: after an undo the likeliest edit is the undone edit itself."""
    undone = document.history.undone_at is not None
    return GateReading(Reason.REVERSAL, not undone, "you have just undone an edit" if undone else "no undo")
