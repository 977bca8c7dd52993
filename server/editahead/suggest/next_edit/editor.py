"""The next edit: what the model would do next after the user's own edits.

It is shown if it is sure enough and the gates let it pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from editahead.encode.edit_model.history import LineRegion, region_lines
from editahead.encode.edit_model.text_positions import MapError, byte_edit
from editahead.runtime.bundle import MANIFEST, Bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.edit_model import EditModel
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.ort import Cancel, Cancelled, InferenceError, Selection
from editahead.suggest.gate import (
    cheap_gates,
    first_failure,
    meets_threshold,
    not_rejected,
    parses_no_worse,
    pattern_key,
    threshold_for,
)
from editahead.suggest.next_edit.decoder_cache import EditMemory, Present
from editahead.suggest.next_edit.pattern_queue import RepeatQueue
from editahead.suggest.next_edit.resolved_renamings import ResolvedRenaming, makes_renaming
from editahead.suggest.next_edit.rollout import Proposal, RollOut
from editahead.suggest.next_edit.rollout_scorer import FEATURES, JOINT
from editahead.suggest.next_edit.single_example import not_on_one_example
from editahead.suggest.next_edit.text_regions import where_examples_are
from editahead.suggest.types import (
    Decision,
    Document,
    GateReading,
    NextEdit,
    NextEdits,
    QueuedEdit,
    Reason,
    Shown,
    Suppressed,
)
from editahead.text.edits import ByteEdit
from editahead.text.percent import percent

SURFACE = "next_edit"
NO_MORE_PLACES = "no more places"
_LOOKED_AT = 4


@dataclass(frozen=True)
class _Candidate:
    """A proposal as an edit of the current text."""

    edit: ByteEdit
    probability: float
    proposal: Proposal


@dataclass(frozen=True)
class RankedProposal:
    """A proposal as an edit of the text that it was made for, with what its probability is made of."""

    edit: ByteEdit
    features: tuple[float, ...]
    present: Present


class NextEditor:
    """One edit model at work. Lives on the inference thread. Raises BundleError when the bundle does not work."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        self.model = EditModel(bundle, selection)
        self._memory = EditMemory(self.model)
        self._calibration: Calibration = bundle.calibration(SURFACE)
        weights = bundle.manifest.get("scorer")
        file = bundle.path / MANIFEST
        self._scorer = LogisticModel.from_json(weights, "scorer", FEATURES, file) if weights else JOINT
        self.repeats = RepeatQueue(bundle)

    def suggest(
        self,
        document: Document,
        byte: int,
        cancel: Cancel,
        *,
        thorough: bool = False,
        resolved: Sequence[ResolvedRenaming] = (),
    ) -> Decision[NextEdit]:
        """The next edit of a document, or the reason why there is none.

        It is the model's, or the surest place of the queue of repeated edits where that is surer. `byte` (the cursor)
        breaks ties in favour of what is near. With `thorough`, proposals that could not be shown are followed to their
        end, so that the reason for silence holds the probability of the surest. Nothing repeats a renaming that is
        `resolved`.
        """
        gates = [GateReading(Reason.DISABLED, document.settings.next_edit, "editahead.nextEdit")]
        gates += cheap_gates(document, None)
        stopped = first_failure(gates)
        if stopped is not None:
            return stopped
        try:
            cancel.check()
            repeated = self.repeats.best(document, byte, cancel, resolved)
            rival = repeated.probability if repeated is not None else 0.0
            own = self._own(document, byte, cancel, gates, rival, thorough, resolved)
            if repeated is None and isinstance(own, Suppressed):
                own = self._with_queue(own, document, byte, cancel, resolved)
        except Cancelled:
            return Suppressed(Reason.CANCELLED, "a newer request took over")
        except InferenceError as error:
            return Suppressed(Reason.FAILED, str(error))
        if repeated is None or (isinstance(own, Shown) and own.probability >= repeated.probability):
            return own
        return repeated

    def state_bytes(self) -> int:
        """Bytes of what the model keeps of open documents."""
        return self._memory.state_bytes()

    def forget(self, uri: str) -> None:
        """Drop all that is kept of a closed document; the queue, which is one of several, as a whole."""
        self._memory.forget(uri)
        self.repeats.forget()

    def proposed(self, document: Document, byte: int, cancel: Cancel) -> list[RankedProposal]:
        """Everything that the model would do next, surest first, whatever its probability: what it is fitted on."""
        present = None if first_failure([not_undoing(document)]) else self._memory.present(document, cancel)
        if present is None:
            return []
        found, _ = self._candidates(present, byte, cancel, 0.0)
        return [RankedProposal(one.edit, one.proposal.features, present) for one in found]

    def queue(
        self, document: Document, byte: int, cancel: Cancel, resolved: Sequence[ResolvedRenaming] = ()
    ) -> Decision[NextEdits]:
        """All remaining places of the edits that the user repeats, in the document and in the others that are open."""
        gates = [GateReading(Reason.DISABLED, document.settings.next_edit, "editahead.nextEdit")]
        stopped = first_failure(gates + cheap_gates(document, None))
        if stopped is not None:
            return stopped
        if self.repeats.model is None:
            return Suppressed(Reason.NO_MODEL, f"{self.model.bundle.manifest.name} does not rate repeated edits")
        try:
            cancel.check()
            items = tuple(self.repeats.places(document, byte, cancel, resolved))
        except Cancelled:
            return Suppressed(Reason.CANCELLED, "a newer request took over")
        if not items:
            repeated = self.repeats.repeated
            return Suppressed(
                Reason.EMPTY, NO_MORE_PLACES if repeated else "no edit is repeated that could go on elsewhere"
            )
        return Shown(NextEdits(items), items[0].probability)

    def elsewhere(
        self, document: Document, byte: int, cancel: Cancel, resolved: Sequence[ResolvedRenaming] = ()
    ) -> Decision[QueuedEdit]:
        """Where the user's repeated edit surely goes on in another open file.

        Used once the document itself holds no next edit.
        """
        decision = self.queue(document, byte, cancel, resolved)
        if isinstance(decision, Suppressed):
            return decision
        item = self.repeats.elsewhere(document, byte, cancel, resolved)
        if item is None:
            return Suppressed(Reason.EMPTY, "no sure place in another open file")
        return Shown(item, item.probability)

    def _with_queue(
        self, own: Suppressed, document: Document, byte: int, cancel: Cancel, resolved: Sequence[ResolvedRenaming]
    ) -> Suppressed:
        """A refusal with the state of the queue, once an edit was made twice.

        So nobody need wonder whether it was noticed.
        """
        if own.reason not in (Reason.EMPTY, Reason.LOW_PROBABILITY):
            return own
        items = tuple(item for item in self.repeats.places(document, byte, cancel, resolved) if item.examples > 1)
        if items:
            return Suppressed(own.reason, NextEdits(items).summary, own.gates)
        return Suppressed(own.reason, NO_MORE_PLACES, own.gates) if self.repeats.repeated else own

    def _own(
        self,
        document: Document,
        byte: int,
        cancel: Cancel,
        gates: Sequence[GateReading],
        rival: float,
        thorough: bool,
        resolved: Sequence[ResolvedRenaming],
    ) -> Decision[NextEdit]:
        """The model's own next edit. One that is less sure than `rival` need not be found: the rival is shown."""
        gates = [*gates, not_undoing(document)]
        hope = self._calibration.apply(1.0)
        if hope < rival:
            gates.append(meets_threshold(hope, rival))
        stopped = first_failure(gates)
        if stopped is not None:
            return stopped
        present = self._memory.present(document, cancel)
        reading = GateReading(
            Reason.EMPTY, present is not None, "no edit to go on from" if present is None else "edits to go on from"
        )
        if present is None:
            return Suppressed(Reason.EMPTY, reading.value, (*gates, reading))
        threshold = threshold_for(self._calibration, document.settings.precision)
        candidates, given_up = self._candidates(present, byte, cancel, max(threshold, rival))
        if rival > threshold and any(candidate.probability >= rival for candidate in candidates):
            candidates, given_up = self._candidates(present, byte, cancel, threshold)
        if not candidates and given_up and thorough:
            candidates, _ = self._candidates(present, byte, cancel, 0.0)
        elif not candidates and given_up:  # what they would have come to is not known
            none = f"no proposal reaches {percent(max(threshold, rival))}"
            reading = GateReading(Reason.LOW_PROBABILITY, False, none)
            return Suppressed(reading.reason, reading.value, (*gates, reading))
        reading = GateReading(Reason.EMPTY, bool(candidates), f"{len(candidates)} continuations")
        if not candidates:
            return Suppressed(reading.reason, "nothing follows from the edits so far", (*gates, reading))
        refused: Suppressed | None = None
        for candidate in longest_first(candidates[:_LOOKED_AT], threshold):
            key = pattern_key(candidate.edit, document.syntax.buffer.data)
            readings = [*gates, *self._gates(document, present, candidate, key, threshold)]
            if readings[-1].passed:
                readings.append(_no_resolved_renaming(candidate.edit, document, resolved))
            failure = first_failure(readings)
            if failure is None:
                value = NextEdit(candidate.edit, key, candidate.proposal.steps)
                return Shown(value, candidate.probability, tuple(readings))
            refused = refused or failure
        assert refused is not None
        return refused

    def _candidates(self, present: Present, byte: int, cancel: Cancel, least: float) -> tuple[list[_Candidate], bool]:
        """Different edits of the current text with a probability of `least` or more, surest first.

        Also says whether others were given up on the way.
        """
        trail = present.trail
        try:
            where = present.places
        except MapError:
            return [], False
        found: dict[tuple[int, int, bytes], _Candidate] = {}
        search = RollOut(
            self.model,
            trail,
            cancel=cancel,
            scorer=self._scorer,
            enough=lambda raw: self._calibration.apply(raw) >= least,
        )
        for proposal in search.proposals():
            edit = byte_edit(trail.state.names, proposal.result, present.keys(proposal.trail), where, present.buffer)
            if edit is None:
                edit = ByteEdit(byte, byte, b"")
            probability = self._calibration.apply(self._scorer.probability(proposal.features))
            known = found.get((edit.start, edit.old_end, edit.new))
            if known is None or known.probability < probability:
                found[(edit.start, edit.old_end, edit.new)] = _Candidate(edit, probability, proposal)
        ordered = sorted(found.values(), key=lambda c: (-round(c.probability, 3), abs(c.edit.start - byte)))
        return ordered, search.given_up > 0.0

    @staticmethod
    def _gates(
        document: Document, present: Present, candidate: _Candidate, key: str, threshold: float
    ) -> Iterator[GateReading]:
        edit, data = candidate.edit, document.syntax.buffer.data
        same = edit.is_noop(data)
        yield GateReading(Reason.NO_OP, not same, "changes nothing" if same else f"{edit.delta:+d} bytes")
        yield meets_threshold(candidate.probability, threshold)
        yield not_rejected(document, key)
        if same or candidate.probability < threshold:
            return
        yield where_examples_are(document, edit)
        yield not_on_one_example(document, edit)
        undone = reverses(edit, present, document)
        yield GateReading(Reason.REVERSAL, not undone, "takes back your edit" if undone else "goes on from your edits")
        yield parses_no_worse(document.syntax.error_count(), document.syntax.errors_with([edit]))


