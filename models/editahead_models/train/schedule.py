"""Warm-up, stable, decay: a learning rate that does not need to know the end of the run from its start.

The rate rises linearly, rests, and falls to zero over the last part of the budget as 1 - sqrt(share of the decay done).
A checkpoint taken before the decay serves any later, larger budget. Source: Hägele et al. 2024, "Scaling laws and
compute-optimal training beyond fixed training durations", section 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol


class Rates(Protocol):
    """Factors of the peak learning rate over a budget in tokens."""

    @property
    def decay_start(self) -> int:
        """The token from which on a run belongs to its budget alone."""

    def factor(self, tokens: int) -> float:
        """The factor of the peak rate after `tokens`."""


@dataclass(frozen=True)
class Schedule:
    """Factors of the peak rate over a budget in tokens. The warm-up takes at most a tenth of the budget."""

    budget: int
    warmup: int = 200_000
    decay_share: float = 0.15

    @property
    def decay_start(self) -> int:
        """The token at which the rate begins to fall."""
        return int(self.budget * (1 - self.decay_share))

    def factor(self, tokens: int) -> float:
        """The factor of the peak rate after `tokens`."""
        warmup = min(self.warmup, self.budget // 10)
        if tokens < warmup:
            return (tokens + 1) / (warmup + 1)
        if tokens <= self.decay_start:
            return 1.0
        done = (tokens - self.decay_start) / max(1, self.budget - self.decay_start)
        return max(0.0, 1.0 - math.sqrt(min(1.0, done)))


@dataclass(frozen=True)
class Geometric:
    """The published schedule: the rate times `ratio` after every `every` tokens, without warm-up (a pass in print)."""

    budget: int
    ratio: float
    every: int

    @property
    def decay_start(self) -> int:
        """The end: any larger budget goes on from any checkpoint."""
        return self.budget

    def factor(self, tokens: int) -> float:
        """The factor of the peak rate after `tokens`."""
        return float(self.ratio ** (tokens // self.every))
