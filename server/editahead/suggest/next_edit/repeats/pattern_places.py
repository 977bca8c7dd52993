"""The sites of all repeated edits in all open documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from editahead.patterns.changes import net_changes
from editahead.patterns.groups import groups_of
from editahead.patterns.pattern import Pattern
from editahead.suggest.next_edit.repeats.group_sites import Site, group_sites, overlap
from editahead.suggest.next_edit.repeats.pattern_cache import PatternCache
from editahead.suggest.next_edit.repeats.single_example import is_modifier
from editahead.suggest.types import Document
from editahead.text.coalesced_edits import CoalescedEdit, split
from editahead.text.edits import ByteEdit
from editahead.text.history_view import HistoryView

MAX_ELSEWHERE = 200
"""Lines of a group that are searched in all documents without an example together, so that the cost of a request does
not grow with the number of open documents."""


class RepeatedSites(NamedTuple):
    """The sites of all repeated edits. `has_repetition`: some edit was made at least twice."""

    sites: list[Site]
    has_repetition: bool


def sites(documents: Sequence[Document], memory: PatternCache | None = None) -> list[Site]:
    """The sites of all groups in distinct documents."""
    return repeated_sites(documents, memory).sites


def repeated_sites(documents: Sequence[Document], memory: PatternCache | None = None) -> RepeatedSites:
    """The sites of all groups in distinct documents.

    In documents without an example MAX_ELSEWHERE lines are searched, the first documents first. Right after an undo
    only edits that still have two examples are repeated, and not where the undo was.
    """
    memory = memory or PatternCache()
    memory.begin()
    changes = {document.uri: net_changes(document.history, document.syntax.buffer.data) for document in documents}
    last = max((change.time for rows in changes.values() for change in rows), default=0.0)
    undone = [document.history.undone_at for document in documents if document.history.undone_at is not None]
    after_undo = bool(undone) and max(undone) >= last
    has_repetition = False
    by_uri = {document.uri: document for document in documents}
    texts = [(document.uri, document.syntax.buffer, changes[document.uri]) for document in documents]
    rows: list[Site] = []
    for group in groups_of(texts):
        has_repetition = has_repetition or len(group.samples) > 1
        if after_undo and len(group.samples) == 1:
            continue
        if len(group.samples) == 1 and is_modifier(*_words(group.pattern)):
            continue
        sample_documents = tuple(by_uri[str(sample.where)] for sample in group.samples)
        searched = [document for document in documents if document.language_id == sample_documents[0].language_id]
        rows += group_sites(group, sample_documents, searched, changes, memory, MAX_ELSEWHERE)
    memory.end()
    if after_undo:
        spans = {document.uri: undone_spans(document.history) for document in documents}
        rows = [site for site in rows if not any(overlap(*_span(site.edit), *s) for s in spans[site.document.uri])]
    return RepeatedSites(without_overlaps(rows), has_repetition)


def undone_spans(history: HistoryView) -> list[tuple[int, int]]:
    """The spans of the text that an undo restored, as bytes [start, end) of the current text."""
    spans: list[tuple[int, int]] = []
    redone: list[CoalescedEdit] = []
    for edit in history.undone:
        for part in split(edit):
            start, end = part.start, part.old_end
            for earlier in reversed(redone):  # to the text before it was undone
                if start >= earlier.start:
                    start, end = (max(earlier.start, at - earlier.delta) for at in (start, end))
            spans.append((start, max(start, end)))
            redone.append(part)
    return spans


def _span(edit: ByteEdit) -> tuple[int, int]:
    return edit.start, edit.old_end


def _words(pattern: Pattern) -> tuple[list[str], list[str]]:
    """The removed and the inserted tokens; an empty string stands for a hole."""
    old = pattern.elements[pattern.lo : pattern.hi]
    return [elem.text or "" for elem in old], [elem.text or "" for elem in pattern.replacement]


def without_overlaps(sites: Sequence[Site]) -> list[Site]:
    """The sites without those that overlap a site of an earlier group."""
    kept: list[Site] = []
    if len({site.group for site in sites}) < 2:
        return list(sites)
    by_line: dict[tuple[str, int], list[Site]] = {}  # overlapping sites share a line
    for site in sites:
        line_at = site.document.syntax.buffer.line_at
        last = line_at(max(site.edit.start, site.edit.old_end - 1))
        rows = [by_line.setdefault((site.document.uri, row), []) for row in range(line_at(site.edit.start), last + 1)]
        if not any(
            other.group != site.group
            and overlap(other.edit.start, other.edit.old_end, site.edit.start, site.edit.old_end)
            for row in rows
            for other in row
        ):
            kept.append(site)
            for row in rows:
                row.append(site)
    return kept
