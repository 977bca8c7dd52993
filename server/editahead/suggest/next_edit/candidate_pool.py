"""All candidates for the next edit, from every source, each with a calibrated probability.

Consequences, repeated edits and repeated lines are cheap. The network runs only if none of their candidates in the
document itself reaches the threshold; then all candidates are rated again with its candidates. So a candidate has the
same probability wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from editahead.runtime.ort import Cancel
from editahead.suggest.gate import not_rejected, paced_precision, parses_no_worse, pattern_key
from editahead.suggest.next_edit.consequences.source import ConsequenceSource, is_name_incomplete, request_key
from editahead.suggest.next_edit.consequences.types import OpenPlace, Outcome, Refusal
from editahead.suggest.next_edit.edit_candidate import REPEAT, EditCandidate, ResolvedRenaming, repeats_resolved
from editahead.suggest.next_edit.repeats.same_lines import SameLines
from editahead.suggest.next_edit.repeats.single_example import not_on_one_example
from editahead.suggest.next_edit.scoring.candidate_features import RENAME, RequestFacts, rate_features, request_facts
from editahead.suggest.next_edit.scoring.candidate_scorer import CandidateScorer, shipped_scorer
from editahead.suggest.next_edit.text_checks.expression_checks import permitted_candidates
from editahead.suggest.types import Document
from editahead.text.memo import RecentEntries

if TYPE_CHECKING:
    from editahead.suggest.next_edit.editor import NextEditor

MAX_OFFERED = 64  # offers that are stored
NETWORK_FLOOR = 0.1
"""The network's own probability below which its drafts are given up: no such draft ever reached a threshold."""


