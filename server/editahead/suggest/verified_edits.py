"""Edits as proposals for the verifier, with what the user did by hand and what is known of other files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from editahead.patterns.changes import net_changes
from editahead.suggest.types import Document, GateReading, Reason
from editahead.text.edits import ByteEdit, apart
from editahead.verification.proposal import FileEdits, Proposal, Refusal, UserChange

MAX_CHANGES = 40
"""The latest changes of a file that may be examples of a deletion."""


def proposal_of(
    document: Document, edits: Sequence[tuple[Document, ByteEdit]], check: Callable[[], None] = lambda: None
) -> Proposal:
    """Edits of a document and of others, to be verified together; of two that overlap, neither."""
    by_uri: dict[str, tuple[Document, list[ByteEdit]]] = {}
    for edited, edit in edits:
        by_uri.setdefault(edited.uri, (edited, []))[1].append(edit)
    files = tuple(
        FileEdits(uri, edited.syntax, tuple(apart(dict.fromkeys(rows)))) for uri, (edited, rows) in by_uri.items()
    )
    return Proposal(files, tuple(_user_changes(document)), _used_elsewhere(document, check))


def reading_of(refusal: Refusal | None) -> GateReading:
    """The verdict as a gate."""
    if refusal is None:
        return GateReading(Reason.BREAKS_CODE, True, "breaks nothing")
    return GateReading(Reason.BREAKS_CODE, False, refusal.detail)


def _user_changes(document: Document) -> Iterator[UserChange]:
    for edited in (document, *document.others):
        data = edited.syntax.buffer.data
        changes = [change for change in net_changes(edited.history, data) if not change.undone(data)]
        for change in changes[-MAX_CHANGES:]:
            inserted = data[change.start : change.end]
            small = ByteEdit(0, len(change.old), inserted).trimmed(change.old)
            yield UserChange(
                edited.uri, edited.syntax, change.start + small.start, small.removed(change.old), small.new
            )


def _used_elsewhere(document: Document, check: Callable[[], None]) -> Callable[[str, str], bool]:
    def is_used_elsewhere(uri: str, name: str) -> bool:
        """Open files that hold the word count, and files of the project that lead to this one by an import."""
        word = name.encode()
        opened = (document, *document.others)
        if any(word in other.syntax.buffer.data for other in opened if other.uri != uri):
            return True
        if document.unopened is None:
            return True
        return next(iter(document.unopened.importing(uri, name, check)), None) is not None

    return is_used_elsewhere
