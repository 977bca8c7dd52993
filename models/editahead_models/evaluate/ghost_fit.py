"""Fit the confidence of ghost text in its tokens (`editahead/runtime/token_confidence.py`), and when it shows.

Three steps on places of held-out projects: a logistic regression for each token given that those before it are right;
isotonic calibration of the product over the lengths; and for every precision the least probability at which the
suggestions that are then chosen, one a place, were right that often. `crossed` fits on all projects but one at a time
and counts on that one.

Shapes: P places, L lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import mul

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import PRECISIONS, Calibration
from editahead.runtime.logistic import LogisticModel
from editahead.runtime.token_confidence import FEATURES, token_model
from editahead.suggest.gate import threshold_for
from editahead.suggest.ghost_text.ghost_text import SURFACE, TYPED_SURFACE
from editahead.suggest.ghost_text.length import Length, cost_of_wrong, shows

from editahead_models.evaluate.calibration_fit import fit_isotonic
from editahead_models.evaluate.ghost_text import GhostMoment
from editahead_models.evaluate.logistic import newton

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
_MOST = 0.99  # twenty hits in a row are no certainty
_LEAST_SHOWN = 30  # suggestions without which a precision is not taken as reached
_BARS = np.round(np.arange(0.98, 0.1, -0.01), 2)


def fit_trust(moments: Sequence[GhostMoment], ridge: float = 1.0) -> LogisticModel:
    """Logistic regression over the tokens whose predecessors are right."""
    rows: list[tuple[float, ...]] = []
    hits: list[bool] = []
    for one in moments:
        last = one.lengths[-1][0] if one.situation == "gap" and one.lengths else len(one.right)
        for n in range(last):
            rows.append(one.features[n])
            hits.append(one.right[n])
            if not one.right[n]:
                break
    x, y = np.asarray(rows).reshape(-1, len(FEATURES)), np.asarray(hits, np.float64)
    penalty, odds = np.full(x.shape[1], ridge), FEATURES.index("odds")
    weights = newton(x, y, np.ones(len(x)), penalty)
    if weights[odds] < 0:  # in few places; a likelier token is never less sure
        x[:, odds] = 0.0
        weights = newton(x, y, np.ones(len(x)), penalty)
    return token_model({name: round(value, 5) for name, value in zip(FEATURES, weights.tolist(), strict=True)})


def fit(moments: Sequence[GhostMoment]) -> tuple[LogisticModel, dict[str, Calibration]]:
    """The weights of the tokens, and the calibration of each surface, with its thresholds."""
    trust = fit_trust(moments)
    fitted: dict[str, Calibration] = {}
    for surface, typed in ((SURFACE, False), (TYPED_SURFACE, True)):
        mine = [one for one in moments if one.typed is typed]
        plain = fit_isotonic(*_pairs(mine, trust))
        calibration = replace(plain, knots=tuple((x, min(y, _MOST)) for x, y in plain.knots))
        fitted[surface] = replace(calibration, thresholds=_thresholds(Table.of(mine, trust, calibration)))
    return trust, fitted


@dataclass(frozen=True, slots=True)
class Table:
    """The lengths of all places side by side, (P, L) each; where a place has fewer, the probability is 0."""

    probability_PL: Floats
    saved_PL: Floats
    right_PL: Flags

    @classmethod
    def of(cls, moments: Sequence[GhostMoment], trust: LogisticModel, calibration: Calibration) -> Table:
        """Calibrated lengths of some places; what is too short to show is left out."""
        width = max((len(one.lengths) for one in moments), default=0) or 1
        probability, saved = np.zeros((len(moments), width)), np.zeros((len(moments), width))
        right = np.zeros((len(moments), width), np.bool_)
        for row, one in enumerate(moments):
            raw = _products(one, trust)
            for column, (tokens, insert) in enumerate(one.lengths):
                if shows(insert):
                    probability[row, column] = calibration.apply(raw[tokens - 1])
                    saved[row, column] = Length(tokens, insert, 0.0).saved
                    right[row, column] = one.right[tokens - 1]
        return cls(probability, saved, right)

    def chosen(self, needed: float, cost: float) -> tuple[Flags, Flags, Floats]:
        """Of each place (P,): whether something is shown, whether it is right, what it saves. As `by_value` chooses."""
        p = self.probability_PL
        worth = np.where((p >= needed) & (p > 0), p * self.saved_PL - (1 - p) * cost, -1.0)
        best = worth.argmax(1)
        rows = np.arange(len(p))
        shown = worth[rows, best] > 0
        return shown, shown & self.right_PL[rows, best], np.where(shown, self.saved_PL[rows, best], 0.0)


def figures(table: Table, calibration: Calibration, precision: float) -> dict[str, float]:
    """Share of places where something is shown, share of it that is right, and keystrokes saved a place."""
    return _counted(*table.chosen(threshold_for(calibration, precision), cost_of_wrong(precision)))


def crossed(moments: Sequence[GhostMoment], precision: float = 0.8) -> dict[str, dict[str, float]]:
    """`figures` by surface with each project counted by what was fitted on the others."""
    parts: dict[str, list[tuple[Flags, Flags, Floats]]] = {SURFACE: [], TYPED_SURFACE: []}
    for project in sorted({one.project for one in moments}):
        trust, fitted = fit([one for one in moments if one.project != project])
        for surface, calibration in fitted.items():
            mine = [one for one in moments if one.project == project and one.typed is (surface == TYPED_SURFACE)]
            table = Table.of(mine, trust, calibration)
            parts[surface].append(table.chosen(threshold_for(calibration, precision), cost_of_wrong(precision)))
    return {
        surface: _counted(*(np.concatenate(column) for column in zip(*found, strict=True)))
        for surface, found in parts.items()
        if found
    }


def _counted(shown: Flags, right: Flags, saved: Floats) -> dict[str, float]:
    n = max(1, len(shown))
    return {
        "shown": float(shown.sum()) / n,
        "right of shown": float(right.sum()) / max(1.0, float(shown.sum())),
        "saved": float(saved[right].sum()) / n,
        "n": float(len(shown)),
    }


def _thresholds(table: Table) -> tuple[tuple[float, float | None], ...]:
    """For each precision the least bar at which what is chosen was right that often, rising with the precision."""
    out: list[tuple[float, float | None]] = []
    least: float | None = 0.0
    for precision in PRECISIONS:
        cost = cost_of_wrong(precision)
        found: float | None = None
        for needed in _BARS.tolist():
            shown, right, _ = table.chosen(needed, cost)
            if shown.sum() >= _LEAST_SHOWN and right.sum() >= precision * shown.sum():
                found = needed
        least = None if least is None or found is None else max(least, found)
        out.append((precision, least))
    return tuple(out)


def _pairs(moments: Sequence[GhostMoment], trust: LogisticModel) -> tuple[list[float], list[bool]]:
    raw: list[float] = []
    right: list[bool] = []
    for one in moments:
        products = _products(one, trust)
        for tokens, insert in one.lengths:
            if shows(insert):
                raw.append(products[tokens - 1])
                right.append(one.right[tokens - 1])
    return raw, right


def _products(one: GhostMoment, trust: LogisticModel) -> list[float]:
    return list(accumulate((trust.probability(row) for row in one.features), mul))
