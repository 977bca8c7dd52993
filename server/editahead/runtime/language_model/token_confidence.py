"""Confidence of the tokens of a continuation: the probability that it is correct up to each token.

A continuation of n tokens is right when each of its tokens is, so its probability is a product that only falls:
p_n = q_1 q_2 .. q_n, q_i the probability that token i is right when those before it are. The model's own estimate of
q_i is refined by further features (`FEATURES`): a logistic regression, fitted on held-out projects on
tokens whose predecessors were right, with its weights in the bundle under `ghost_text`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from editahead.runtime.logistic import LogisticModel, clamped_log_odds, read_monotonic

ENTRY = "ghost_text"  # where the weights stand in the manifest
_FARTHEST = 30.0  # log odds are kept within this
_MIN_PROBABILITY = 1e-4  # probabilities are clamped by this at both ends before logarithms are taken

FEATURES = (
    "bias",
    "odds",  # log odds of the token
    "second",  # ln P of the next best
    "unknown",  # ln P of a name that neither vocabulary nor memory has
    "line_end",
    "line_end_above_code",  # the same where the file goes on below
    "name",
    "pointer",
    "cache",
    "contexts",  # how many contexts of the file's n-grams were seen, of at most four
    "cached",  # what they say of this token
    "times",  # ln(1 + how often the longest was seen)
    "first",
    "position",  # tokens before it, of at most eight
    "next_lines",  # the token stands on a line after the cursor's
    "typed",  # its first letters are typed
    "letters",  # how many, at most four
    "project",  # how many contexts other files of the project hold, of at most six
    "odds_typed",  # the log odds once more where the first letters are typed,
    "odds_name",  # where the token is a name,
    "odds_line_end",  # and where it ends the line
)
SLOPES = ("odds_typed", "odds_name", "odds_line_end")
"""What is added to the weight of the log odds where it holds. Typed letters are always those of a name."""


@dataclass(frozen=True, slots=True)
class TokenFeatures:
    """The features of a predicted token of a continuation. Probabilities are in [0, 1]."""

    probability: float
    second: float
    unknown: float
    source: str
    line_end: bool
    above_code: bool
    name: bool
    contexts: int
    cached: float
    times: int
    position: int
    next_lines: bool
    letters: int
    project: int = 0

    def features(self) -> tuple[float, ...]:
        """Return a value for each of `FEATURES`."""
        odds = clamped_log_odds(self.probability, _MIN_PROBABILITY)
        return (
            1.0,
            odds,
            math.log(max(self.second, _MIN_PROBABILITY)),
            math.log(max(self.unknown, _MIN_PROBABILITY)),
            float(self.line_end),
            float(self.line_end and self.above_code),
            float(self.name),
            float(self.source == "pointer"),
            float(self.source == "cache"),
            self.contexts / 4,
            self.cached,
            math.log1p(self.times),
            float(self.position == 0),
            min(self.position, 8) / 8,
            float(self.next_lines),
            float(self.letters > 0),
            float(min(self.letters, 4)),
            self.project / 6,
            odds * (self.letters > 0),
            odds * self.name,
            odds * self.line_end,
        )


def least_slope(weights: Mapping[str, float]) -> float:
    """Return the least weight that the log odds of a token have; below 0, a likelier token would be less sure."""
    typed, name, line_end = (weights.get(slope, 0.0) for slope in SLOPES)
    return weights.get("odds", 0.0) + min(0.0, name, name + typed, line_end)


def token_confidence(entry: object, file: Path) -> LogisticModel:
    """Load the regression over `FEATURES` of a bundle's `file`; without it the model's probability is used.

    Raises BundleError when the weights are no finite numbers.
    """
    if entry is None:
        return token_model()
    return token_model(read_monotonic(entry, ENTRY, FEATURES, file, least_slope))


def token_model(weights: Mapping[str, float] | None = None) -> LogisticModel:
    """Return a regression over `FEATURES`; without weights it returns the model's probability."""
    return LogisticModel(FEATURES, {"odds": 1.0} if weights is None else weights, _FARTHEST)
