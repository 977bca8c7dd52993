"""Logistic models over named features: what every fitted score here is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from editahead.runtime.manifest import BundleError


def logistic(log_odds: float, farthest: float = 40.0) -> float:
    """1 / (1 + exp(-x)), x kept within `farthest` of 0."""
    return 1.0 / (1.0 + math.exp(-max(-farthest, min(farthest, log_odds))))


@dataclass(frozen=True)
class LogisticModel:
    """P = 1 / (1 + exp(-w . x)): a weight for each of some named features; one without a weight counts nothing."""

    features: tuple[str, ...]
    weights: Mapping[str, float]
    farthest: float = 40.0  # log odds are kept within this

    @classmethod
    def from_json(cls, entry: object, where: str, features: Sequence[str], file: Path) -> LogisticModel:
        """The weights that stand at `where` in a bundle's `file`. Raises BundleError."""
        return cls(tuple(features), read_weights(entry, where, features, file))

    def log_odds(self, values: Sequence[float]) -> float:
        """w . x for one value a feature. Raises ValueError for another number of values."""
        return sum(self.weights.get(name, 0.0) * value for name, value in zip(self.features, values, strict=True))

    def probability(self, values: Sequence[float]) -> float:
        """P for one value a feature. Raises ValueError for another number of values."""
        return logistic(self.log_odds(values), self.farthest)

    def at_most(self, fixed: Mapping[str, float], limits: Mapping[str, tuple[float, float]]) -> float:
        """The highest P where some features are known and the others lie between limits; rounding is allowed for."""
        weight = self.weights.get
        total = sum(weight(name, 0.0) * value for name, value in fixed.items())
        total += sum(max(weight(name, 0.0) * low, weight(name, 0.0) * high) for name, (low, high) in limits.items())
        return logistic(total + 1e-9, self.farthest)


def read_weights(entry: object, where: str, features: Sequence[str], file: Path) -> dict[str, float]:
    """Weights by feature from JSON. Raises BundleError for another form, unknown features and no finite numbers."""
    if not isinstance(entry, Mapping):
        raise BundleError(file, f"{where} as a JSON object", "nothing" if entry is None else type(entry).__name__)
    for name, value in entry.items():
        if name not in features:
            raise BundleError(file, f"{where} with features of this version", repr(name))
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise BundleError(file, f"{where}.{name} as a finite number", repr(value))
    return {str(name): float(value) for name, value in entry.items()}
