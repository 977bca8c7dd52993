"""Edits as proposals for the verifier, with what the user did by hand and what is known of other files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from editahead.analysis.resolver.resolver import resolver_of
from editahead.patterns.changes import net_changes
from editahead.suggest.types import Document, GateReading, Reason
from editahead.syntax.nodes import Parts
from editahead.text.edits import ByteEdit, apart
from editahead.verification.proposal import FileEdits, IsUsedElsewhere, ProposedEdits, UserChange, Violation

MAX_CHANGES = 40
"""The latest changes of a file that may be examples of a deletion."""


def proposal_of(
    document: Document, edits: Sequence[tuple[Document, ByteEdit]], check: Callable[[], None] = lambda: None
) -> ProposedEdits:
    """Edits of a document and of others, to be verified together; of two that overlap, neither."""
    by_uri: dict[str, tuple[Document, list[ByteEdit]]] = {}
    for edited, edit in edits:
        by_uri.setdefault(edited.uri, (edited, []))[1].append(edit)
    files = tuple(
        FileEdits(uri, edited.syntax, tuple(apart(dict.fromkeys(rows)))) for uri, (edited, rows) in by_uri.items()
    )
    return ProposedEdits(files, tuple(_user_changes(document)), _used_elsewhere(document, check))


def reading_of(violation: Violation | None) -> GateReading:
    """The verdict as a gate."""
    if violation is None:
        return GateReading(Reason.BREAKS_CODE, True, "breaks nothing")
    return GateReading(Reason.BREAKS_CODE, False, violation.detail)


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


def _used_elsewhere(document: Document, check: Callable[[], None]) -> IsUsedElsewhere:
    """What open files, and those of the project that the index leads to, take from a file."""

    def is_used_elsewhere(uri: str, name: str) -> bool | None:
        from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import uses_elsewhere

        opened = (other for other in (document, *document.others) if other.uri != uri)
        unopened = document.unopened.importing(uri, name, check) if document.unopened is not None else ()
        for other in chain(opened, unopened):
            check()
            if name.encode() not in other.syntax.buffer.data:
                continue
            names = resolver_of(other.syntax, None, Parts(frozenset({name.encode()})), other.uri)
            if names is None or uses_elsewhere(names, name, uri, other.uri):
                return True
        return False if document.unopened is not None and name not in document.unopened.cut else None

    return is_used_elsewhere
