"""All candidates for the next edit of a moment, from every source, each with one calibrated probability.

Consequences, repeated edits and lines that stand again are cheap. The network is asked only where none of them is sure
in the document itself; then all candidates are rated anew with what it says. So a candidate has the same probability
wherever it is shown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from editahead.runtime.ort import Cancel
from editahead.suggest.gate import not_rejected, parses_no_worse, pattern_key
from editahead.suggest.next_edit.consequences.source import ConsequenceSource, being_renamed, request_key
from editahead.suggest.next_edit.consequences.types import OpenPlace, Outcome, Refusal
from editahead.suggest.next_edit.edit_candidate import REPEAT, EditCandidate
from editahead.suggest.next_edit.pace import paced
from editahead.suggest.next_edit.repeats.same_lines import SameLines
from editahead.suggest.next_edit.repeats.single_example import not_on_one_example
from editahead.suggest.next_edit.resolved_renamings import ResolvedRenaming, makes_renaming
from editahead.suggest.next_edit.scoring.candidate_features import MomentFacts, moment_facts, rate_features
from editahead.suggest.next_edit.scoring.candidate_scorer import CandidateScorer, shipped_scorer
from editahead.suggest.next_edit.text_candidates import permitted
from editahead.suggest.types import Document

if TYPE_CHECKING:
    from editahead.suggest.next_edit.editor import NextEditor

MAX_OFFERED = 64
"""Offers that are remembered."""
NETWORK_FLOOR = 0.05
"""The network's own probability below which its drafts are given up: none of them was ever sure."""


