"""Fit calibrations to outcomes on held-out projects.

Isotonic regression follows Zadrozny and Elkan (KDD 2002), temperature scaling Guo et al. (ICML 2017), the logistic
curve Platt (Advances in Large Margin Classifiers, 1999).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from editahead.runtime.calibration import (
    PRECISIONS,
    Calibration,
    Floats,
    Values,
    expected_calibration_error,
    outcome_pairs,
)
from scipy.optimize import isotonic_regression

from editahead_models.evaluate.fitting.logistic import newton

_ENDS = (1e-3, 0.999)
"""Probabilities between which the logistic curve is fitted, and where its own knots stand."""
_CURVE_RIDGE = 1.0


def fit_isotonic(p: Values, right: Values, max_knots: int = 24, min_block: int = 20) -> Calibration:
    """Isotonic calibration of at most `max_knots` knots, each the mean of `min_block` examples or more."""
    raw, hit = outcome_pairs(p, right)
    x, y, weight = _pool_ties(raw, hit)
    x, y, weight = _merge(*_isotonic_blocks(x, y, weight), max_knots, min_block)
    knots = tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))
    return _finish(Calibration(method="isotonic", knots=knots), raw, hit)


def fit_shrunk(p: Values, right: Values, max_knots: int = 10, min_block: int = 20, prior: float = 60.0) -> Calibration:
    """Isotonic calibration whose knots are shrunk towards a logistic curve over the log odds (Platt, 1999).

    A knot counts as many examples as it stands for, the curve `prior`. Knots of the curve stand at both ends, so that
    probabilities above the last block still differ.
    """
    raw, hit = outcome_pairs(p, right)
    odds_x = np.clip(raw, *_ENDS)
    rows = np.stack([np.ones(len(raw)), np.log(odds_x / (1.0 - odds_x))], axis=1)
    bias, slope = newton(rows, hit, np.ones(len(raw)), np.array([0.0, _CURVE_RIDGE]))

    def curve(x: Floats) -> Floats:
        q = np.clip(x, *_ENDS)
        return np.asarray(1.0 / (1.0 + np.exp(-(bias + max(0.0, slope) * np.log(q / (1.0 - q))))), np.float64)

    x, y, weight = _merge(*_isotonic_blocks(*_pool_ties(raw, hit)), max_knots, min_block)
    y = (weight * y + prior * curve(x)) / (weight + prior)
    low, high = np.array([min(_ENDS[0], x[0] / 2)]), np.array([max(_ENDS[1], (1 + x[-1]) / 2)])
    x, y = np.concatenate([low, x, high]), np.concatenate([curve(low), y, curve(high)])
    knots = tuple((float(a), float(b)) for a, b in zip(x, np.maximum.accumulate(y), strict=True))
    return _finish(Calibration(method="isotonic", knots=knots), raw, hit)


def never_certain(calibration: Calibration, most: float = 0.99) -> Calibration:
    """The calibration with its knots at `most` or below: twenty hits in a row are no certainty."""
    knots = tuple((x, min(y, most)) for x, y in calibration.knots)
    thresholds = tuple((at, None if low is None else min(low, most)) for at, low in calibration.thresholds)
    return replace(calibration, knots=knots, thresholds=thresholds)


def precision_thresholds(
    p: Values, right: Values, targets: Sequence[float] = PRECISIONS, min_shown: int = 20
) -> tuple[tuple[float, float | None], ...]:
    """For each target the smallest probability whose shown set (`min_shown` or more) was right that often."""
    values, hit = outcome_pairs(p, right)
    order = np.argsort(-values, kind="stable")
    ranked, hits = values[order], hit[order]
    shown = np.arange(1, len(ranked) + 1)
    precision = np.cumsum(hits) / shown
    # A set ends only where the probability changes: equal probabilities are shown together or not at all.
    whole = np.append(ranked[1:] != ranked[:-1], True) & (shown >= min(min_shown, len(ranked)))
    out: list[tuple[float, float | None]] = []
    for target in targets:
        reached = np.flatnonzero(whole & (precision >= target - 1e-12))
        out.append((float(target), float(ranked[reached[-1]]) if len(reached) else None))
    return tuple(out)


def _finish(fitted: Calibration, raw: Floats, hit: Floats) -> Calibration:
    out = fitted.apply_many(raw)
    return replace(
        fitted,
        thresholds=precision_thresholds(out, hit),
        ece=expected_calibration_error(out, hit),
        ece_raw=expected_calibration_error(raw, hit),
        n=len(raw),
    )


def _pool_ties(raw: Floats, hit: Floats) -> tuple[Floats, Floats, Floats]:
    x, group, counts = np.unique(raw, return_inverse=True, return_counts=True)
    return x, np.bincount(group, weights=hit) / counts, counts.astype(np.float64)


def _isotonic_blocks(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean place, value and weight of each level of the isotonic fit."""
    fitted = isotonic_regression(y, weights=weight)
    starts = fitted.blocks[:-1]
    return np.add.reduceat(x * weight, starts) / fitted.weights, fitted.x[starts], fitted.weights


def _merge(x: Floats, y: Floats, weight: Floats, max_knots: int, min_block: int) -> tuple[Floats, Floats, Floats]:
    """Join neighbours, cheapest first, until none is too small and there are few enough; order is kept."""
    blocks = list(zip(x.tolist(), y.tolist(), weight.tolist(), strict=True))
    while len(blocks) > 1:
        small = min(range(len(blocks)), key=lambda i: blocks[i][2])
        if blocks[small][2] < min_block:
            left, right = small - 1, small + 1
            if right == len(blocks) or (
                left >= 0 and _cost(blocks[left], blocks[small]) <= _cost(blocks[small], blocks[right])
            ):
                at = left
            else:
                at = small
        elif len(blocks) > max_knots:
            at = min(range(len(blocks) - 1), key=lambda i: _cost(blocks[i], blocks[i + 1]))
        else:
            break
        blocks[at : at + 2] = [_join(blocks[at], blocks[at + 1])]
    table = np.array(blocks, dtype=np.float64)
    return table[:, 0], table[:, 1], table[:, 2]


def _join(a: tuple[float, float, float], b: tuple[float, float, float]) -> tuple[float, float, float]:
    total = a[2] + b[2]
    return ((a[0] * a[2] + b[0] * b[2]) / total, (a[1] * a[2] + b[1] * b[2]) / total, total)


def _cost(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    return (a[1] - b[1]) ** 2 * a[2] * b[2] / (a[2] + b[2])


def reliability(pairs: Sequence[tuple[float, bool]], draws: int = 200) -> dict[str, float]:
    """Calibration error, and the one that as many places would show if every probability were true (`by chance`)."""
    chances, hits = (np.array(column, np.float64) for column in zip(*pairs, strict=True))
    random = np.random.default_rng(0)
    drawn = ((random.random(len(chances)) < chances).astype(np.float64) for _ in range(draws))
    return {
        "ECE": expected_calibration_error(chances, hits),
        "ECE by chance": float(np.mean([expected_calibration_error(chances, some) for some in drawn])),
        "n": float(len(pairs)),
    }
