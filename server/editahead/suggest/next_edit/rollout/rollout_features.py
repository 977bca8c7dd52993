"""The features of proposed hunks for the scorer of a roll-out."""

from __future__ import annotations

import math

import numpy as np

from editahead.runtime.edit_model.states import DecoderState
from editahead.suggest.next_edit.rollout.edit_programs import Edits, Program, program_of_edits
from editahead.suggest.next_edit.rollout.past_hunks import PastHunks
from editahead.suggest.next_edit.rollout.rollout_scorer import FEATURES, MAX_REPEATS, MIN_LOG, MIN_SHARE, Outlook


class HunkFeatures:
    """The features of all hunks from a decoder state.

    `open_share` is P that the next edit is no continuation; it is set once the starts are scored.
    """

    def __init__(self, decoder: DecoderState, past: PastHunks) -> None:
        self._decoder, self._past = decoder, past
        self.open_share = 1.0
        self._of_request: dict[str, float] = {}

    def values(self, edits: Edits, inside: float, stay: float, replayed: bool, rank: int) -> tuple[float, ...]:
        """The features of a finished hunk, in the order of FEATURES.

        `inside` is ln P of its steps, `stay` P that the next edit is in its lines, `rank` that of its start.
        """
        name = edits[0][0]
        program = self._program(edits)
        repeats, agreement = self._past.likeness(program, self._decoder.state.root(name))
        values = {
            **self._parts(name, rank),
            "inside": max(MIN_LOG, inside),
            "end": math.log(max(MIN_SHARE, 1.0 - stay)),
            "steps": math.log(len(edits)),
            "repeats": min(MAX_REPEATS, float(repeats)),
            "agreement": agreement,
            "replayed": float(replayed),
            "uniform": repeats / max(1, len(self._past)),
            "alone": float(repeats == 0) * math.log(1.0 + len(self._past)),
            "certain": agreement * min(1.0, self._share(name)),
        }
        return tuple(values[feature] for feature in FEATURES)

    def outlook(self, edits: Edits, inside: float, rank: int, most_steps: int, replayed: tuple[float, ...]) -> Outlook:
        """The outlook of a hunk that begins with `edits`; `replayed`: the possible values of that feature."""
        name = edits[0][0]
        return Outlook(
            self._parts(name, rank),
            inside,
            len(edits),
            most_steps,
            self._share(name),
            self._past.agreement(self._decoder.state.root(name), self._program(edits)),
            len(self._past),
            replayed,
        )

    def _program(self, edits: Edits) -> Program:
        return program_of_edits(self._decoder, edits, self._decoder.encoded.size + len(self._decoder.edits))

    def _share(self, name: int) -> float:
        """P that the next hunk starts at a name, given that it is no continuation."""
        assert self._decoder.position is not None
        return float(np.exp(self._decoder.position[name])) / self.open_share

    def _parts(self, name: int, rank: int) -> dict[str, float]:
        """The features that depend on the start only."""
        position = self._decoder.position
        assert position is not None
        start = float(position[name])
        shared = self._of_request
        if not shared:
            shares = np.exp(position)
            initial = [other for other in self._decoder.state.names[:-1] if other < self._decoder.encoded.size]
            shared["top"] = float(position[initial].max())
            shared["go"] = math.log(max(MIN_SHARE, 1.0 - float(shares[-1]) / self.open_share))
            shared["entropy"] = -float((shares * np.maximum(position, -20.0)).sum())
        return {
            "bias": 1.0,
            "start": max(MIN_LOG, min(0.0, start - math.log(self.open_share))),
            "lead": max(MIN_LOG, min(0.0, start - shared["top"])),
            "go": shared["go"],
            "entropy": shared["entropy"],
            "rank": float(rank),
            "history": math.log(1.0 + len(self._past)),
        }
