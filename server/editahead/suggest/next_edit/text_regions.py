"""A gate for next edits in comments and strings: the user must have changed text of the same kind."""

from __future__ import annotations

from editahead.patterns.changes import net_changes
from editahead.suggest.types import Document, GateReading, Reason
from editahead.syntax.snapshot import Region
from editahead.text.edits import ByteEdit


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
