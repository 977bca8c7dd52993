"""The features of proposed hunks for the scorer of a roll-out, and an upper bound of an incomplete hunk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from editahead.runtime.edit_model.states import DecoderState
from editahead.runtime.logistic import LogisticModel
from editahead.suggest.next_edit.rollout.edit_programs import Edits, PastHunks, Program, program_of_edits

FEATURES = (
    "bias", "start", "lead", "inside", "end", "go", "entropy", "steps", "repeats", "agreement", "replayed", "rank",
    "uniform", "history", "alone", "certain",
)  # fmt: skip
MIN_LOG, MIN_SHARE, MAX_REPEATS = -12.0, 1e-5, 3.0  # limits of ln P, of a share and of the number of repetitions

JOINT = LogisticModel(FEATURES, {"bias": 0.0, "start": 1.0, "inside": 1.0, "end": 1.0, "go": 1.0})
"""The scorer of a bundle without a fitted scorer: the joint probability."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The features of an incomplete hunk: `parts` are final, others have bounds.

    `inside` is ln P of its steps so far; `agreement` the best similarity of its position to that of an earlier hunk
    with the same first steps (None without such a hunk); `replayed` holds the possible values of that feature.
    """

    parts: Mapping[str, float]
    inside: float
    size: int
    most_steps: int
    share: float
    agreement: float | None
    history: int
    replayed: tuple[float, ...]

    def best(self, scorer: LogisticModel) -> float:
        """The highest probability that the hunk can have, as a repetition or not."""
        open_ends = {
            "inside": (MIN_LOG, max(MIN_LOG, self.inside)),
            "end": (math.log(MIN_SHARE), 0.0),
            "steps": (math.log(max(1, self.size)), math.log(self.most_steps)),
            "replayed": (min(self.replayed), max(self.replayed)),
        }
        lone = {"repeats": 0.0, "agreement": 0.0, "uniform": 0.0, "alone": math.log(1.0 + self.history), "certain": 0.0}
        bound = scorer.at_most({**self.parts, **lone}, open_ends)
        if self.agreement is not None:
            again = {
                "repeats": (1.0, MAX_REPEATS),
                "agreement": (0.0, self.agreement),
                "uniform": (0.0, 1.0),
                "certain": (0.0, self.agreement * min(1.0, self.share)),
            }
            bound = max(bound, scorer.at_most({**self.parts, "alone": 0.0}, {**open_ends, **again}))
        return bound


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
