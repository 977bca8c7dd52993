"""Edits as proposals for the verifier, with what the user did by hand and what other files use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from editahead.analysis.resolver.resolver import resolver_of
from editahead.patterns.changes import net_changes
from editahead.runtime.ort import Cancel, DeadlineExceeded
from editahead.suggest import types
from editahead.syntax.nodes import Parts
from editahead.text.edits import ByteEdit, apart
from editahead.verification.proposal import FileEdits, IsUsedElsewhere, ProposedEdits, UserChange, Violation
from editahead.verification.verifier import Verifier

Requested = TypeVar("Requested", types.Fixes, types.WrittenBodies)
MAX_IMPORTS = 6  # completions of a list whose imports are verified; those further down bring none
MAX_CHANGES = 40  # the latest changes of a file that may be examples of a deletion


def proposal_of(
    document: types.Document, edits: Sequence[tuple[types.Document, ByteEdit]], check: Callable[[], None] = lambda: None
) -> ProposedEdits:
    """Edits of a document and of others, to be verified together; of two that overlap, neither."""
    by_uri: dict[str, tuple[types.Document, list[ByteEdit]]] = {}
    for edited, edit in edits:
        by_uri.setdefault(edited.uri, (edited, []))[1].append(edit)
    files = tuple(
        FileEdits(uri, edited.syntax, tuple(apart(dict.fromkeys(rows)))) for uri, (edited, rows) in by_uri.items()
    )
    return ProposedEdits(files, tuple(_user_changes(document)), _used_elsewhere(document, check))


def reading_of(violation: Violation | None) -> types.GateReading:
    """The verdict as a gate."""
    if violation is None:
        return types.GateReading(types.Reason.BREAKS_CODE, True, "breaks nothing")
    return types.GateReading(types.Reason.BREAKS_CODE, False, violation.detail)


def _user_changes(document: types.Document) -> Iterator[UserChange]:
    for edited in (document, *document.others):
        data = edited.syntax.buffer.data
        changes = [change for change in net_changes(edited.history, data) if not change.is_undone(data)]
        for change in changes[-MAX_CHANGES:]:
            inserted = data[change.start : change.end]
            small = ByteEdit(0, len(change.old), inserted).trim(change.old)
            yield UserChange(
                edited.uri, edited.syntax, change.start + small.start, small.old_bytes(change.old), small.new
            )


def _used_elsewhere(document: types.Document, check: Callable[[], None]) -> IsUsedElsewhere:
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


def verified_requests(
    decision: types.Decision[Requested], document: types.Document, verifier: Verifier, cancel: Cancel, source: str
) -> types.Decision[Requested]:
    """Fixes or function bodies that break nothing; without any, the reason of the first."""
    if not isinstance(decision, types.Shown):
        return decision
    readings = [_reading(document, [item.edit], verifier, cancel, source) for item in decision.value.items]
    items = tuple(item for item, reading in zip(decision.value.items, readings, strict=True) if reading.passed)
    if not items:
        return types.Suppressed(readings[0].reason, readings[0].value, (*decision.gates, readings[0]))
    return replace(decision, value=replace(decision.value, items=items), probability=items[0].probability)


def verified_imports(
    decision: types.Decision[types.Completions], document: types.Document, verifier: Verifier, cancel: Cancel
) -> types.Decision[types.Completions]:
    """Completions whose imports break nothing; the others are listed without their imports."""
    if not isinstance(decision, types.Shown):
        return decision
    completions, items, verified = decision.value, list[types.Completion](), 0
    for item in completions.items:
        if item.import_edit is not None:
            verified += 1
            typed = ByteEdit(completions.start, completions.end, item.label.encode())
            edits = [item.import_edit, typed]
            if verified > MAX_IMPORTS or not _is_verified(document, edits, verifier, cancel):
                item = replace(item, import_edit=None, import_from="")
        items.append(item)
    return replace(decision, value=replace(completions, items=tuple(items))) if verified else decision


def _is_verified(document: types.Document, edits: Sequence[ByteEdit], verifier: Verifier, cancel: Cancel) -> bool:
    """Whether the edits of a completion break nothing; not where there is no time to find out."""
    try:
        return _reading(document, edits, verifier, cancel, "completion").passed
    except DeadlineExceeded:
        return False


def verified_lines(
    shown: types.InlineSuggestion, document: types.Document, verifier: Verifier, cancel: Cancel
) -> types.GateReading:
    """Whether ghost text of several lines leaves what names around it refer to. Raises Cancelled."""
    edit = ByteEdit(shown.start, shown.end, shown.insert.encode())
    return _reading(document, [edit], verifier, cancel, "ghost-text")


def _reading(
    document: types.Document, edits: Sequence[ByteEdit], verifier: Verifier, cancel: Cancel, source: str
) -> types.GateReading:
    proposed = proposal_of(document, [(document, edit) for edit in edits], cancel.check)
    return reading_of(verifier.verify(proposed, cancel.check, source))
