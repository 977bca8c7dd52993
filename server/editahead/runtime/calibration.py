"""Calibrations: maps from a model's probability to the observed precision, and thresholds, stored in a bundle.

Probabilities are in [0, 1]. `editahead_models.evaluate.fitting.calibration_fit` makes these numbers.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Meta

from editahead.checked_json import checked

PRECISIONS = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))

Floats: TypeAlias = npt.NDArray[np.float64]
Values: TypeAlias = Sequence[float] | npt.NDArray[Any]

Unit = Annotated[float, Meta(ge=0, le=1)]


class _CalibrationJson(msgspec.Struct):
    """The schema of a calibration in a manifest."""

    method: Literal["identity", "temperature", "isotonic"]
    temperature: Annotated[float, Meta(gt=0, le=1e6)] = 1.0
    knots: tuple[tuple[Unit, Unit], ...] = ()
    thresholds: dict[str, Unit | None] = {}
    ece: Unit = 0.0
    ece_raw: Unit = 0.0
    n: Annotated[int, Meta(ge=0)] = 0


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
        """Return the calibrated probability of `p`; 0 for NaN, so that an invalid number is never shown."""
        if math.isnan(p):
            return 0.0
        p = min(1.0, max(0.0, p))
        if self.method == "temperature":
            return float(temper(np.array([p]), self.temperature)[0])
        if self.method == "isotonic":
            return _interpolate(self.knots, p)
        return p

    def apply_many(self, p: Values) -> Floats:
        """Return the calibrated probabilities of an array; of any shape (N, ...), which is kept."""
        values = np.clip(np.nan_to_num(np.asarray(p, dtype=np.float64), nan=-1.0), -1.0, 1.0)
        clipped = np.maximum(values, 0.0)
        if self.method == "temperature":
            out = temper(clipped, self.temperature)
        elif self.method == "isotonic":
            table = np.array(self.knots, dtype=np.float64)
            out = np.interp(clipped, table[:, 0], table[:, 1])
        else:
            out = clipped
        return np.where(np.isnan(np.asarray(p, dtype=np.float64)), 0.0, out)

    def threshold(self, precision: float) -> float:
        """Return the smallest calibrated probability to show for a target precision; infinity if none reaches it.

        Between stored targets the stricter neighbour counts; above the last target the target itself is the
        minimum. Without a stored table (nothing was fitted) the target itself is the threshold.
        """
        if not self.thresholds or precision <= 0.0:
            return max(0.0, precision)
        targets = [target for target, _ in self.thresholds]
        index = bisect_left(targets, precision - 1e-9)
        if index == len(targets):
            last = self.thresholds[-1][1]
            return math.inf if last is None else max(last, precision)
        stored = self.thresholds[index][1]
        if index == 0 and stored is not None and precision < targets[0]:
            return min(stored, precision)
        return math.inf if stored is None else stored

    def to_manifest(self) -> dict[str, Any]:
        """Return JSON values for a manifest."""
        out: dict[str, Any] = {"method": self.method, "ece": self.ece, "ece_raw": self.ece_raw, "n": self.n}
        if self.method == "temperature":
            out["temperature"] = self.temperature
        if self.method == "isotonic":
            out["knots"] = [list(knot) for knot in self.knots]
        out["thresholds"] = {f"{target:.2f}": value for target, value in self.thresholds}
        return out

    @classmethod
    def from_manifest(cls, data: Mapping[str, Any]) -> Calibration:
        """Read a calibration of a manifest. Raises ValueError (one line) for values out of range or falling knots."""
        entry = checked(dict(data), _CalibrationJson)
        for (x0, y0), (x1, y1) in pairwise(entry.knots):
            if x1 <= x0 or y1 < y0:
                raise ValueError("knots must rise")
        if entry.method == "isotonic" and not entry.knots:
            raise ValueError("an isotonic calibration needs a knot or more")
        thresholds = ((_target(key), value) for key, value in entry.thresholds.items())
        return cls(
            method=entry.method,
            temperature=entry.temperature,
            knots=entry.knots if entry.method == "isotonic" else (),
            thresholds=tuple(sorted(thresholds, key=lambda pair: pair[0])),
            ece=entry.ece,
            ece_raw=entry.ece_raw,
            n=entry.n,
        )


def temper(p: Floats, temperature: float) -> Floats:
    """Scale probabilities by dividing their log odds by a temperature; of any shape (N, ...), which is kept."""
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


def _target(key: str) -> float:
    try:
        return checked(float(key), Unit)
    except ValueError as error:
        raise ValueError(f"target precision {key!r} is not a number in [0, 1]") from error


def expected_calibration_error(p: Values, right: Values, bins: int = 15) -> float:
    """Return the mean absolute gap between probability and hit rate over `bins` bins of equal mass, weighted by size.

    Source: Guo et al., ICML 2017.

    Examples with equal probability share their hit rate before they are binned, so the order of the input does not
    matter. Both are (N,).
    """
    raw, hit = outcome_pairs(p, right)
    _, group, counts = np.unique(raw, return_inverse=True, return_counts=True)
    shared = (np.bincount(group, weights=hit) / counts)[group]
    order = np.argsort(raw, kind="stable")
    gap = 0.0
    for part in np.array_split(order, max(1, min(bins, len(order)))):
        gap += abs(float(raw[part].mean() - shared[part].mean())) * len(part)
    return gap / len(order)


def outcome_pairs(p: Values, right: Values) -> tuple[Floats, Floats]:
    """Return probabilities and outcomes as arrays (N,). Raises ValueError (a single line) if they are invalid."""
    raw, hit = np.asarray(p, dtype=np.float64).ravel(), np.asarray(right, dtype=np.float64).ravel()
    if len(raw) != len(hit) or len(raw) == 0:
        raise ValueError(f"need as many outcomes as probabilities, and not zero: {len(hit)} and {len(raw)}")
    if not (np.isfinite(raw).all() and np.isfinite(hit).all()):
        raise ValueError("probabilities and outcomes must be finite")
    if raw.min() < 0 or raw.max() > 1 or hit.min() < 0 or hit.max() > 1:
        raise ValueError("probabilities and outcomes must lie in [0, 1]")
    return raw, hit
