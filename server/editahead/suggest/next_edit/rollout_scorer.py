"""What a proposed hunk looks like as numbers, the logistic model over them, and how high its score can still get."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from editahead.runtime.logistic import logistic, weighted

FEATURES = (
    "bias", "start", "lead", "inside", "end", "go", "entropy", "steps", "repeats", "agreement", "replayed", "rank",
    "uniform", "history", "alone", "certain",
)  # fmt: skip
LOWEST, LEAST_SHARE, MOST_REPEATS = -12.0, 1e-5, 3.0
"""Where ln P, a share and the number of repetitions are cut off."""


@dataclass(frozen=True, slots=True)
class RolloutScorer:
    """A logistic model over `FEATURES`, fitted on held-out projects; the default trusts the joint probability alone."""

    weights: Mapping[str, float] = field(
        default_factory=lambda: {"bias": 0.0, "start": 1.0, "inside": 1.0, "end": 1.0, "go": 1.0}
    )

    def probability(self, features: Sequence[float]) -> float:
        """The uncalibrated probability that the hunk is right."""
        return logistic(weighted(self.weights, FEATURES, features))

    def at_most(self, known: Mapping[str, float], limits: Mapping[str, tuple[float, float]]) -> float:
        """The highest probability of a hunk of which some features are known and the others lie between limits."""
        weight = self.weights.get
        total = sum(weight(name, 0.0) * value for name, value in known.items())
        total += sum(max(weight(name, 0.0) * low, weight(name, 0.0) * high) for name, (low, high) in limits.items())
        return logistic(total + 1e-9)  # the sums are not in the same order


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

    def best(self, scorer: RolloutScorer) -> float:
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
