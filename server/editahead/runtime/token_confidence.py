"""From a model's probability of a token to the chance that a continuation is right up to there.

A continuation of n tokens is right when each of its tokens is, so its probability is a product that only falls:
p_n = q_1 q_2 .. q_n, q_i the probability that token i is right when those before it are. The model's own estimate of
q_i is made better by what else is known there (`FEATURES`): a logistic regression, fitted on held-out projects on
tokens whose predecessors were right, with its weights in the bundle under `ghost_text`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from editahead.runtime.logistic import logistic, weighted

_LEAST = 1e-4  # probabilities are kept within [_LEAST, 1 - _LEAST] before logarithms are taken

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
)


@dataclass(frozen=True, slots=True)
class TokenFeatures:
    """What is known of one token of a continuation when it is predicted. Probabilities in [0, 1]."""

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
        """One value for each of `FEATURES`."""
        p = min(max(self.probability, _LEAST), 1 - _LEAST)
        return (
            1.0,
            math.log(p / (1 - p)),
            math.log(max(self.second, _LEAST)),
            math.log(max(self.unknown, _LEAST)),
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
        )


@dataclass(frozen=True)
class TokenConfidence:
    """The logistic regression over `FEATURES`; the default takes the model's probability at its word."""

    weights: Mapping[str, float] = field(default_factory=lambda: {"odds": 1.0})

    @classmethod
    def from_manifest(cls, entry: object) -> TokenConfidence:
        """The weights that a bundle stores; raises ValueError, one line, when they are no finite numbers."""
        if entry is None:
            return cls()
        if not isinstance(entry, Mapping):
            raise ValueError("ghost_text must be an object of weights")
        unknown = set(entry) - set(FEATURES)
        if unknown:
            raise ValueError(f"ghost_text weighs {sorted(unknown)[0]!r}, which is no feature of this version")
        weights: dict[str, float] = {}
        for name, value in entry.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ValueError(f"ghost_text.{name} {value!r} is not a finite number")
            weights[str(name)] = float(value)
        if weights.get("odds", 0.0) < 0:
            raise ValueError("ghost_text.odds must not be negative")
        return cls(weights)

    def probability(self, features: Sequence[float]) -> float:
        """The probability that the token is right when those before it are."""
        return logistic(weighted(self.weights, FEATURES, features), 30.0)
