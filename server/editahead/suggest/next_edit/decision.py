"""The next edit: one decision over the candidates of every source, with one gate for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import groupby
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from editahead.runtime.ort import Cancel, Cancelled, InferenceError
from editahead.suggest.gate import cheap_gates, first_failure, meets_threshold, parses_no_worse
from editahead.suggest.next_edit.candidate_pool import CandidatePool, RatedCandidate, RatedMoment
from editahead.suggest.next_edit.edit_candidate import NETWORK, REPEAT, EditCandidate
from editahead.suggest.next_edit.open_places import next_place, summary_of
from editahead.suggest.next_edit.reversal import keeps_what_was_written, not_undoing
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

P = ParamSpec("P")
T = TypeVar("T")
NO_MORE_PLACES = "no more places"
NO_EDIT = "no edit to go on from"
NOTHING = "nothing follows from the edits so far"
STILL_TYPED = "a name is still being typed"
_LOOKED_AT = 4
_MOST_LINES = 50  # of one place that are compared with those of others


def _answered(decide: Callable[P, Decision[T]]) -> Callable[P, Decision[T]]:
    """Answer with a reason where a request is cancelled or a model fails."""

    @wraps(decide)
    def answer(*args: P.args, **kwargs: P.kwargs) -> Decision[T]:
        try:
            return decide(*args, **kwargs)
        except Cancelled as error:
            return interrupted(is_out_of_time=error.is_out_of_time)
        except InferenceError as error:
            return Suppressed(Reason.FAILED, str(error))

    return answer


class NextEditDecision:
    """Decides what is shown as the next edit, and what the queue lists. Lives on the inference thread."""

    def __init__(self, pool: CandidatePool | None = None) -> None:
        self.pool = pool or CandidatePool()
        self.groups = VerifiedGroups(self.pool.consequences.resolvers)

    @_answered
    def next_edit(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> Decision[NextEdit]:
        """The likeliest next edit of a document, the first in reading order where several of one change are sure."""
        stopped, moment = self._moment(document, byte, cancel, editor)
        if stopped is not None:
            return stopped
        gates = (GateReading(Reason.DISABLED, True, "editahead.nextEdit"), not_undoing(document))
        refused = first_failure(gates)
        own = [rated for rated in moment.items if rated.candidate.document.uri == document.uri]
        for rated in _ordered(own, document, byte)[:_LOOKED_AT] if refused is None else ():
            decision = self._shown(rated, document, moment, gates, cancel)
            if isinstance(decision, Shown):
                self.pool.remember(decision.value.key, rated.candidate)
                self.groups.verifier.remember(document.uri, document.syntax, decision.value.edit)
                return decision
            refused = refused or decision
        if refused is None:
            why = STILL_TYPED if moment.typing else NOTHING if moment.changed else NO_EDIT
            refused = Suppressed(Reason.EMPTY, why, (*gates, GateReading(Reason.EMPTY, False, why)))
        return Suppressed(refused.reason, _state(refused, moment), (*refused.gates, *_refusals(moment)))

    @_answered
    def elsewhere(
        self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None
    ) -> Decision[QueuedEdit]:
        """The likeliest sure candidate in another open file, for where the document itself has none.

        A file in which the last thing done was an undo is left alone, as the document itself is.
        """
        stopped, moment = self._moment(document, byte, cancel, editor)
        if stopped is not None:
            return stopped
        undone = {other.uri for other in document.others if other.history.undone_at is not None}
        for item in [] if moment.undone else self._items(moment, document, byte, cancel):
            if item.sure and item.uri != document.uri and item.uri not in undone:
                return Shown(item, item.probability)
        return Suppressed(Reason.EMPTY, "no sure place in another open file")

    @_answered
    def unopened(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> Decision[NextEdits]:
        """The places in files of the project that are not open; the network is not asked."""
        stopped = first_failure([_switch(document), *cheap_gates(document, None)])
        if stopped is not None:
            return stopped
        moment = self.pool.unopened(document, byte, cancel, editor)
        if items := tuple(self._items(moment, document, byte, cancel)):
            return Shown(NextEdits(items), items[0].probability)
        return Suppressed(Reason.EMPTY, "nothing follows in files that are not open")

    @_answered
    def place(self, document: Document, byte: int, cancel: Cancel) -> Decision[EditPlace]:
        """The next place that asks for an edit whose text is not sure, for where nothing is sure; without any model."""
        stopped = first_failure([_switch(document), *cheap_gates(document, None)])
        if stopped is not None:
            return stopped
        return next_place(self.pool.places(document, byte, cancel), document, byte)

    @_answered
    def queue(self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None) -> Decision[NextEdits]:
        """All remaining places of what the user has begun, in the document and in the others that are open."""
        stopped, moment = self._moment(document, byte, cancel, editor)
        if stopped is not None:
            return stopped
        items = tuple(self._items(moment, document, byte, cancel))
        if not items:
            none = NO_MORE_PLACES if moment.repeated else "no edit is repeated that could go on elsewhere"
            return Suppressed(Reason.EMPTY, none)
        return Shown(NextEdits(items), items[0].probability)

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self.pool.forget(uri)
        self.groups.forget(uri)

    def _items(self, moment: RatedMoment, document: Document, byte: int, cancel: Cancel) -> list[QueuedEdit]:
        """The places of the queue that break nothing, alone and with those of their change. Raises Cancelled."""
        listed = listed_candidates(moment, document, byte)
        compatible = set[int]()
        for _, group in groupby(listed, key=lambda rated: change_of(rated.candidate)):
            candidates = [rated.candidate for rated in group]
            compatible.update(map(id, self.groups.compatible(candidates, moment, document, cancel)))
        return [_queued(rated) for rated in listed if id(rated.candidate) in compatible]

    def _moment(
        self, document: Document, byte: int, cancel: Cancel, editor: NextEditor | None
    ) -> tuple[Suppressed | None, RatedMoment]:
        """The rated candidates, or why none are looked for."""
        stopped = first_failure([_switch(document), *cheap_gates(document, None)])
        if stopped is not None:
            return stopped, RatedMoment()
        return None, self.pool.rated(document, byte, cancel, editor)

    def _shown(
        self,
        rated: RatedCandidate,
        document: Document,
        moment: RatedMoment,
        gates: tuple[GateReading, ...],
        cancel: Cancel,
    ) -> Decision[NextEdit]:
        """A candidate as the answer, with its gates, or the first of them that it does not pass."""
        candidate, syntax = rated.candidate, document.syntax
        offer = candidate.offer
        readings = [
            *gates,
            GateReading(Reason.EMPTY, True, f"{candidate.source}: {candidate.reason}"),
            meets_threshold(rated.probability, moment.threshold),
            GateReading(Reason.REJECTED, True, "not turned down"),
        ]
        if rated.sure:
            same = offer.is_noop(syntax.buffer.data)
            readings.append(
                GateReading(Reason.NO_OP, not same, "changes nothing" if same else f"{offer.delta:+d} bytes")
            )
            readings.append(keeps_what_was_written(document, offer))
            readings.append(parses_no_worse(syntax.error_count(), syntax.errors_with([offer])))
            if all(reading.passed for reading in readings):
                readings.append(self.groups.verdict(rated.candidate, moment, document, cancel))
        failure = first_failure(readings)
        if failure is not None:
            return failure
        steps = candidate.steps or ((candidate.reason, rated.probability),)
        key = candidate.pattern if candidate.source == REPEAT else candidate.key
        value = NextEdit(offer, key, steps, candidate.group, candidate.source)
        return Shown(value, rated.probability, tuple(readings))


def _switch(document: Document) -> GateReading:
    return GateReading(Reason.DISABLED, document.settings.next_edit, "editahead.nextEdit")


def _ordered(own: Sequence[RatedCandidate], document: Document, byte: int) -> list[RatedCandidate]:
    """Candidates, likeliest first; before them the sure ones of the likeliest change, as a reader comes to them."""
    ranked = sorted(own, key=lambda rated: -rated.probability)
    if not ranked or not ranked[0].sure:
        return ranked
    best = ranked[0].candidate
    alike = [rated for rated in ranked if rated.sure and change_of(rated.candidate) == change_of(best)]
    reading = _reading_order(document, byte)
    first = min(alike, key=lambda rated: reading(rated.candidate))
    return [first, *(rated for rated in ranked if rated is not first)]


def _reading_order(document: Document, byte: int) -> Callable[[EditCandidate], tuple[str, bool, int]]:
    """Where a reader comes to a candidate: from the line of the cursor on, then above it, then file by file."""
    buffer = document.syntax.buffer
    here = buffer.line_span(buffer.line_at(min(byte, len(buffer.data))))[0]

    def key(candidate: EditCandidate) -> tuple[str, bool, int]:
        elsewhere = candidate.document.uri if candidate.document.uri != document.uri else ""
        return elsewhere, not elsewhere and candidate.edit.start < here, candidate.edit.start

    return key


def listed_candidates(moment: RatedMoment, document: Document, byte: int) -> list[RatedCandidate]:
    """The places of the queue, the likeliest change first; none lies on a likelier place of another change."""
    listed = [rated for rated in moment.items if rated.candidate.source != NETWORK]
    best: dict[tuple[str, str], float] = {}
    for rated in listed:
        change = change_of(rated.candidate)
        best[change] = max(best.get(change, 0.0), rated.probability)
    reading = _reading_order(document, byte)
    ordered = sorted(
        listed,
        key=lambda rated: (
            -round(best[change_of(rated.candidate)], 2),
            *change_of(rated.candidate),
            *reading(rated.candidate),
        ),
    )
    taken: dict[tuple[str, int], list[EditCandidate]] = {}  # by file and line
    kept: list[RatedCandidate] = []
    for rated in ordered:
        candidate = rated.candidate
        line_at = candidate.document.syntax.buffer.line_at
        lines = range(candidate.line, min(line_at(candidate.edit.old_end), candidate.line + _MOST_LINES) + 1)
        rows = [taken.setdefault((candidate.document.uri, line), []) for line in lines]
        if not any(_clash(candidate, other) for row in rows for other in row):
            kept.append(rated)
            for row in rows:
                row.append(candidate)
    return kept


def _clash(candidate: EditCandidate, other: EditCandidate) -> bool:
    """Whether two places of one file overlap; of different changes, an empty one counts as a byte."""
    here, there = candidate.edit, other.edit
    if change_of(candidate) == change_of(other):
        return is_overlapping(here, there)
    return here.start < max(there.old_end, there.start + 1) and there.start < max(here.old_end, here.start + 1)


def _queued(rated: RatedCandidate) -> QueuedEdit:
    candidate = rated.candidate
    document = candidate.document
    return QueuedEdit(
        document.uri, document.version, candidate.edit, rated.probability, candidate.group, candidate.examples,
        candidate.line, candidate.like, candidate.key, candidate.pattern, rated.sure, candidate.source,
    )  # fmt: skip


def _state(refused: Suppressed, moment: RatedMoment) -> str:
    """Why nothing is shown; how many places the queue has left of an edit that was made twice, or what others lack."""
    if refused.reason not in (Reason.EMPTY, Reason.LOW_PROBABILITY) or moment.typing:
        return refused.detail
    left = [rated for rated in moment.items if rated.candidate.source == REPEAT and rated.candidate.examples > 1]
    if left:
        return NextEdits(tuple(_queued(rated) for rated in left)).summary
    return summary_of(moment.places) or (NO_MORE_PLACES if moment.repeated else refused.detail)


def _refusals(moment: RatedMoment) -> tuple[GateReading, ...]:
    """Why changes of the user have no consequences, for `explain`."""
    return tuple(
        GateReading(Reason.NO_FIT, False, f"{refusal.source} {refusal.change}: {refusal.reason}")
        for refusal in moment.refusals
    )
