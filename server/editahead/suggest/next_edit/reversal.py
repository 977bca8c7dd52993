"""Next edits that take back what the user has just written."""

from __future__ import annotations

from editahead.patterns.changes import net_changes
from editahead.suggest.types import Document, GateReading, Reason
from editahead.text.edits import ByteEdit


def keeps_what_was_written(document: Document, edit: ByteEdit) -> GateReading:
    """Whether an edit leaves what the user's changes put in: none of it is deleted, and no old text comes back."""
    data = document.syntax.buffer.data
    small = edit.trim(data)
    gone = data[small.start : small.old_end]
    back = any(
        small.start < change.end
        and change.start < small.old_end
        and (
            (not small.new.strip() and bool(gone.strip()) and bool(data[change.start : change.end].strip()))
            or (small.start, small.old_end, small.new) == (change.start, change.end, change.old)
        )
        for change in net_changes(document.history, data)
    )
    return GateReading(Reason.REVERSAL, not back, "takes back your edit" if back else "leaves your edits")


def not_undoing(document: Document) -> GateReading:
    """After an undo nothing is offered until the user changes something: most likely it would be that very edit."""
    undone = document.history.undone_at is not None
    return GateReading(Reason.REVERSAL, not undone, "you have just undone an edit" if undone else "no undo")
