"""What a proposed hunk looks like as numbers, and how high the score of the logistic model over them can still get."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from editahead.runtime.logistic import LogisticModel

FEATURES = (
    "bias", "start", "lead", "inside", "end", "go", "entropy", "steps", "repeats", "agreement", "replayed", "rank",
    "uniform", "history", "alone", "certain",
)  # fmt: skip
LOWEST, LEAST_SHARE, MOST_REPEATS = -12.0, 1e-5, 3.0
"""Where ln P, a share and the number of repetitions are cut off."""


JOINT = LogisticModel(FEATURES, {"bias": 0.0, "start": 1.0, "inside": 1.0, "end": 1.0, "go": 1.0})
"""The scorer of a bundle without a fitted one: the joint probability alone."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is known of a hunk that has begun: `parts` that stay as they are, and what its end may still bring.

    `inside` is ln P of its steps so far; `agreement` the best likeness of its place to one where all it did so far was
    done before (None: nothing was); `replayed` holds the values that the feature may take.
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
        """The highest probability that it can get, whether it ends as a repetition or as something new."""
        open_ends = {
            "inside": (LOWEST, max(LOWEST, self.inside)),
            "end": (math.log(LEAST_SHARE), 0.0),
            "steps": (math.log(max(1, self.size)), math.log(self.most_steps)),
            "replayed": (min(self.replayed), max(self.replayed)),
        }
        lone = {"repeats": 0.0, "agreement": 0.0, "uniform": 0.0, "alone": math.log(1.0 + self.history), "certain": 0.0}
        found = scorer.at_most({**self.parts, **lone}, open_ends)
        if self.agreement is not None:
            again = {
                "repeats": (1.0, MOST_REPEATS),
                "agreement": (0.0, self.agreement),
                "uniform": (0.0, 1.0),
                "certain": (0.0, self.agreement * min(1.0, self.share)),
            }
            found = max(found, scorer.at_most({**self.parts, "alone": 0.0}, {**open_ends, **again}))
        return found
