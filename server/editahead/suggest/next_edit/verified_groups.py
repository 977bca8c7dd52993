"""Verification of the candidates of a moment: each by itself, and together with those that are listed beside it."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.candidate_pool import RatedMoment
from editahead.suggest.next_edit.edit_candidate import EditCandidate, VerifiedUnit, replaced_name
from editahead.suggest.types import Document, GateReading
from editahead.suggest.verified_edits import proposal_of, reading_of
from editahead.verification.verifier import Verifier

MAX_ADDED = 24
"""Edits of a change that are tried in turn where all of them together break something."""


class VerifiedGroups:
    """The verdicts on the candidates of the moment that was asked about last. Lives on the inference thread."""

    def __init__(self, resolvers: ResolverCache) -> None:
        self.verifier = Verifier(resolvers)
        self._moment: RatedMoment | None = None
        self._verdicts: dict[tuple[object, ...], GateReading] = {}

    def verdict(self, candidate: EditCandidate, moment: RatedMoment, document: Document, cancel: Cancel) -> GateReading:
        """Whether a candidate breaks nothing. Raises Cancelled."""
        if self._moment is not moment:
            self._moment, self._verdicts = moment, {}
        key = change_of(candidate)
        group = [rated.candidate for rated in moment.items if change_of(rated.candidate) == key]
        if candidate.unit is VerifiedUnit.CHANGE:
            return self._kept(key, group, document, cancel)
        uri = candidate.document.uri
        alone = self._alone(candidate, document, cancel)
        if alone.passed or candidate.unit is VerifiedUnit.EDIT:
            return alone
        is_sure = any(rated.sure and rated.candidate is candidate for rated in moment.items)
        shown = [
            rated.candidate for rated in moment.items if change_of(rated.candidate) == key and rated.sure >= is_sure
        ]
        beside = [other for other in shown if other.document.uri == uri]
        replaced = {replaced_name(other.document, other.edit) for other in beside}
        if len(beside) < 2 or len(replaced) > 1:
            return alone
        return self._kept((*key, uri, is_sure), beside, document, cancel)  # its declaration may be among them

    def compatible(
        self, group: Sequence[EditCandidate], moment: RatedMoment, document: Document, cancel: Cancel
    ) -> list[EditCandidate]:
        """The candidates of a change that break nothing, alone and together, in order. Raises Cancelled."""
        passed = [candidate for candidate in group if self.verdict(candidate, moment, document, cancel).passed]
        if not passed:
            return []
        if passed[0].unit is VerifiedUnit.CHANGE:
            whole = sum(change_of(rated.candidate) == change_of(passed[0]) for rated in moment.items)
            is_whole = len(passed) == whole  # others may be listed in the places of the rest
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
        """Keep nothing of a closed document."""
        self.verifier.forget(uri)
        self._moment, self._verdicts = None, {}

    def _alone(self, candidate: EditCandidate, document: Document, cancel: Cancel) -> GateReading:
        key = (*change_of(candidate), candidate.document.uri, candidate.edit)
        return self._kept(key, [candidate], document, cancel)

    def _kept(
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