@dataclass(frozen=True, slots=True)
class RatedCandidate:
    """A candidate with the probability that the user will make that edit; `sure`: it reaches the threshold."""

    candidate: EditCandidate
    probability: float
    sure: bool
    features: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class RatedCandidates:
    """All candidates of a request, with the reasons why some changes have no consequences.

    `repeated`: the user repeated some edit. `undone`: the last action was an undo. `typing`: a name is being
    typed. `changed`: the user has changed anything. `threshold`: the probability from which on a candidate is sure.
    `places`: those that need an edit of which no text is sure.
    """

    items: tuple[RatedCandidate, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    repeated: bool = False
    undone: bool = False
    typing: bool = False
    changed: bool = False
    threshold: float = 1.0
    places: tuple[OpenPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class _CheapCandidates:
    """The candidates of the cheap sources with features and probabilities, the same for every target precision.

    `with_network`: the ratings including the network's candidates, by the probability below which it gave up drafts;
    None where the network had no edit to continue. `abandoned`: the groups that are not shown.
    """

    candidates: tuple[EditCandidate, ...]
    rows: Sequence[tuple[float, ...]]
    probabilities: Sequence[float]
    facts: RequestFacts
    outcome: Outcome
    repeated: bool
    typing: bool
    abandoned: frozenset[str]
    with_network: dict[float, _NetworkRatings | None] = field(default_factory=dict)


_NetworkRatings = tuple[tuple[EditCandidate, ...], Sequence[tuple[float, ...]], Sequence[float]]


class CandidatePool:
    """The candidates of the last request. Lives on the inference thread."""

    def __init__(self, scorer: CandidateScorer | None = None) -> None:
        self.scorer = scorer or shipped_scorer()
        self.consequences = ConsequenceSource()
        self._lines = SameLines()
        self._key: tuple[object, ...] = ()
        self._rated = RatedCandidates()
        self._cheap_key: tuple[object, ...] = ()
        self._cheap_candidates: _CheapCandidates | None = None
        self._offered = RecentEntries[str, str](MAX_OFFERED)
        self._shown: tuple[EditCandidate, float] | None = None

    def rated(
        self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None, *, thorough: bool = False
    ) -> RatedCandidates:
        """All candidates in the order of their sources, rated. Raises Cancelled and InferenceError.

        With `thorough`, the network always runs and finishes all drafts, and no candidate is omitted, as the scorer is
        fitted on all of them.
        """
        key = (*request_key(document, byte), id(editor), thorough)
        if key != self._key:
            self._rated, self._key = self._rate(document, byte, cancel, editor, thorough), key
        return self._rated

    def places(self, document: Document, byte: int, cancel: Cancel) -> Sequence[OpenPlace]:
        """The places that need an edit of which no text is sure; none while a name is typed. Raises Cancelled."""
        return () if is_name_incomplete(document, byte) else self.consequences.outcome(document, byte, cancel).places

    def unopened(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> RatedCandidates:
        """The candidates in files that are not open, rated together with the others; none while a name is typed.

        As the user does not see such a file, all edits of a change in it get the lowest of their probabilities, and if
        any of them was rejected, none is offered. Raises Cancelled.
        """
        if document.unopened is None or is_name_incomplete(document, byte):
            return RatedCandidates()
        offered = self.consequences.unopened(document, cancel)
        kept = set(map(id, self._not_rejected(document, offered)))
        rejected = {_file(candidate) for candidate in offered if id(candidate) not in kept}
        candidates = [candidate for candidate in offered if _file(candidate) not in rejected]
        cheap = self._cheap(document, byte, cancel, editor)
        rows = rate_features(cheap.facts, (*cheap.candidates, *candidates), None)[len(cheap.candidates) :]
        threshold = self.scorer.threshold(paced_precision(document.target_precision("next_edit"), document.declined))
        lowest = dict[tuple[str, str], float]()
        for candidate, p in zip(candidates, self.scorer.probabilities(rows), strict=True):
            lowest[_file(candidate)] = min(p, lowest.get(_file(candidate), p))
        rated = (
            RatedCandidate(candidate, lowest[_file(candidate)], lowest[_file(candidate)] >= threshold, row)
            for candidate, row in zip(candidates, rows, strict=True)
        )
        return RatedCandidates(tuple(rated), threshold=threshold)

    def remember(self, key: str, candidate: EditCandidate, probability: float) -> None:
        """Store a shown offer by its rejection key, so that after a rejection no other source offers the same text."""
        self._shown = candidate, probability
        self._offered.keep(key, text_key(candidate))

    def forget(self, uri: str) -> None:
        """Drop everything about a closed document."""
        self.consequences.forget(uri)
        self._lines.forget()
        self._key, self._rated = (), RatedCandidates()
        self._cheap_key, self._cheap_candidates = (), None
        self._offered.clear()
        self._shown = None

    def _rate(
        self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None, thorough: bool
    ) -> RatedCandidates:
        cancel.check()
        cheap = self._cheap(document, byte, cancel, editor)
        candidates, rows, probabilities = cheap.candidates, cheap.rows, cheap.probabilities
        undone, changed = document.history.undone_at is not None, cheap.facts.last is not None
        threshold = self.scorer.threshold(paced_precision(document.target_precision("next_edit"), document.declined))
        abandoned = frozenset[str]() if thorough else cheap.abandoned
        has_sure = any(
            p >= threshold and candidate.document.uri == document.uri and candidate.group not in abandoned
            for candidate, p in zip(candidates, probabilities, strict=True)
        )
        # While the user types, the network would propose in the middle of words; at rest the request comes again.
        is_needed = thorough or not (has_sure or document.is_typing)
        if editor is not None and changed and not cheap.typing and not undone and is_needed:
            network = self._with_network(cheap, document, byte, cancel, editor, 0.0 if thorough else NETWORK_FLOOR)
            candidates, rows, probabilities = network or (candidates, rows, probabilities)
        rated = (
            RatedCandidate(candidate, p, p >= threshold, row)
            for candidate, p, row in zip(candidates, probabilities, rows, strict=True)
            if candidate.group not in abandoned
        )
        return RatedCandidates(
            tuple(rated), tuple(cheap.outcome.refusals), cheap.repeated, undone, cheap.typing, changed, threshold,
            () if cheap.typing else tuple(cheap.outcome.places),
        )  # fmt: skip

    def _cheap(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> _CheapCandidates:
        """The candidates of consequences, repeated edits and repeated lines."""
        settings = replace(document.settings, precision=0.0, next_edit_precision=0.0)
        any_precision = replace(document, settings=settings, declined=0)
        key = (*request_key(any_precision, byte), id(editor))
        if self._cheap_candidates is not None and key == self._cheap_key:
            return self._cheap_candidates
        outcome = self.consequences.outcome(document, byte, cancel)
        candidates = self.consequences.candidates(document, byte, cancel)
        typing, repeated = is_name_incomplete(document, byte), False
        if not typing:
            if editor is not None:
                repeats = editor.repeats.candidates(document, cancel, outcome.resolved)
                candidates += permitted_candidates(repeats, outcome.parameters, cancel.check)
                repeated = editor.repeats.has_repetition
            undone = document.history.undone_at is not None
            lines = self._same_lines(document, cancel, outcome.resolved) if not undone else []
            candidates += permitted_candidates(lines, outcome.parameters, cancel.check)
        candidates = self._not_rejected(document, candidates)
        facts = request_facts(document, byte)
        rows = rate_features(facts, candidates, None)
        probabilities = self._probabilities(document, candidates, rows)
        abandoned = _abandoned_groups(facts, candidates)
        self._cheap_candidates = _CheapCandidates(
            tuple(candidates), rows, probabilities, facts, outcome, repeated, typing, abandoned
        )
        self._cheap_key = key
        return self._cheap_candidates

    def _with_network(
        self, cheap: _CheapCandidates, document: Document, byte: int, cancel: Cancel, editor: NextEditor, least: float
    ) -> _NetworkRatings | None:
        """All candidates, rated again together with those of the network."""
        if least not in cheap.with_network:
            proposals, network_facts = editor.network(document, byte, cancel, least, cheap.outcome.resolved)
            cheap.with_network[least] = None
            if network_facts is not None:
                kept = permitted_candidates(proposals, cheap.outcome.parameters, cancel.check)
                candidates = (*cheap.candidates, *self._not_rejected(document, kept))
                rows = rate_features(cheap.facts, candidates, network_facts)
                probabilities = self._probabilities(document, candidates, rows)
                cheap.with_network[least] = (candidates, rows, probabilities)
        return cheap.with_network[least]

    def _probabilities(
        self, document: Document, candidates: Sequence[EditCandidate], rows: Sequence[tuple[float, ...]]
    ) -> list[float]:
        """The probabilities of candidates; the rest of a rename is at least as likely as its edit that was accepted."""
        probabilities = self.scorer.probabilities(rows)
        if self._shown is not None and self._shown[0].source == RENAME and _is_accepted(self._shown[0], document):
            for number, candidate in enumerate(candidates):
                if candidate.source == RENAME and candidate.group == self._shown[0].group:
                    probabilities[number] = max(probabilities[number], self._shown[1])
        return probabilities

    def _not_rejected(self, document: Document, candidates: list[EditCandidate]) -> list[EditCandidate]:
        """The candidates that the user has not rejected by their site, their change or their text."""
        if not document.rejections:
            return candidates
        texts = {
            self._offered[rejection.key]
            for rejection in document.rejections
            if not not_rejected(document, rejection.key).passed and rejection.key in self._offered
        }
        return [
            candidate
            for candidate in candidates
            if text_key(candidate) not in texts
            and all(not_rejected(document, key).passed for key in (candidate.key, candidate.pattern))
        ]

    def _same_lines(
        self, document: Document, cancel: Cancel, resolved: Sequence[ResolvedRenaming]
    ) -> list[EditCandidate]:
        """The candidates of repeated lines that pass the gates of their source."""

        def passes(candidate: EditCandidate) -> bool:
            syntax = candidate.document.syntax
            is_single = candidate.examples == 1 and candidate.document.uri == document.uri
            return (
                not repeats_resolved(candidate, document.uri, resolved)
                and not (is_single and not not_on_one_example(document, candidate.edit).passed)
                and parses_no_worse(syntax.error_count(), syntax.errors_with([candidate.edit])).passed
            )

        return [candidate for candidate in self._lines.candidates(document, cancel.check) if passes(candidate)]


def _is_accepted(shown: EditCandidate, document: Document) -> bool:
    """Whether a document is the text after an edit that was shown."""
    old, new = shown.document.syntax.buffer.data, document.syntax.buffer.data
    has_size = shown.document.uri == document.uri and len(new) - len(old) == shown.offer.delta
    return has_size and shown.offer.apply(old) == new


def _abandoned_groups(facts: RequestFacts, candidates: Sequence[EditCandidate]) -> frozenset[str]:
    """The groups of single edits with a site in a line that the user has changed otherwise.

    On the fit and dev projects 3 of 10 sites of such groups were right, and 481 of 796 of the others.
    """
    return frozenset(
        candidate.group
        for candidate in candidates
        if candidate.source == REPEAT
        and candidate.examples == 1
        and candidate.line != candidate.like
        and candidate.line in facts.touched.get(candidate.document.uri, ())
    )


def _file(candidate: EditCandidate) -> tuple[str, str]:
    """The file of a candidate, and the group of its change."""
    return candidate.document.uri, candidate.group


def text_key(candidate: EditCandidate) -> str:
    """The key of an offer by its text and line alone, the same from every source."""
    document, data = candidate.document, candidate.document.syntax.buffer.data
    edit = candidate.offer.trim(data)
    line = document.syntax.buffer.line_bytes(document.syntax.buffer.line_at(edit.start)).decode("utf-8", "replace")
    return f"{pattern_key(edit, data)} @ {document.uri} {' '.join(line.split())}"
