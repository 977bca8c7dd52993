"""Verification of candidates: each alone, and together with the others of its change."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.candidate_pool import RatedCandidate, RatedCandidates
from editahead.suggest.next_edit.edit_candidate import EditCandidate, VerifiedUnit, replaced_name
from editahead.suggest.types import Document, GateReading
from editahead.suggest.verified_edits import proposal_of, reading_of
from editahead.verification.verifier import Verifier

MAX_ADDED = 24  # edits of a change that are added in turn if all of them together break something


class VerifiedGroups:
    """The verdicts on the candidates of the last request. Lives on the inference thread."""

    def __init__(self, resolvers: ResolverCache) -> None:
        self.verifier = Verifier(resolvers)
        self._rated: RatedCandidates | None = None
        self._changes: dict[tuple[str, str], list[RatedCandidate]] = {}
        self._verdicts: dict[tuple[object, ...], GateReading] = {}

    def verdict(
        self, candidate: EditCandidate, rated: RatedCandidates, document: Document, cancel: Cancel
    ) -> GateReading:
        """Whether a candidate breaks nothing. Raises Cancelled."""
        key, change = change_of(candidate), self._change(candidate, rated)
        if candidate.unit is VerifiedUnit.CHANGE:
            return self._cached(key, [item.candidate for item in change], document, cancel)
        uri = candidate.document.uri
        alone = self._alone(candidate, document, cancel)
        if alone.passed or candidate.unit is VerifiedUnit.EDIT:
            return alone
        is_sure = any(item.sure and item.candidate is candidate for item in change)
        shown = [item.candidate for item in change if item.sure >= is_sure]
        in_file = [other for other in shown if other.document.uri == uri]
        replaced = {replaced_name(other.document, other.edit) for other in in_file}
        if len(in_file) < 2 or len(replaced) > 1:
            return alone
        return self._cached((*key, uri, is_sure), in_file, document, cancel)  # its declaration may be among them

    def _change(self, candidate: EditCandidate, rated: RatedCandidates) -> list[RatedCandidate]:
        """All candidates of the change of a candidate."""
        if self._rated is not rated:
            self._rated, self._changes, self._verdicts = rated, {}, {}
            for item in rated.items:
                self._changes.setdefault(change_of(item.candidate), []).append(item)
        return self._changes.get(change_of(candidate), [])

    def compatible(
        self, group: Sequence[EditCandidate], rated: RatedCandidates, document: Document, cancel: Cancel
    ) -> list[EditCandidate]:
        """The candidates of a change that break nothing, alone and together, in order. Raises Cancelled."""
        passed = [candidate for candidate in group if self.verdict(candidate, rated, document, cancel).passed]
        if not passed:
            return []
        if passed[0].unit is VerifiedUnit.CHANGE:
            is_whole = len(passed) == len(self._change(passed[0], rated))  # others may replace those that are missing
            return passed if is_whole or self._verify(passed, document, cancel).passed else []
        if len(passed) == 1:
            return passed if self._alone(passed[0], document, cancel).passed else []
        if self._verify(passed, document, cancel).passed:
            return passed
        together: list[EditCandidate] = []
        for candidate in passed[:MAX_ADDED]:
            if self._verify([*together, candidate], document, cancel).passed:
                together.append(candidate)
        return together

    def forget(self, uri: str) -> None:
        """Drop everything about a closed document."""
        self.verifier.forget(uri)
        self._rated, self._changes, self._verdicts = None, {}, {}

    def _alone(self, candidate: EditCandidate, document: Document, cancel: Cancel) -> GateReading:
        key = (*change_of(candidate), candidate.document.uri, candidate.edit)
        return self._cached(key, [candidate], document, cancel)

    def _cached(
        self, key: tuple[object, ...], group: Sequence[EditCandidate], document: Document, cancel: Cancel
    ) -> GateReading:
        if key not in self._verdicts:
            self._verdicts[key] = self._verify(group, document, cancel)
        return self._verdicts[key]

    def _verify(self, group: Sequence[EditCandidate], document: Document, cancel: Cancel) -> GateReading:
        edits = [(candidate.document, candidate.edit) for candidate in group]
        proposal = proposal_of(document, edits, cancel.check)
        return reading_of(self.verifier.verify(proposal, cancel.check, group[0].source))


def change_of(candidate: EditCandidate) -> tuple[str, str]:
    """The key that all edits of a change share."""
    return candidate.source, candidate.group
