"""Repeated edits as candidates: all remaining places of an edit that the user has made, each with its probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from editahead.runtime.bundle import Bundle
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.runtime.ort import Cancel
from editahead.suggest.gate import parses_no_worse
from editahead.suggest.next_edit.edit_candidate import REPEAT, EditCandidate, unit_of
from editahead.suggest.next_edit.repeats.group_sites import Site
from editahead.suggest.next_edit.repeats.pattern_cache import PatternCache
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.suggest.next_edit.repeats.pattern_places import places_of
from editahead.suggest.next_edit.resolved_renamings import ResolvedRenaming, makes_renaming
from editahead.suggest.types import Document

_CHECKED = 40
"""Places of one group and document whose syntax is checked one by one, when all of them together make it worse."""
HOPELESS = 8
"""Places of a group whose edits break the syntax, and none that does not, after which the others are not tried."""
_MOST = 1_000_000
"""More than all places of a question."""
_Key = tuple[tuple[object, ...], ...]


class PatternQueue:
    """The queue of the documents that it was asked about last. Lives on the inference thread.

    Raises BundleError when the bundle's `repeat` entry does not work; without one the queue is always empty.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.model = PatternScorer.of_bundle(bundle, FEATURES)
        self._key: _Key = ()
        self._rated: tuple[EditCandidate, ...] = ()
        self.repeated = False  # whether an edit was made twice or more, wherever it can go on
        self._memory = PatternCache()

    def candidates(
        self, document: Document, cancel: Cancel | None = None, resolved: Sequence[ResolvedRenaming] = ()
    ) -> list[EditCandidate]:
        """All remaining places in a document and the others that are open, as candidates of one scorer.

        None repeats a renaming that is `resolved`, or makes the syntax worse. Raises Cancelled.
        """
        if self.model is None:
            return []
        if cancel is not None:
            self._memory.check = cancel.check
        documents = [document, *document.others]
        key = _key_of(documents)
        if key != self._key:
            found = places_of(documents, self._memory)
            self._rated = tuple(self._candidate(site) for site in parsing(found.sites, self._memory))
            self.repeated, self._key = found.repeated, key
        known = [one for one in resolved if one.everywhere]
        return [
            one
            for one in self._rated
            if not makes_renaming(
                one.edit, one.document.syntax.buffer.data, resolved if one.document.uri == document.uri else known
            )
        ]

    def _candidate(self, site: Site) -> EditCandidate:
        assert self.model is not None
        return EditCandidate(
            REPEAT, site.document, site.edit, site.edit, site.group, "", site.examples, site.like, site.key,
            site.pattern, f"the change of line {site.like + 1} once more",
            self.model.probability(site.features, site.examples), dict(zip(FEATURES, site.features, strict=True)),
            unit=unit_of(site.document, site.edit),
        )  # fmt: skip

    def forget(self) -> None:
        """Keep nothing of the documents that it was asked about: the next question begins anew."""
        self._key, self._rated, self.repeated = (), (), False
        self._memory.forget()


def _key_of(documents: Sequence[Document]) -> _Key:
    """What the queue depends on: texts, histories, rejections and settings."""
    first = documents[0]
    texts = [(one.uri, one.version, one.syntax.buffer.data, one.history) for one in documents]
    return ((first.rejections,), *texts)


def parsing(found: Sequence[Site], memory: PatternCache | None = None) -> list[Site]:
    """The places whose edits leave no more syntax errors than there are.

    All places of a document are tried together first, then those of each group, and only then one by one. A group of
    which HOPELESS places, in whatever documents, all fail is given up: mostly its edit is half typed, and a question
    may not pay for every place that it would break.
    """
    memory = memory or PatternCache()
    by_uri: dict[str, list[Site]] = {}
    for site in found:
        by_uri.setdefault(site.document.uri, []).append(site)
    failures: Counter[str] = Counter()  # by group; less than none for one of which a place has passed
    kept: set[int] = set()
    for mine in by_uri.values():
        hopeful = [site for site in mine if failures[site.group] < HOPELESS]
        kept.update(id(site) for site in _parsing_together(hopeful, memory, failures))
    return [site for site in found if id(site) in kept]


def _parsing_together(mine: list[Site], memory: PatternCache, failures: Counter[str]) -> list[Site]:
    """Those of one document's places that pass."""
    if _passes(mine, memory):
        failures.update({site.group: -_MOST for site in mine})
        return mine
    groups: dict[str, list[Site]] = {}
    for site in mine:
        groups.setdefault(site.group, []).append(site)
    if len(groups) > 1:
        return [site for alike in groups.values() for site in _parsing_together(alike, memory, failures)]
    kept: list[Site] = []
    for site in mine[:_CHECKED]:
        if failures[site.group] >= HOPELESS:
            break
        passed = len(mine) > 1 and _passes([site], memory)
        failures[site.group] += -_MOST if passed else 1
        kept += [site] if passed else []
    return kept


def _passes(mine: Sequence[Site], memory: PatternCache) -> bool:
    """Whether a document has no more syntax errors with all these edits done."""
    return not mine or parses_no_worse(mine[0].document.syntax.error_count(), errors_after(mine, memory)).passed


def errors_after(found: Sequence[Site], memory: PatternCache) -> int:
    """Syntax errors of a document (at least one place, all in one) with the edits of its places done."""
    edits = [site.edit for site in sorted(found, key=lambda site: -site.edit.start)]
    return memory.errors(found[0].document.syntax, edits)
