"""Gates of next edits: none reverses the user's changes, comments are edited where the user did, rejections count."""

from __future__ import annotations

from editahead.patterns.changes import net_changes
from editahead.suggest.types import Document, GateReading, Reason
from editahead.syntax.snapshot import Region
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


def matches_example_region(document: Document, edit: ByteEdit) -> GateReading:
    """Whether an edit is in code, or in a comment or string if such text was changed."""
    data = document.syntax.buffer.data
    small = edit.trim(data)
    region = _region(document, small.start, small.old_end)
    if region is Region.CODE or region in _examples(document):
        return GateReading(Reason.COMMENT_OR_STRING, True, f"in {region.value}")
    return GateReading(Reason.COMMENT_OR_STRING, False, f"in {region.value}, and none of your edits is")


def _examples(document: Document) -> set[Region]:
    """The kinds of text that were changed in all open documents."""
    return {
        _region(each, change.start, change.end)
        for each in (document, *document.others)
        for change in net_changes(each.history, each.syntax.buffer.data)
    }


def _region(document: Document, start: int, end: int) -> Region:
    return document.syntax.region_at(start + (end > start))  # inside, not at the edge, where there is an inside


MAX_DECLINED = 3  # rejections in a row that count


def paced_precision(precision: float, declined: int) -> float:
    """The precision required of next edits after some rejections in a row.

    The permitted error is divided by 2, 3 and 4 after the first, second and third rejection.
    """
    return 1.0 - (1.0 - precision) / (1 + min(declined, MAX_DECLINED))
