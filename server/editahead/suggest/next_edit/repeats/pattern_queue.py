"""Repeated edits as candidates: their remaining sites in all open documents, each with its probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from editahead.patterns.changes import net_changes
from editahead.patterns.groups import groups_of
from editahead.patterns.pattern import Pattern
from editahead.runtime.bundle import Bundle
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.runtime.ort import Cancel
from editahead.suggest.gate import parses_no_worse
from editahead.suggest.next_edit.edit_candidate import (
    REPEAT,
    EditCandidate,
    ResolvedRenaming,
    repeats_resolved,
    unit_of,
)
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.next_edit.repeats.group_sites import PatternCache, Site, group_sites, overlap
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.suggest.next_edit.repeats.single_example import is_modifier
from editahead.suggest.types import Document
from editahead.text.coalesced_edits import CoalescedEdit, HistoryView, split
from editahead.text.edits import ByteEdit

MAX_ELSEWHERE = 200
"""Lines of a group that are searched in all documents without an example together, so that the cost of a request does
not grow with the number of open documents."""
_MAX_CHECKED = 40
"""Sites of a group and document whose syntax is checked separately if all of them together add syntax errors."""
MAX_FAILURES = 8
"""Sites of a group that add syntax errors, without any that does not, after which the others are not tried."""
_PASSED = -1_000_000  # failures of a group with a site that passed, below any count of failures


class RepeatedSites(NamedTuple):
    """The sites of all repeated edits. `has_repetition`: the user repeated some edit."""

    sites: list[Site]
    has_repetition: bool


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
        searched = [document for document in documents if is_related(document, sample_documents[0])]
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


_Key = tuple[tuple[object, ...], ...]


class PatternQueue:
    """The queue of the documents of the last request. Lives on the inference thread.

    Raises BundleError when the bundle's `repeat` entry does not work; without that entry the queue is always empty.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.model = PatternScorer.of_bundle(bundle, FEATURES)
        self._key: _Key = ()
        self._rated: tuple[EditCandidate, ...] = ()
        self.has_repetition = False  # whether the user repeated an edit, whatever sites remain
        self._memory = PatternCache()

    def candidates(
        self, document: Document, cancel: Cancel | None = None, resolved: Sequence[ResolvedRenaming] = ()
    ) -> list[EditCandidate]:
        """All remaining sites in a document and the other open documents as candidates.

        None repeats a renaming that is `resolved`, or adds syntax errors. Raises Cancelled.
        """
        if self.model is None:
            return []
        if cancel is not None:
            self._memory.check = cancel.check
        documents = [document, *document.others]
        key = _key_of(documents)
        if key != self._key:
            repeated = repeated_sites(documents, self._memory)
            self._rated = tuple(self._candidate(site) for site in sites_that_parse(repeated.sites, self._memory))
            self.has_repetition, self._key = repeated.has_repetition, key
        return [candidate for candidate in self._rated if not repeats_resolved(candidate, document.uri, resolved)]

    def _candidate(self, site: Site) -> EditCandidate:
        assert self.model is not None
        return EditCandidate(
            REPEAT, site.document, site.edit, site.edit, site.group, "", site.examples, site.like, site.key,
            site.pattern, f"the change of line {site.like + 1} once more",
            self.model.probability(site.features, site.examples), dict(zip(FEATURES, site.features, strict=True)),
            unit=unit_of(site.document, site.edit),
        )  # fmt: skip

    def forget(self) -> None:
        """Drop all documents, so that the next request starts afresh."""
        self._key, self._rated, self.has_repetition = (), (), False
        self._memory.forget()


def _key_of(documents: Sequence[Document]) -> _Key:
    """The values on which the queue depends: texts, histories, rejections and settings."""
    texts = [(each.uri, each.version, each.syntax.buffer.data, each.history) for each in documents]
    return ((documents[0].rejections,), *texts)


def sites_that_parse(sites: Sequence[Site], memory: PatternCache | None = None) -> list[Site]:
    """The sites whose edits add no syntax errors.

    All sites of a document are tried together first, then those of each group, and only then separately. A group whose
    first MAX_FAILURES sites all fail, in whatever documents, is given up: usually its edit is only half typed.
    """
    memory = memory or PatternCache()
    by_uri: dict[str, list[Site]] = {}
    for site in sites:
        by_uri.setdefault(site.document.uri, []).append(site)
    failures: Counter[str] = Counter()  # by group; negative if a site has passed
    kept: set[int] = set()
    for document_sites in by_uri.values():
        tried = [site for site in document_sites if failures[site.group] < MAX_FAILURES]
        kept.update(id(site) for site in _passing_sites(tried, memory, failures))
    return [site for site in sites if id(site) in kept]


def _passing_sites(sites: list[Site], memory: PatternCache, failures: Counter[str]) -> list[Site]:
    """The sites of a document that pass."""
    if _can_parse(sites, memory):
        failures.update({site.group: _PASSED for site in sites})
        return sites
    groups: dict[str, list[Site]] = {}
    for site in sites:
        groups.setdefault(site.group, []).append(site)
    if len(groups) > 1:
        return [site for group in groups.values() for site in _passing_sites(group, memory, failures)]
    kept: list[Site] = []
    for site in sites[:_MAX_CHECKED]:
        if failures[site.group] >= MAX_FAILURES:
            break
        passed = len(sites) > 1 and _can_parse([site], memory)
        failures[site.group] += _PASSED if passed else 1
        kept += [site] if passed else []
    return kept


def _can_parse(sites: Sequence[Site], memory: PatternCache) -> bool:
    """Whether the edits of a document's sites together add no syntax errors."""
    return not sites or parses_no_worse(sites[0].document.syntax.error_count(), errors_after(sites, memory)).passed


def errors_after(sites: Sequence[Site], memory: PatternCache) -> int:
    """The number of syntax errors of a document after the edits of some of its sites."""
    edits = [site.edit for site in sorted(sites, key=lambda site: -site.edit.start)]
    return memory.errors(sites[0].document.syntax, edits)
