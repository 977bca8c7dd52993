"""From a model's own probability to how often it is right: fitted on held-out projects, stored as a few
numbers.

Isotonic regression follows Zadrozny and Elkan (KDD 2002) with the pool-adjacent-violators algorithm;
temperature scaling and the expected calibration error follow Guo et al. (ICML 2017). Probabilities are in [0,
1].
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

METHODS = ("identity", "temperature", "isotonic")
PRECISIONS = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))

Floats: TypeAlias = npt.NDArray[np.float64]
Values: TypeAlias = Sequence[float] | npt.NDArray[Any]


@dataclass(frozen=True)
class Calibration:
    """A monotone map from raw to calibrated probability.

    `thresholds` pairs a target precision with the smallest calibrated probability whose shown set reached it
    on the fitting data (None: never reached). `ece` and `ece_raw` are expected calibration errors after and
    before; `n` is the number of examples that it was fitted on.
    """

    method: str = "identity"
    temperature: float = 1.0
    knots: tuple[tuple[float, float], ...] = ()
    thresholds: tuple[tuple[float, float | None], ...] = ()
    ece: float = 0.0
    ece_raw: float = 0.0
    n: int = 0

    def apply(self, p: float) -> float:
        """The calibrated probability of `p`; 0 for NaN, so that a broken number is never shown."""
        if math.isnan(p):
            return 0.0
        p = min(1.0, max(0.0, p))
        if self.method == "temperature":
            return float(_temper(np.array([p]), self.temperature)[0])
        if self.method == "isotonic":
            return _interpolate(self.knots, p)
        return p

    def apply_many(self, p: Values) -> Floats:
        """`apply` for an array of probabilities."""
        values = np.clip(np.nan_to_num(np.asarray(p, dtype=np.float64), nan=-1.0), -1.0, 1.0)
        clipped = np.maximum(values, 0.0)
        if self.method == "temperature":
            out = _temper(clipped, self.temperature)
        elif self.method == "isotonic":
            table = np.array(self.knots, dtype=np.float64)
            out = np.interp(clipped, table[:, 0], table[:, 1])
        else:
            out = clipped
        return np.where(np.isnan(np.asarray(p, dtype=np.float64)), 0.0, out)

    def threshold(self, precision: float) -> float:
        """The smallest calibrated probability to show for a target precision; infinity if it was never
        reached.

        Between stored targets the stricter neighbour counts; above the last one the target itself is the
        least. Without a stored table (nothing was fitted) the calibrated probability is taken at its word.
        """
        if not self.thresholds or precision <= 0.0:
            return max(0.0, precision)
        targets = [target for target, _ in self.thresholds]
        index = bisect_left(targets, precision - 1e-9)
        if index == len(targets):
            last = self.thresholds[-1][1]
            return math.inf if last is None else max(last, precision)
        found = self.thresholds[index][1]
        if index == 0 and found is not None and precision < targets[0]:
            return min(found, precision)
        return math.inf if found is None else found

    def to_manifest(self) -> dict[str, Any]:
        """Plain JSON values."""
        out: dict[str, Any] = {"method": self.method, "ece": self.ece, "ece_raw": self.ece_raw, "n": self.n}
        if self.method == "temperature":
            out["temperature"] = self.temperature
        if self.method == "isotonic":
            out["knots"] = [list(knot) for knot in self.knots]
        out["thresholds"] = {f"{target:.2f}": value for target, value in self.thresholds}
        return out

    @classmethod
    def from_manifest(cls, data: Mapping[str, Any]) -> Calibration:
        """Raises ValueError, one line, when a number is missing, not finite, out of range or not monotone."""
        method = data.get("method")
        if method not in METHODS:
            raise ValueError(f"method {method!r} is none of {', '.join(METHODS)}")
        temperature = _finite(data.get("temperature", 1.0), "temperature")
        if temperature <= 0:
            raise ValueError(f"temperature {temperature} is not above 0")
        n = data.get("n", 0)
        if isinstance(n, bool) or not isinstance(n, int) or n < 0:
            raise ValueError(f"n {n!r} is not a count")
        return cls(
            method=method,
            temperature=temperature,
            knots=_knots(data.get("knots", ())) if method == "isotonic" else (),
            thresholds=_thresholds(data.get("thresholds", {})),
            ece=_unit(data.get("ece", 0.0), "ece"),
            ece_raw=_unit(data.get("ece_raw", 0.0), "ece_raw"),
            n=n,
        )


def fit_isotonic(p: Values, right: Values, max_knots: int = 24, min_block: int = 20) -> Calibration:
    """Isotonic calibration of at most `max_knots` knots, each the mean of `min_block` examples or more."""
    raw, hit = _pairs(p, right)
    x, y, weight = _pool_ties(raw, hit)
    x, y, weight = _merge(*_pool_adjacent_violators(x, y, weight), max_knots, min_block)
    knots = tuple((float(a), float(b)) for a, b in zip(x, y, strict=True))
    return _finish(Calibration(method="isotonic", knots=knots), raw, hit)


def fit_temperature(p: Values, right: Values) -> Calibration:
    """Temperature scaling of the log odds by maximum likelihood, the temperature within [1/20, 20]."""
    raw, hit = _pairs(p, right)

    def loss(log_t: float) -> float:
        q = np.clip(_temper(raw, math.exp(log_t)), 1e-12, 1.0 - 1e-12)
        return float(-np.mean(hit * np.log(q) + (1.0 - hit) * np.log1p(-q)))

    low, high, golden = -math.log(20.0), math.log(20.0), (math.sqrt(5.0) - 1.0) / 2.0
    for _ in range(60):
        left, right_end = high - golden * (high - low), low + golden * (high - low)
        if loss(left) <= loss(right_end):
            high = right_end
        else:
            low = left
    return _finish(Calibration(method="temperature", temperature=math.exp((low + high) / 2.0)), raw, hit)


def fit_identity(p: Values, right: Values) -> Calibration:
    """No change to the probabilities, with the measured error and thresholds."""
    raw, hit = _pairs(p, right)
    return _finish(Calibration(), raw, hit)


def expected_calibration_error(p: Values, right: Values, bins: int = 15) -> float:
    """Mean absolute gap between probability and hit rate over `bins` bins of equal mass, weighted by size.

    Examples with equal probability share their hit rate before they are binned, so the order of the input is
    no matter.
    """
    raw, hit = _pairs(p, right)
    _, group, counts = np.unique(raw, return_inverse=True, return_counts=True)
    shared = (np.bincount(group, weights=hit) / counts)[group]
    order = np.argsort(raw, kind="stable")
    gap = 0.0
    for part in np.array_split(order, max(1, min(bins, len(order)))):
        gap += abs(float(raw[part].mean() - shared[part].mean())) * len(part)
    return gap / len(order)


def precision_thresholds(
    p: Values, right: Values, targets: Sequence[float] = PRECISIONS, min_shown: int = 20
) -> tuple[tuple[float, float | None], ...]:
    """For each target the smallest probability whose shown set (`min_shown` or more) was right that often."""
    values, hit = _pairs(p, right)
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


def _pairs(p: Values, right: Values) -> tuple[Floats, Floats]:
    raw, hit = np.asarray(p, dtype=np.float64).ravel(), np.asarray(right, dtype=np.float64).ravel()
    if len(raw) != len(hit) or len(raw) == 0:
        raise ValueError(f"need as many outcomes as probabilities, and one at least: {len(hit)} and {len(raw)}")
    if not (np.isfinite(raw).all() and np.isfinite(hit).all()):
        raise ValueError("probabilities and outcomes must be finite")
    if raw.min() < 0 or raw.max() > 1 or hit.min() < 0 or hit.max() > 1:
        raise ValueError("probabilities and outcomes must lie in [0, 1]")
    return raw, hit


def _pool_ties(raw: Floats, hit: Floats) -> tuple[Floats, Floats, Floats]:
    x, group, counts = np.unique(raw, return_inverse=True, return_counts=True)
    return x, np.bincount(group, weights=hit) / counts, counts.astype(np.float64)


def _pool_adjacent_violators(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    blocks: list[tuple[float, float, float]] = []
    for block in zip(x.tolist(), y.tolist(), weight.tolist(), strict=True):
        current = block
        while blocks and blocks[-1][1] >= current[1]:
            current = _join(blocks.pop(), current)
        blocks.append(current)
    table = np.array(blocks, dtype=np.float64)
    return table[:, 0], table[:, 1], table[:, 2]


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


def _temper(p: Floats, temperature: float) -> Floats:
    q = np.clip(p, 1e-12, 1.0 - 1e-12)
    return np.asarray(1.0 / (1.0 + np.exp(-np.log(q / (1.0 - q)) / temperature)), dtype=np.float64)


def _interpolate(knots: tuple[tuple[float, float], ...], p: float) -> float:
    index = bisect_right(knots, (p, math.inf))
    if index == 0:
        return knots[0][1]
    if index == len(knots):
        return knots[-1][1]
    (x0, y0), (x1, y1) = knots[index - 1], knots[index]
    return min(y1, y0 + (y1 - y0) * (p - x0) / (x1 - x0))


def _finite(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"{name} {value!r} is not a finite number")
    return float(value)


def _unit(value: object, name: str) -> float:
    number = _finite(value, name)
    if not 0.0 <= number <= 1.0:
        raise ValueError(f"{name} {number} is not in [0, 1]")
    return number


def _knots(value: object) -> tuple[tuple[float, float], ...]:
    if not isinstance(value, (list, tuple)) or not value:
        raise ValueError("an isotonic calibration needs at least one knot")
    out = []
    for knot in value:
        if not isinstance(knot, (list, tuple)) or len(knot) != 2:
            raise ValueError(f"knot {knot!r} is not a pair of numbers")
        out.append((_unit(knot[0], "a knot's input"), _unit(knot[1], "a knot's output")))
    for (x0, y0), (x1, y1) in pairwise(out):
        if x1 <= x0 or y1 < y0:
            raise ValueError("knots must rise")
    return tuple(out)


def _thresholds(value: object) -> tuple[tuple[float, float | None], ...]:
    if not isinstance(value, Mapping):
        raise ValueError("thresholds is not an object")
    out: list[tuple[float, float | None]] = []
    for key, entry in value.items():
        try:
            target = _unit(float(key), "a target precision")
        except (TypeError, ValueError) as error:
            raise ValueError(f"target precision {key!r} is not a number in [0, 1]") from error
        out.append((target, None if entry is None else _unit(entry, f"the threshold at {key}")))
    return tuple(sorted(out, key=lambda pair: pair[0]))
