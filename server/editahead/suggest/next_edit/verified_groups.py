"""Verification of the candidates of a moment: all places of a change together, or else each by itself."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.candidate_pool import RatedMoment
from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.types import Document, GateReading
from editahead.suggest.verified_edits import proposal_of, reading_of
from editahead.verification.verifier import Verifier

WHOLE_SOURCES = frozenset({"rename", "mention"})
"""Sources of which all places of a change are refused where they break something together."""


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
        change = change_of(candidate)
        if change not in self._verdicts:
            group = [rated.candidate for rated in moment.items if change_of(rated.candidate) == change]
            self._verdicts[change] = self._verify(group, document, cancel)
        if self._verdicts[change].passed or candidate.source in WHOLE_SOURCES:
            return self._verdicts[change]
        site = (*change, candidate.document.uri, candidate.edit)
        if site not in self._verdicts:
            self._verdicts[site] = self._verify([candidate], document, cancel)
        return self._verdicts[site]

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self.verifier.forget(uri)
        self._moment, self._verdicts = None, {}

    def _verify(self, group: Sequence[EditCandidate], document: Document, cancel: Cancel) -> GateReading:
        edits = [(candidate.document, candidate.edit) for candidate in group]
        proposal = proposal_of(document, edits, cancel.check)
        return reading_of(self.verifier.verify(proposal, cancel.check, group[0].source))


def change_of(candidate: EditCandidate) -> tuple[str, str]:
    """What tells the places of one change from those of others."""
    return candidate.source, candidate.group
