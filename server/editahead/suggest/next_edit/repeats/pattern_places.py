"""The places where any repeated edit could go on, in all open documents."""

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
"""Lines of one group that are looked at in documents where the edit was not made yet, all of these together: what a
question costs may not grow with the number of open documents."""


class PatternPlaces(NamedTuple):
    """The places of all repeated edits. `repeated`: some edit was made twice or more."""

    sites: list[Site]
    repeated: bool


def sites(documents: Sequence[Document], memory: PatternCache | None = None) -> list[Site]:
    """All places of all groups; `documents` without repetition."""
    return places_of(documents, memory).sites


def places_of(documents: Sequence[Document], memory: PatternCache | None = None) -> PatternPlaces:
    """All places of all groups, and what to know of them together; `documents` without repetition.

    Of documents where an edit was not made yet, MAX_ELSEWHERE lines are looked at, the first documents first. Right
    after an undo only edits that still have two examples go on, and not where the undone one was.
    """
    memory = memory or PatternCache()
    memory.begin()
    changes = {document.uri: net_changes(document.history, document.syntax.buffer.data) for document in documents}
    last = max((change.time for known in changes.values() for change in known), default=0.0)
    undone = [document.history.undone_at for document in documents if document.history.undone_at is not None]
    after_undo = bool(undone) and max(undone) >= last
    repeated = False
    by_uri = {document.uri: document for document in documents}
    texts = [(document.uri, document.syntax.buffer, changes[document.uri]) for document in documents]
    found: list[Site] = []
    for group in groups_of(texts):
        repeated = repeated or len(group.samples) > 1
        if after_undo and len(group.samples) == 1:
            continue
        if len(group.samples) == 1 and is_modifier(*_words(group.pattern)):
            continue
        homes = tuple(by_uri[str(sample.where)] for sample in group.samples)
        alike = [document for document in documents if document.language_id == homes[0].language_id]
        found += group_sites(group, homes, alike, changes, memory, MAX_ELSEWHERE)
    memory.end()
    if after_undo:
        gone = {document.uri: undone_spans(document.history) for document in documents}
        found = [
            site for site in found if not any(overlap(*_span(site.edit), *span) for span in gone[site.document.uri])
        ]
    return PatternPlaces(apart(found), repeated)


def undone_spans(history: HistoryView) -> list[tuple[int, int]]:
    """Where the text stands that an undo brought back, as bytes [start, end) of the current text."""
    spans: list[tuple[int, int]] = []
    redone: list[CoalescedEdit] = []
    for edit in history.undone:
        for part in split(edit):
            start, end = part.start, part.old_end
            for earlier in reversed(redone):  # back to the text in which that was not done again
                if start >= earlier.start:
                    start, end = (max(earlier.start, at - earlier.delta) for at in (start, end))
            spans.append((start, max(start, end)))
            redone.append(part)
    return spans


def _span(edit: ByteEdit) -> tuple[int, int]:
    return edit.start, edit.old_end


def _words(pattern: Pattern) -> tuple[list[str], list[str]]:
    """The tokens that go and those that come; an empty one stands for a hole."""
    old = pattern.elements[pattern.lo : pattern.hi]
    return [elem.text or "" for elem in old], [elem.text or "" for elem in pattern.replacement]


def apart(found: Sequence[Site]) -> list[Site]:
    """Without places that lie on a place of an earlier group."""
    kept: list[Site] = []
    if len({site.group for site in found}) < 2:
        return list(found)
    by_line: dict[tuple[str, int], list[Site]] = {}  # what overlaps shares a line
    for site in found:
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
