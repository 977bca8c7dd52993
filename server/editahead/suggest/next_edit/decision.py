"""The decision about the next edit, over the candidates of all sources with the same gates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from editahead.runtime.ort import Cancel, Cancelled, InferenceError
from editahead.suggest import gate
from editahead.suggest.next_edit.candidate_pool import CandidatePool, RatedCandidate, RatedCandidates
from editahead.suggest.next_edit.edit_candidate import NETWORK, REPEAT, EditCandidate
from editahead.suggest.next_edit.open_places import next_place, summary_of
from editahead.suggest.next_edit.places.learned_places import LearnedPlaces
from editahead.suggest.next_edit.places.place_evidence import place_evidence
from editahead.suggest.next_edit.verified_groups import VerifiedGroups, change_of
from editahead.suggest.types import (
    Decision,
    Document,
    EditPlace,
    GateReading,
    NextEdit,
    NextEdits,
    QueuedEdit,
    Reason,
    Shown,
    Suppressed,
    interrupted,
)
from editahead.text.edits import is_overlapping

if TYPE_CHECKING:
    from editahead.suggest.next_edit.editor import NextEditor

T = TypeVar("T")
NO_MORE_PLACES = "no more places"
NO_EDIT = "no edit to go on from"
NOTHING = "nothing follows from the edits so far"
NAME_INCOMPLETE = "a name is still being typed"
_MAX_DECISIONS = 4
_MAX_COMPARED_LINES = 50  # of a candidate that are compared with those of others

_Decide = Callable[["NextEditDecision", Document, int, Cancel, "NextEditor | None"], Decision[T]]


def _with_reason(decide: _Decide[T]) -> _Decide[T]:
    """Give a reason instead of a decision where a gate fails, a request is cancelled or a model fails."""

    @wraps(decide)
    def answer(
        decision: NextEditDecision, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None
    ) -> Decision[T]:
        switch = GateReading(Reason.DISABLED, document.settings.next_edit, "editahead.nextEdit")
        if (stopped := gate.first_failure([switch, *gate.cheap_gates(document, None)])) is not None:
            return stopped
        try:
            return decide(decision, document, byte, cancel, editor)
        except Cancelled as error:
            return interrupted(is_out_of_time=error.is_out_of_time)
        except InferenceError as error:
            return Suppressed(Reason.FAILED, str(error))

    return answer


class NextEditDecision:
    """Decides which next edit is shown, and which edits the queue lists. Lives on the inference thread."""

    def __init__(self, pool: CandidatePool | None = None) -> None:
        self.pool = pool or CandidatePool()
        self.groups = VerifiedGroups(self.pool.consequences.resolvers)
        self.places = LearnedPlaces()

    @_with_reason
    def next_edit(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> Decision[NextEdit]:
        """The likeliest next edit of a document; of several sure edits of its change the first in reading order."""
        rated = self.pool.rated(document, byte, cancel, editor)
        gates = (GateReading(Reason.DISABLED, True, "editahead.nextEdit"), gate.not_after_undo(document))
        refused = gate.first_failure(gates)
        own = [item for item in rated.items if item.candidate.document.uri == document.uri]
        for item in _ordered(own, document, byte)[:_MAX_DECISIONS] if refused is None else ():
            decision = self._decide(item, document, rated, gates, cancel)
            if isinstance(decision, Shown):
                self.pool.remember(decision.value.key, item.candidate, item.probability)
                self.groups.verifier.remember(document.uri, document.syntax, decision.value.edit)
                return decision
            refused = refused or decision
        if refused is None:
            detail = NAME_INCOMPLETE if rated.typing else NOTHING if rated.changed else NO_EDIT
            refused = Suppressed(Reason.EMPTY, detail, (*gates, GateReading(Reason.EMPTY, False, detail)))
        return Suppressed(refused.reason, _detail(refused, rated), (*refused.gates, *_refusals(rated)))

    @_with_reason
    def elsewhere(
        self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None
    ) -> Decision[QueuedEdit]:
        """The likeliest sure candidate in another open file, for a document without any.

        Files in which the last action was an undo are omitted.
        """
        rated = self.pool.rated(document, byte, cancel, editor)
        allowed = {other.uri for other in document.others if other.history.undone_at is None} - {document.uri}

        def is_offered(item: RatedCandidate) -> bool:
            return item.sure and item.candidate.document.uri in allowed

        for change in [] if rated.undone else _listed_changes(rated, document, byte):
            if any(map(is_offered, change)):  # else nothing of it is verified
                compatible = self._compatible(change, rated, document, cancel)
                if (item := next(filter(is_offered, compatible), None)) is not None:
                    return Shown(_queued(item), item.probability)
        return Suppressed(Reason.EMPTY, "no sure place in another open file")

    @_with_reason
    def unopened(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> Decision[NextEdits]:
        """The edits in files of the project that are not open, without the network."""
        rated = self.pool.unopened(document, byte, cancel, editor)
        if items := tuple(self._items(rated, document, byte, cancel)):
            return Shown(NextEdits(items), items[0].probability)
        return Suppressed(Reason.EMPTY, "nothing follows in files that are not open")

    @_with_reason
    def place(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> Decision[EditPlace]:
        """The next site that needs an edit of which no text is sure: by a rule, else by the model of places.

        The model runs only if the document `may_lead`.
        """
        by_rule = next_place(self.pool.places(document, byte, cancel), document, byte)
        if isinstance(by_rule, Shown) or not document.may_lead:
            return by_rule
        rated = self.pool.rated(document, byte, cancel, editor)
        if rated.typing or rated.undone or not rated.changed:
            return by_rule
        return self.places.find_site(document, byte, place_evidence(rated), cancel.check)

    @_with_reason
    def queue(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> Decision[NextEdits]:
        """All remaining edits of the changes that the user has begun, in all open documents."""
        rated = self.pool.rated(document, byte, cancel, editor)
        items = tuple(self._items(rated, document, byte, cancel))
        if not items:
            detail = NO_MORE_PLACES if rated.repeated else "no edit is repeated that could go on elsewhere"
            return Suppressed(Reason.EMPTY, detail)
        return Shown(NextEdits(items), items[0].probability)

    def forget(self, uri: str) -> None:
        """Drop everything about a closed document."""
        self.pool.forget(uri)
        self.groups.forget(uri)
        self.places.forget()

    def _items(self, rated: RatedCandidates, document: Document, byte: int, cancel: Cancel) -> list[QueuedEdit]:
        """The edits of the queue that break nothing, alone and with those of their change. Raises Cancelled."""
        changes = _listed_changes(rated, document, byte)
        if document.only_sure:
            changes = [change for change in changes if any(item.sure for item in change)]
        return [_queued(item) for change in changes for item in self._compatible(change, rated, document, cancel)]

    def _compatible(
        self, change: Sequence[RatedCandidate], rated: RatedCandidates, document: Document, cancel: Cancel
    ) -> list[RatedCandidate]:
        """The candidates of a change that break nothing, alone and together. Raises Cancelled."""
        passed = self.groups.compatible([item.candidate for item in change], rated, document, cancel)
        identities = set(map(id, passed))
        return [item for item in change if id(item.candidate) in identities]

    def _decide(
        self,
        item: RatedCandidate,
        document: Document,
        rated: RatedCandidates,
        gates: tuple[GateReading, ...],
        cancel: Cancel,
    ) -> Decision[NextEdit]:
        """A candidate as the answer, with its gates, or the first gate that it does not pass."""
        candidate, syntax = item.candidate, document.syntax
        offer = candidate.offer
        readings = [
            *gates,
            GateReading(Reason.EMPTY, True, f"{candidate.source}: {candidate.reason}"),
            gate.meets_threshold(item.probability, rated.threshold),
            GateReading(Reason.REJECTED, True, "not turned down"),
        ]
        if item.sure:
            same = offer.is_noop(syntax.buffer.data)
            readings.append(
                GateReading(Reason.NO_OP, not same, "changes nothing" if same else f"{offer.delta:+d} bytes")
            )
            readings.append(gate.preserves_user_text(document, offer))
            readings.append(gate.parses_no_worse(syntax.error_count(), syntax.errors_with([offer])))
            if all(reading.passed for reading in readings):
                readings.append(self.groups.verdict(candidate, rated, document, cancel))
        failure = gate.first_failure(readings)
        if failure is not None:
            return failure
        steps = candidate.steps or ((candidate.reason, item.probability),)
        key = candidate.pattern if candidate.source == REPEAT else candidate.key
        value = NextEdit(offer, key, steps, candidate.group, candidate.source, candidate.pattern)
        return Shown(value, item.probability, tuple(readings))


def _ordered(own: Sequence[RatedCandidate], document: Document, byte: int) -> list[RatedCandidate]:
    """The candidates, likeliest first; if that is sure, the first sure edit of its change in reading order leads."""
    ranked = sorted(own, key=lambda item: -item.probability)
    if not ranked or not ranked[0].sure:
        return ranked
    best = ranked[0].candidate
    same_change = [item for item in ranked if item.sure and change_of(item.candidate) == change_of(best)]
    reading = _reading_order(document, byte)
    first = min(same_change, key=lambda item: reading(item.candidate))
    return [first, *(item for item in ranked if item is not first)]


def _reading_order(document: Document, byte: int) -> Callable[[EditCandidate], tuple[str, bool, int]]:
    """A sort key of candidates: from the line of the cursor on, then above it, then file by file."""
    buffer = document.syntax.buffer
    here = buffer.line_span(buffer.line_at(min(byte, len(buffer.data))))[0]

    def key(candidate: EditCandidate) -> tuple[str, bool, int]:
        elsewhere = candidate.document.uri if candidate.document.uri != document.uri else ""
        return elsewhere, not elsewhere and candidate.edit.start < here, candidate.edit.start

    return key


def listed_candidates(rated: RatedCandidates, document: Document, byte: int) -> list[RatedCandidate]:
    """The candidates of the queue, likeliest change first, without those that overlap a likelier change."""
    listed = [item for item in rated.items if item.candidate.source != NETWORK]
    best: dict[tuple[str, str], float] = {}
    for item in listed:
        change = change_of(item.candidate)
        best[change] = max(best.get(change, 0.0), item.probability)
    reading = _reading_order(document, byte)

    def key(item: RatedCandidate) -> tuple[object, ...]:
        change = change_of(item.candidate)
        return -round(best[change], 2), *change, *reading(item.candidate)

    by_line: dict[tuple[str, int], list[EditCandidate]] = {}
    kept: list[RatedCandidate] = []
    for item in sorted(listed, key=key):
        candidate = item.candidate
        line_at = candidate.document.syntax.buffer.line_at
        lines = range(candidate.line, min(line_at(candidate.edit.old_end), candidate.line + _MAX_COMPARED_LINES) + 1)
        rows = [by_line.setdefault((candidate.document.uri, line), []) for line in lines]
        if not any(_is_overlapping(candidate, other) for row in rows for other in row):
            kept.append(item)
            for row in rows:
                row.append(candidate)
    return kept


def _listed_changes(rated: RatedCandidates, document: Document, byte: int) -> list[list[RatedCandidate]]:
    """The candidates of the queue by change, likeliest change first."""
    listed = listed_candidates(rated, document, byte)
    return [list(items) for _, items in groupby(listed, key=lambda item: change_of(item.candidate))]


def _is_overlapping(candidate: EditCandidate, other: EditCandidate) -> bool:
    """Whether two edits of a file overlap; of different changes, an empty span counts as a byte."""
    here, there = candidate.edit, other.edit
    if change_of(candidate) == change_of(other):
        return is_overlapping(here, there)
    return here.start < max(there.old_end, there.start + 1) and there.start < max(here.old_end, here.start + 1)


def _queued(item: RatedCandidate) -> QueuedEdit:
    candidate = item.candidate
    document = candidate.document
    return QueuedEdit(
        document.uri, document.version, candidate.edit, item.probability, candidate.group, candidate.examples,
        candidate.line, candidate.like, candidate.key, candidate.pattern, item.sure, candidate.source,
    )  # fmt: skip


def _detail(refused: Suppressed, rated: RatedCandidates) -> str:
    """The reason that is shown: the remaining sites of a repeated edit, the open places, or that of the gate."""
    if refused.reason not in (Reason.EMPTY, Reason.LOW_PROBABILITY) or rated.typing:
        return refused.detail
    repeated = [item for item in rated.items if item.candidate.source == REPEAT and item.candidate.examples > 1]
    if repeated:
        return NextEdits(tuple(_queued(item) for item in repeated)).summary
    return summary_of(rated.places) or (NO_MORE_PLACES if rated.repeated else refused.detail)


def _refusals(rated: RatedCandidates) -> tuple[GateReading, ...]:
    """The reasons why changes of the user have no consequences, for `explain`."""
    return tuple(
        GateReading(Reason.NO_FIT, False, f"{refusal.source} {refusal.change}: {refusal.reason}")
        for refusal in rated.refusals
    )
