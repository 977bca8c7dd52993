"""Significant differences between two reports, by a bootstrap over places (Efron, Bootstrap Methods, 1979).

It is paired where the documents of both are the same, so that the difficulty of a document counts on both sides.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from editahead.bench.figures import FIGURES, Metric, Report
from editahead.bench.score import ScoredPlace

DRAWS = 1000
SPEED_DRAWS = 300  # of latencies, which are many
CONFIDENCE = 0.99  # many figures are compared at once
SPEED_TOLERANCE = 0.2  # latencies of two runs on the same machine differ by as much
_MIN_DOCUMENTS = 5


@dataclass(frozen=True, slots=True)
class Difference:
    """A metric in two reports. `low` and `high` bound the difference (after - before) at the given confidence.

    `verdict`: "better", "worse", "same" (not beyond noise), "changed" (beyond noise, neither way is better), or
    "unknown" where either side has nothing.
    """

    figure: Metric
    before: float | None
    after: float | None
    low: float | None
    high: float | None
    verdict: str


def is_paired(before: Report, after: Report) -> bool:
    """Whether both reports have the same documents, in the same order."""
    return [scores.name for scores in before.places] == [scores.name for scores in after.places]


def compare(
    before: Report, after: Report, confidence: float = CONFIDENCE, draws: int = DRAWS, seed: int = 0
) -> list[Difference]:
    """Compare every metric of two reports. Deterministic for a given seed."""
    chosen = random.Random(seed)
    same = is_paired(before, after)
    samples: list[tuple[Sequence[ScoredPlace], Sequence[ScoredPlace]]] = []
    for _ in range(draws):
        first = chosen.choices(range(len(before.places)), k=len(before.places))
        last = first if same else chosen.choices(range(len(after.places)), k=len(after.places))
        samples.append(([before.places[n] for n in first], [after.places[n] for n in last]))
    return [_difference(figure, before, after, samples, confidence) for figure in FIGURES]


def _difference(
    figure: Metric,
    before: Report,
    after: Report,
    samples: Sequence[tuple[Sequence[ScoredPlace], Sequence[ScoredPlace]]],
    confidence: float,
) -> Difference:
    old, new = figure.of(before.places), figure.of(after.places)
    if old is None or new is None:
        return Difference(figure, old, new, None, None, "unknown")
    drawn = []
    taken = samples[:SPEED_DRAWS] if figure.speed else samples
    for first, last in taken:
        first_value, last_value = figure.of(first), figure.of(last)
        if first_value is not None and last_value is not None:
            drawn.append(last_value - first_value)
    few = min(len(before.places), len(after.places)) < _MIN_DOCUMENTS
    if few or len(drawn) < len(taken) / 2:
        return Difference(figure, old, new, None, None, "unknown" if old != new else "same")
    drawn.sort()
    tail = (1.0 - confidence) / 2
    low, high = drawn[int(tail * len(drawn))], drawn[min(len(drawn) - 1, int((1 - tail) * len(drawn)))]
    return Difference(figure, old, new, low, high, _verdict(figure, old, low, high))


def _verdict(figure: Metric, old: float, low: float, high: float) -> str:
    """Return the verdict on a difference from its confidence interval."""
    margin = SPEED_TOLERANCE * abs(old) if figure.speed else 0.0
    if low > margin:
        up = True
    elif high < -margin:
        up = False
    else:
        return "same"
    if figure.higher_is_better is None:
        return "changed"
    return "better" if up == figure.higher_is_better else "worse"


def worse(differences: Sequence[Difference], *, speed: bool) -> list[Difference]:
    """Return the metrics that are significantly worse; those of speed only with `speed`."""
    return [
        difference
        for difference in differences
        if difference.verdict == "worse" and (speed or not difference.figure.speed)
    ]