@dataclass(frozen=True, slots=True)
class RatedCandidate:
    """A candidate and how probable it is that it is one of the edits still to come; `sure`: it may be shown."""

    candidate: EditCandidate
    probability: float
    sure: bool
    features: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class RatedMoment:
    """All candidates of a moment, with why some changes have no consequences.

    `repeated`: some edit was made twice or more. `undone`: the last thing done was an undo. `typing`: a name is being
    typed. `changed`: the user has changed anything at all. `threshold` is the probability from which on a candidate is
    sure. `places` are those for which no text is sure.
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
    """What no dial changes: the candidates of the cheap sources with their features and probabilities.

    `with_network` holds the same with those of the network, by the probability below which it gave up drafts; None
    where it saw no edit to go on from. `abandoned` are the groups that are not shown.
    """

    candidates: tuple[EditCandidate, ...]
    rows: Sequence[tuple[float, ...]]
    probabilities: Sequence[float]
    facts: MomentFacts
    outcome: Outcome
    repeated: bool
    typing: bool
    abandoned: frozenset[str]
    with_network: dict[float, _NetworkRatings | None] = field(default_factory=dict)


_NetworkRatings = tuple[tuple[EditCandidate, ...], Sequence[tuple[float, ...]], Sequence[float]]


class CandidatePool:
    """The candidates of the latest moment. Lives on the inference thread."""

    def __init__(self, scorer: CandidateScorer | None = None) -> None:
        self.scorer = scorer or shipped_scorer()
        self.consequences = ConsequenceSource()
        self._lines = SameLines()
        self._key: tuple[object, ...] = ()
        self._rated = RatedMoment()
        self._cheap_key: tuple[object, ...] = ()
        self._cheap_candidates: _CheapCandidates | None = None
        self._offered: OrderedDict[str, str] = OrderedDict()

    def rated(
        self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None, *, thorough: bool = False
    ) -> RatedMoment:
        """All candidates in the order of their sources, rated. Raises Cancelled and InferenceError.

        With `thorough`, the network is asked in any case and finishes all drafts, and no candidate is left out: it is
        what the scorer is fitted on.
        """
        key = (*request_key(document, byte), id(editor), thorough)
        if key != self._key:
            self._rated, self._key = self._rate(document, byte, cancel, editor, thorough), key
        return self._rated

    def places(self, document: Document, byte: int, cancel: Cancel) -> Sequence[OpenPlace]:
        """Those for which no text is sure; none while a name is typed. Raises Cancelled."""
        return () if being_renamed(document, byte) else self.consequences.outcome(document, byte, cancel).places

    def unopened(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> RatedMoment:
        """The candidates in files that are not open, rated beside the others; none while a name is typed.

        Nobody sees such a file: all places of one change in it are as sure as the least of them, and where one was
        turned down there are none. Raises Cancelled.
        """
        if document.unopened is None or being_renamed(document, byte):
            return RatedMoment()
        offered = self.consequences.unopened(document, cancel)
        kept = set(map(id, self._not_turned_down(document, offered)))
        turned_down = {_file(candidate) for candidate in offered if id(candidate) not in kept}
        candidates = [candidate for candidate in offered if _file(candidate) not in turned_down]
        cheap = self._cheap(document, byte, cancel, editor)
        rows = rate_features(cheap.facts, (*cheap.candidates, *candidates), None)[len(cheap.candidates) :]
        threshold = self.scorer.threshold(paced(document.settings.precision, document.declined))
        least = dict[tuple[str, str], float]()
        for candidate, p in zip(candidates, self.scorer.probabilities(rows), strict=True):
            least[_file(candidate)] = min(p, least.get(_file(candidate), p))
        rated = (
            RatedCandidate(candidate, least[_file(candidate)], least[_file(candidate)] >= threshold, row)
            for candidate, row in zip(candidates, rows, strict=True)
        )
        return RatedMoment(tuple(rated), threshold=threshold)

    def remember(self, key: str, candidate: EditCandidate) -> None:
        """What is offered under a key of rejections: turned down, it comes from no other source either."""
        self._offered[key] = text_key(candidate)
        self._offered.move_to_end(key)
        while len(self._offered) > MAX_OFFERED:
            self._offered.popitem(last=False)

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self.consequences.forget(uri)
        self._lines.forget()
        self._key, self._rated = (), RatedMoment()
        self._cheap_key, self._cheap_candidates = (), None
        self._offered.clear()

    def _rate(
        self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None, thorough: bool
    ) -> RatedMoment:
        cancel.check()
        cheap = self._cheap(document, byte, cancel, editor)
        candidates, rows, probabilities = cheap.candidates, cheap.rows, cheap.probabilities
        undone, changed = document.history.undone_at is not None, cheap.facts.last is not None
        threshold = self.scorer.threshold(paced(document.settings.precision, document.declined))
        abandoned = frozenset[str]() if thorough else cheap.abandoned
        settled = any(
            p >= threshold and candidate.document.uri == document.uri and candidate.group not in abandoned
            for candidate, p in zip(candidates, probabilities, strict=True)
        )
        if editor is not None and changed and not cheap.typing and not undone and (thorough or not settled):
            network = self._with_network(cheap, document, byte, cancel, editor, 0.0 if thorough else NETWORK_FLOOR)
            candidates, rows, probabilities = network or (candidates, rows, probabilities)
        rated = (
            RatedCandidate(candidate, p, p >= threshold, row)
            for candidate, p, row in zip(candidates, probabilities, rows, strict=True)
            if candidate.group not in abandoned
        )
        return RatedMoment(
            tuple(rated), tuple(cheap.outcome.refusals), cheap.repeated, undone, cheap.typing, changed, threshold,
            () if cheap.typing else tuple(cheap.outcome.places),
        )  # fmt: skip

    def _cheap(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> _CheapCandidates:
        """What consequences, repetitions and lines that stand again give, the same for every dial."""
        any_dial = replace(document, settings=replace(document.settings, precision=0.0), declined=0)
        key = (*request_key(any_dial, byte), id(editor))
        if self._cheap_candidates is not None and key == self._cheap_key:
            return self._cheap_candidates
        outcome = self.consequences.outcome(document, byte, cancel)
        candidates = self.consequences.candidates(document, byte, cancel)
        typing, repeated = being_renamed(document, byte), False
        if not typing:
            if editor is not None:
                repeats = editor.repeats.candidates(document, cancel, outcome.resolved)
                candidates += permitted(repeats, outcome.parameters, cancel.check)
                repeated = editor.repeats.repeated
            undone = document.history.undone_at is not None
            lines = self._same_lines(document, cancel, outcome.resolved) if not undone else []
            candidates += permitted(lines, outcome.parameters, cancel.check)
        candidates = self._not_turned_down(document, candidates)
        facts = moment_facts(document, byte)
        rows = rate_features(facts, candidates, None)
        probabilities, abandoned = self.scorer.probabilities(rows), _abandoned_groups(facts, candidates)
        self._cheap_candidates = _CheapCandidates(
            tuple(candidates), rows, probabilities, facts, outcome, repeated, typing, abandoned
        )
        self._cheap_key = key
        return self._cheap_candidates

    def _with_network(
        self, cheap: _CheapCandidates, document: Document, byte: int, cancel: Cancel, editor: NextEditor, least: float
    ) -> _NetworkRatings | None:
        """All candidates, rated anew with what the network says."""
        if least not in cheap.with_network:
            proposals, says = editor.network(document, byte, cancel, least, cheap.outcome.resolved)
            cheap.with_network[least] = None
            if says is not None:
                kept = permitted(proposals, cheap.outcome.parameters, cancel.check)
                candidates = (*cheap.candidates, *self._not_turned_down(document, kept))
                rows = rate_features(cheap.facts, candidates, says)
                cheap.with_network[least] = (candidates, rows, self.scorer.probabilities(rows))
        return cheap.with_network[least]

    def _not_turned_down(self, document: Document, candidates: list[EditCandidate]) -> list[EditCandidate]:
        """Without what the user has turned down: the place, the change, or the same text of another source."""
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
        """Lines that stand again, without those that another gate keeps back."""
        permitted_lines: list[EditCandidate] = []
        for candidate in self._lines.candidates(document, cancel.check):
            syntax = candidate.document.syntax
            renamings = (
                resolved if candidate.document.uri == document.uri else [name for name in resolved if name.everywhere]
            )
            is_single = candidate.examples == 1 and candidate.document.uri == document.uri
            passed = (
                not makes_renaming(candidate.edit, syntax.buffer.data, renamings)
                and not (is_single and not not_on_one_example(document, candidate.edit).passed)
                and parses_no_worse(syntax.error_count(), syntax.errors_with([candidate.edit])).passed
            )
            if passed:
                permitted_lines.append(candidate)
        return permitted_lines


def _abandoned_groups(facts: MomentFacts, candidates: Sequence[EditCandidate]) -> frozenset[str]:
    """The groups of edits made once of which the user left another place as it was, in a line changed otherwise.

    On the fit and dev projects 3 of 10 places of such groups were right, and 481 of 796 of the others.
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
    """The file of a candidate, and the change that it is part of."""
    return candidate.document.uri, candidate.group


def text_key(candidate: EditCandidate) -> str:
    """What is offered, by its text and its line alone: the same from every source."""
    document, data = candidate.document, candidate.document.syntax.buffer.data
    edit = candidate.offer.trim(data)
    line = document.syntax.buffer.line_bytes(document.syntax.buffer.line_at(edit.start)).decode("utf-8", "replace")
    return f"{pattern_key(edit, data)} @ {document.uri} {' '.join(line.split())}"
