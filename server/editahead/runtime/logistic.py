"""Logistic models over named features, which all fitted scores here use."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from pathlib import Path

from editahead.runtime.manifest import BundleError


def logistic(log_odds: float, farthest: float = 40.0) -> float:
    """Return 1 / (1 + exp(-x)), with x clipped to `farthest`."""
    return 1.0 / (1.0 + math.exp(-max(-farthest, min(farthest, log_odds))))


@dataclass(frozen=True)
class LogisticModel:
    """A logistic model P = 1 / (1 + exp(-w . x)) over named features; a feature without a weight has weight 0."""

    features: tuple[str, ...]
    weights: Mapping[str, float]
    farthest: float = 40.0  # log odds are kept within this

    @classmethod
    def from_json(cls, entry: object, where: str, features: Sequence[str], file: Path) -> LogisticModel:
        """Read the weights at `where` in a bundle's `file`. Raises BundleError."""
        return cls(tuple(features), read_weights(entry, where, features, file))

    def log_odds(self, values: Sequence[float]) -> float:
        """Return w . x for a value per feature. Raises ValueError for another number of values."""
        if len(values) != len(self.features):
            raise ValueError(f"{len(values)} values for {len(self.features)} features")
        total: float = sum(map(mul, self.row, values))
        return total

    @cached_property
    def row(self) -> tuple[float, ...]:
        """The weight of each feature, in their order."""
        return tuple(self.weights.get(name, 0.0) for name in self.features)

    def probability(self, values: Sequence[float]) -> float:
        """Return P for a value per feature. Raises ValueError for another number of values."""
        return logistic(self.log_odds(values), self.farthest)

    def at_most(self, fixed: Mapping[str, float], limits: Mapping[str, tuple[float, float]]) -> float:
        """Return an upper bound of P where some features are fixed and the others lie between limits."""
        weight = self.weights.get
        total = sum(weight(name, 0.0) * value for name, value in fixed.items())
        total += sum(max(weight(name, 0.0) * low, weight(name, 0.0) * high) for name, (low, high) in limits.items())
        return logistic(total + 1e-9, self.farthest)


def clamped_log_odds(p: float, least: float) -> float:
    """Return the log odds of a probability that is kept within [least, 1 - least]."""
    kept = min(max(p, least), 1 - least)
    return math.log(kept / (1 - kept))


def read_monotonic(
    entry: object, where: str, features: Sequence[str], file: Path, least_slope: Callable[[Mapping[str, float]], float]
) -> dict[str, float]:
    """Read weights by feature from JSON. Raises BundleError as `read_weights`, and for a slope of the odds below 0."""
    weights = read_weights(entry, where, features, file)
    if least_slope(weights) < 0:
        raise BundleError(file, f"{where}.odds of at least 0 everywhere", f"{least_slope(weights):g}")
    return weights


def read_weights(entry: object, where: str, features: Sequence[str], file: Path) -> dict[str, float]:
    """Read weights by feature from JSON. Raises BundleError for invalid JSON, unknown features and infinite numbers."""
    if not isinstance(entry, Mapping):
        raise BundleError(file, f"{where} as a JSON object", "nothing" if entry is None else type(entry).__name__)
    for name, value in entry.items():
        if name not in features:
            raise BundleError(file, f"{where} with features of this version", repr(name))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise BundleError(file, f"{where}.{name} as a finite number", repr(value))
    return {str(name): float(value) for name, value in entry.items()}
