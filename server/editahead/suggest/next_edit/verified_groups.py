"""Verification of the candidates of a moment: each by itself, and together with those that are listed beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.candidate_pool import RatedMoment
from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.types import Document, GateReading
from editahead.suggest.verified_edits import proposal_of, reading_of
from editahead.text.words import SCRIPT_IDENTIFIER
from editahead.verification.positions import whole_words
from editahead.verification.verifier import Verifier

NAME = re.compile(SCRIPT_IDENTIFIER)

WHOLE_SOURCES = frozenset({"rename"})
"""Sources whose edits make sense only together: they are verified and refused as a whole."""
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
        if candidate.source in WHOLE_SOURCES:
            return self._kept(key, group, document, cancel)
        uri = candidate.document.uri
        alone = self._kept((*key, uri, candidate.edit), [candidate], document, cancel)
        is_sure = any(rated.sure and rated.candidate is candidate for rated in moment.items)
        shown = [
            rated.candidate for rated in moment.items if change_of(rated.candidate) == key and rated.sure >= is_sure
        ]
        beside = [other for other in shown if other.document.uri == uri]
        is_renaming = _replaced_name(candidate) is not None and len(set(map(_replaced_name, beside))) == 1
        if alone.passed or len(beside) < 2 or not is_renaming:
            return alone
        return self._kept((*key, uri, is_sure), beside, document, cancel)  # its declaration may be among them

    def compatible(
        self, group: Sequence[EditCandidate], moment: RatedMoment, document: Document, cancel: Cancel
    ) -> list[EditCandidate]:
        """The candidates of a change that break nothing, alone and together, in order. Raises Cancelled."""
        passed = [candidate for candidate in group if self.verdict(candidate, moment, document, cancel).passed]
        if not passed:
            return []
        if passed[0].source in WHOLE_SOURCES:
            whole = sum(change_of(rated.candidate) == change_of(passed[0]) for rated in moment.items)
            is_whole = len(passed) == whole  # others may be listed in the places of the rest
            return passed if is_whole or self._verify(passed, document, cancel).passed else []
        if len(passed) < 2 or self._verify(passed, document, cancel).passed:
            return passed
        together: list[EditCandidate] = []
        for candidate in passed[:MAX_ADDED]:
            if not together or self._verify([*together, candidate], document, cancel).passed:
                together.append(candidate)
        return together

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self.verifier.forget(uri)
        self._moment, self._verdicts = None, {}

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


def _replaced_name(candidate: EditCandidate) -> tuple[bytes, bytes] | None:
    """The name that an edit replaces and its replacement; None for any other edit."""
    data = candidate.document.syntax.buffer.data
    small = candidate.edit.trimmed(data)
    low, high = whole_words(data, small)
    old, new = data[low:high], data[low : small.start] + small.new + data[small.old_end : high]
    return (old, new) if NAME.fullmatch(old) and NAME.fullmatch(new) else None


def change_of(candidate: EditCandidate) -> tuple[str, str]:
    """The key that all edits of a change share."""
    return candidate.source, candidate.group
