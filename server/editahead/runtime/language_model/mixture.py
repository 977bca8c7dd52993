"""Weights of the parts of the mixture, fitted and stored in a bundle under `limits`.

The file's n-grams stand beside the model with the share g: `p = (1 - g) p_model + g p_ngrams`, g a logistic function of
features of both (`GATE_FEATURES`). Earlier bundles store a share for each amount of evidence (`cache_weights`).
The token that an earlier context lets expect (`context_matches.py`) gets a share m in the same way:
`p' = (1 - m) p + m [it is that token]`, m a logistic function of `MATCH_FEATURES`.

The mass U of unknown names, those that are neither listed nor in memory, is spread over the names that stand within
reach and "none of them" by a conditional logit (McFadden 1974): the weight of a name is exp(w . x), x its
`NAME_FEATURES`; that of none exp(v . z), z the position's `NONE_FEATURES`. With letters typed, U shrinks by the
probability that a name begins with them, estimated from the spelling of the listed names (`PrefixModel`).

N names.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead.runtime.language_model.ngrams import BUCKETS
from editahead.runtime.logistic import LogisticModel, logistic, read_weights
from editahead.runtime.manifest import BundleError

Floats = npt.NDArray[np.float64]
MIN_PROBABILITY = 1e-6  # probabilities are at least this before a logarithm is taken
LAST_CHARACTER = "\U0010ffff"  # sorts behind every other
_FARTHEST = 30.0  # log odds are kept within this

GATE_FEATURES = (
    "bias",
    "contexts",  # contexts of the n-grams that the file holds, 1 to 4
    "times",  # ln(1 + how often the longest was seen)
    "cache_top",  # ln P of the n-grams' first choice
    "model_top",  # ln P of the model's first choice
    "model_of_cache_top",  # ln P that the model gives to the n-grams' first choice
    "agree",  # 1 where both have the same first choice
    "copied",  # the pointer's share, lambda_1
    "entropy",  # of the model, nats
    "typed",  # 1 where letters are typed
    "prefix_odds",  # ln of the n-grams' mass on texts with the typed letters, minus ln of the model's
    "project_contexts",  # contexts of the n-grams that other files of the project hold, 2 to 6, or 0
    "project_times",
)
MATCH_FEATURES = (
    "bias",
    "length",  # ln of the tokens of the context
    "long",  # 1 where it has 20 tokens and more
    "same",  # ln(1 + names of the context that are the same there)
    "renamed",  # ln(1 + different names that stand for others)
    "mapped",  # 1 where the token is a name of the context
    "unmapped",  # 1 where it is another name
    "derived",  # 1 where its words are replaced as in the names of the context
    "rival",  # ln(1 + tokens of the longest context that another token followed)
    "line_end",
    "of_mixture",  # ln P of the token without the match
    "top",  # ln P of the first choice without it
    "agree",  # 1 where that is the token
    "typed",  # 1 where its first letters are typed
)
NAME_FEATURES = (
    "below",  # stands below the cursor
    "below_lines",  # ln(1 + lines down to it)
    "above",  # stands above the cursor, but not in memory
    "above_lines",
    "open",  # stands in another open document
    "open_count",  # ln of how often
    "project",  # stands elsewhere in the project
    "project_count",  # ln of how often
    "project_files",  # ln of in how many files
    "related",  # shares a part of its spelling with a name beside the cursor
    "capital",  # begins with a capital
    "capital_attribute",  # and stands behind a dot
    "private",  # begins with an underscore
)
NONE_FEATURES = (
    "none",
    "none_used",  # share of U on names that are used, not declared
    "none_attribute",  # 1 behind a dot
    "none_letter_1",  # 1 where a single letter is typed
    "none_letter_2",
    "none_letter_3",  # three or more
)


@dataclass(frozen=True)
class CacheGate:
    """The share of the file's n-grams; `shares` are those of an earlier bundle, by evidence."""

    weights: Mapping[str, float] = field(default_factory=dict)
    shares: tuple[float, ...] = ()

    @classmethod
    def from_limits(cls, limits: Mapping[str, Any], file: Path) -> CacheGate:
        """Read the gate from the `limits` of a bundle's `file`. Raises BundleError."""
        shares = tuple(limits.get("cache_weights", ()))
        if len(shares) not in (0, BUCKETS) or not all(_is_share(share) for share in shares):
            raise BundleError(file, f"limits.cache_weights as {BUCKETS} numbers in [0, 1)", repr(list(shares)))
        return cls(read_weights(limits.get("cache_gate", {}), "limits.cache_gate", GATE_FEATURES, file), shares)

    @cached_property
    def _model(self) -> LogisticModel:
        return LogisticModel(GATE_FEATURES, self.weights, _FARTHEST)

    def share(self, features: Sequence[float], bucket: int) -> float:
        """Return the share g, in [0, 1]; 0 where nothing was fitted."""
        if self.weights:
            return self._model.probability(features)
        if self.shares and self.shares[bucket] > 0:
            share = self.shares[bucket]
            return logistic(math.log(share / (1 - share)) + features[GATE_FEATURES.index("prefix_odds")], _FARTHEST)
        return 0.0