def longest_first(candidates: Sequence[_Candidate], threshold: float) -> list[_Candidate]:
    """Candidates, surest first.

    Before the surest come those that go on from it and are sure enough too, longest first.
    """
    if not candidates:
        return []
    head, rest = candidates[0], list(candidates[1:])
    size = len(head.proposal.edits)
    longer = [
        candidate
        for candidate in rest
        if candidate.probability >= threshold > 0.0 and candidate.proposal.edits[:size] == head.proposal.edits
    ]
    longer.sort(key=lambda candidate: -len(candidate.proposal.edits))
    return [*longer, head, *(candidate for candidate in rest if candidate not in longer)]


def _no_resolved_renaming(edit: ByteEdit, document: Document, resolved: Sequence[ResolvedRenaming]) -> GateReading:
    """What the user renamed is renamed where scopes say so, and nowhere else."""
    repeats = makes_renaming(edit, document.syntax.buffer.data, resolved)
    return GateReading(Reason.NO_FIT, not repeats, "renames another name" if repeats else "renames no other name")


def not_undoing(document: Document) -> GateReading:
    """After an undo nothing is offered until the user changes something: most likely it would be that very edit."""
    undone = document.history.undone_at is not None
    return GateReading(Reason.REVERSAL, not undone, "you have just undone an edit" if undone else "no undo")


def reverses(edit: ByteEdit, present: Present, document: Document) -> bool:
    """Whether an edit takes back a burst of the history, or gives changed lines their old text again."""
    data = document.syntax.buffer.data
    view = document.history
    last = view.pending or (view.settled[-1] if view.settled else None)
    if last is not None and edit == last.inverse.trimmed(data):
        return True
    after = present.buffer.apply(edit)
    line_of, grown = present.buffer.line_at, after.line_count - present.buffer.line_count
    for region in present.regions:
        if line_of(edit.start) >= region.c1 + 1 or line_of(edit.old_end) < region.c0 - 1:
            continue
        last_line = region.c1 + (grown if line_of(edit.start) < max(region.c1, region.c0 + 1) else 0)
        if 0 <= region.c0 <= last_line <= after.line_count and _restored(
            region, present, region_lines(after, region.c0, last_line)
        ):
            return True
    return False


def _restored(region: LineRegion, present: Present, lines: list[str]) -> bool:
    return list(present.base[region.a0 : region.a1]) == lines


__all__ = ["SURFACE", "NextEditor", "RankedProposal", "pattern_key", "reverses"]
