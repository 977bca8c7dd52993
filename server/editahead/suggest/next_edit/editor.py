"""Candidates for the next edit from the edit model, given the user's own edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from editahead.encode.edit_model.history import region_lines
from editahead.encode.edit_model.text_positions import MapError, byte_edit
from editahead.runtime.bundle import MANIFEST, Bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.ort import Cancel, Selection
from editahead.suggest.gate import matches_example_region, not_after_undo, not_rejected, parses_no_worse, pattern_key
from editahead.suggest.next_edit.edit_candidate import NETWORK, EditCandidate, ResolvedRenaming, makes_renaming, unit_of
from editahead.suggest.next_edit.repeats.pattern_queue import PatternQueue
from editahead.suggest.next_edit.repeats.single_example import not_on_one_example
from editahead.suggest.next_edit.rollout.decoder_cache import DecoderCache, Present
from editahead.suggest.next_edit.rollout.hunk_search import Proposal, RollOut
from editahead.suggest.next_edit.rollout.rollout_features import FEATURES, JOINT
from editahead.suggest.types import Document
from editahead.text.edits import ByteEdit

SURFACE = "next_edit"
MAX_PROPOSALS = 8  # candidates of the network that are rated


@dataclass(frozen=True)
class _Candidate:
    """A proposal as an edit of the current text."""

    edit: ByteEdit
    probability: float
    proposal: Proposal


class NextEditor:
    """An edit model with its caches. Lives on the inference thread. Raises BundleError for an invalid bundle."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        self.model = EditModel(bundle, selection)
        self._memory = DecoderCache(self.model)
        self._calibration: Calibration = bundle.calibration(SURFACE)
        weights = bundle.manifest.get("scorer")
        file = bundle.path / MANIFEST
        self._scorer = LogisticModel.from_json(weights, "scorer", FEATURES, file) if weights else JOINT
        self.repeats = PatternQueue(bundle)

    def state_bytes(self) -> int:
        """Bytes of the model's state of open documents."""
        return self._memory.state_bytes()

    def forget(self, uri: str) -> None:
        """Drop everything about a closed document, and the queue of repeated edits of all documents."""
        self._memory.forget(uri)
        self.repeats.forget()

    def network(
        self, document: Document, byte: int, cancel: Cancel, least: float, resolved: Sequence[ResolvedRenaming] = ()
    ) -> tuple[list[EditCandidate], dict[str, float] | None]:
        """The network's candidates with a probability of its own of at least `least`, likeliest first.

        Also its `go` and `entropy`; None where it has no edit to continue. Raises Cancelled and InferenceError.
        """
        if not not_after_undo(document).passed:
            return [], None
        present = self._memory.present(document, cancel)
        if present is None:
            return [], None
        candidates = self._candidates(present, byte, cancel, least)
        data, before = document.syntax.buffer.data, document.syntax.error_count()
        kept: list[EditCandidate] = []
        answer = {"go": 0.0, "entropy": 0.0}
        for candidate in candidates:
            signals = dict(zip(FEATURES, candidate.proposal.features, strict=True))
            answer = {name: signals[name] for name in answer}
            if len(kept) >= MAX_PROPOSALS:
                break
            key = pattern_key(candidate.edit, data)
            cancel.check()
            passed = (
                not candidate.edit.is_noop(data)
                and not_rejected(document, key).passed
                and matches_example_region(document, candidate.edit).passed
                and not_on_one_example(document, candidate.edit).passed
                and not reverses(candidate.edit, present, document)
                and not makes_renaming(candidate.edit, data, resolved)
                and parses_no_worse(before, document.syntax.errors_with([candidate.edit])).passed
            )
            if passed:
                kept.append(
                    EditCandidate(
                        NETWORK, document, candidate.edit, candidate.edit, f"{NETWORK}-{len(kept)}", "", 0, 0, key, key,
                        "the network goes on from your edits", candidate.probability, signals, candidate.proposal.steps,
                        unit_of(document, candidate.edit),
                    )
                )  # fmt: skip
        return kept, answer

    def _candidates(self, present: Present, byte: int, cancel: Cancel, least: float) -> list[_Candidate]:
        """Different edits of the current text with a probability of at least `least`, likeliest first."""
        decoder = present.decoder
        try:
            positions = present.positions
        except MapError:
            return []
        best: dict[tuple[int, int, bytes], _Candidate] = {}
        search = RollOut(
            self.model,
            decoder,
            cancel=cancel,
            scorer=self._scorer,
            enough=lambda raw: self._calibration.apply(raw) >= least,
        )
        for proposal in search.proposals():
            edit = byte_edit(
                decoder.state.names, proposal.result, present.keys(proposal.decoder), positions, present.buffer
            )
            if edit is None:
                edit = ByteEdit(byte, byte, b"")
            probability = self._calibration.apply(self._scorer.probability(proposal.features))
            key = (edit.start, edit.old_end, edit.new)
            if key not in best or best[key].probability < probability:
                best[key] = _Candidate(edit, probability, proposal)
        return sorted(best.values(), key=lambda c: (-round(c.probability, 3), abs(c.edit.start - byte)))


def reverses(edit: ByteEdit, present: Present, document: Document) -> bool:
    """Whether an edit reverses the last edit of the history, or restores the old text of changed lines."""
    data = document.syntax.buffer.data
    view = document.history
    last = view.pending or (view.settled[-1] if view.settled else None)
    if last is not None and edit == last.inverse.trim(data):
        return True
    after = present.buffer.apply(edit)
    line_of, grown = present.buffer.line_at, after.line_count - present.buffer.line_count
    for region in present.regions:
        if line_of(edit.start) >= region.c1 + 1 or line_of(edit.old_end) < region.c0 - 1:
            continue
        last_line = region.c1 + (grown if line_of(edit.start) < max(region.c1, region.c0 + 1) else 0)
        is_valid = 0 <= region.c0 <= last_line <= after.line_count
        if is_valid and list(present.base[region.a0 : region.a1]) == region_lines(after, region.c0, last_line):
            return True
    return False


__all__ = ["SURFACE", "NextEditor", "pattern_key", "reverses"]