@dataclass(frozen=True)
class MatchGate:
    """The share of the token that an earlier context lets expect; 0 where nothing was fitted."""

    weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def from_limits(cls, limits: Mapping[str, Any], file: Path) -> MatchGate:
        """Read the gate from the `limits` of a bundle's `file`. Raises BundleError."""
        return cls(read_weights(limits.get("match_gate", {}), "limits.match_gate", MATCH_FEATURES, file))

    @cached_property
    def _model(self) -> LogisticModel:
        return LogisticModel(MATCH_FEATURES, self.weights, _FARTHEST)

    def share(self, features: Sequence[float]) -> float:
        """Return the share m, in [0, 1]."""
        return self._model.probability(features) if self.weights else 0.0


@dataclass(frozen=True)
class NameChoice:
    """A conditional logit over the names within reach that an unknown name may be; the defaults are for old bundles."""

    weights: Mapping[str, float] = field(
        default_factory=lambda: {"below_lines": -0.5, "above_lines": -0.5, "open": -3.0, "project": -4.0, "none": 1.0}
    )

    @classmethod
    def from_limits(cls, limits: Mapping[str, Any], file: Path) -> NameChoice:
        """Read the weights from the `limits` of a bundle's `file`. Raises BundleError."""
        entry, features = limits.get("elsewhere"), (*NAME_FEATURES, *NONE_FEATURES)
        return cls() if entry is None else cls(read_weights(entry, "limits.elsewhere", features, file))

    @cached_property
    def _of_features(self) -> Floats:
        return np.array([self.weights.get(name, 0.0) for name in NAME_FEATURES])

    def shares(self, names_NF: Floats, none: Sequence[float]) -> Floats:
        """Return P (N,) of each name given that the name is unknown; the rest is P of none of them."""
        logits_N = names_NF @ self._of_features
        other = LogisticModel(NONE_FEATURES, self.weights).log_odds(none)
        top = max(other, float(logits_N.max(initial=-math.inf)))
        mass_N = np.exp(logits_N - top)
        shares_N: Floats = mass_N / (mass_N.sum() + math.exp(other - top))
        return shares_N


class PrefixModel:
    """A character model of the beginnings of names: a prefix tree of counts with smoothing.

    P(c | letters before) = (n(letters before, c) + s f(c)) / (n(letters before) + s), f(c) the share of c in all names.
    """

    def __init__(self, names: Iterable[str], strength: float = 4.0) -> None:
        self._sorted = sorted(set(names))
        self._strength = strength
        counts = Counter("".join(self._sorted))
        total = sum(counts.values()) + 1
        self._rest = 1 / total
        self._frequency = {character: n / total for character, n in counts.items()}

    def probability(self, letters: str) -> float:
        """Return the probability, in (0, 1], that a name begins with these letters."""
        p = 1.0
        before = len(self._sorted)
        for end in range(1, len(letters) + 1):
            count = self._count(letters[:end])
            frequency = self._frequency.get(letters[end - 1], self._rest)
            p *= (count + self._strength * frequency) / (before + self._strength)
            before = count
        return p

    def _count(self, letters: str) -> int:
        first = bisect_left(self._sorted, letters)
        return bisect_left(self._sorted, letters + LAST_CHARACTER, first) - first


def _is_share(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1
