"""The logistic function, and the dot product of weights by feature: what all fitted scores here are made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def logistic(log_odds: float, farthest: float = 40.0) -> float:
    """1 / (1 + exp(-x)), x kept within `farthest` of 0."""
    return 1.0 / (1.0 + math.exp(-max(-farthest, min(farthest, log_odds))))


def weighted(weights: Mapping[str, float], names: Sequence[str], values: Sequence[float]) -> float:
    """The sum of the features times their weights; a feature without a weight counts nothing."""
    return sum(weights.get(name, 0.0) * value for name, value in zip(names, values, strict=True))
