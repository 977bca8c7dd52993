"""The features of a proposed hunk, and an upper bound of its probability before it is complete."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from editahead.runtime.logistic import LogisticModel

FEATURES = (
    "bias", "start", "lead", "inside", "end", "go", "entropy", "steps", "repeats", "agreement", "replayed", "rank",
    "uniform", "history", "alone", "certain",
)  # fmt: skip
MIN_LOG, MIN_SHARE, MAX_REPEATS = -12.0, 1e-5, 3.0
"""Limits of ln P, of a share and of the number of repetitions."""


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
