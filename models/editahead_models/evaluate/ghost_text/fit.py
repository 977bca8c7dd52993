"""Fit the confidence of ghost text in its tokens (`runtime/language_model/token_confidence.py`), and when it shows.

Three steps on places of held-out projects: a logistic regression for each token given that those before it are right;
calibration of the product over the lengths; and for every precision the least probability at which the suggestions
that are then chosen, one a place, are right that often in other projects (`accepted_threshold`). For the last step, a
project is answered by a regression and a calibration that have not seen it. `crossed` fits all three on other projects
than those that it counts on.

Shapes: P places, L lengths, T thresholds, G projects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import mul
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import PRECISIONS, Calibration
from editahead.runtime.language_model.token_confidence import FEATURES, SLOPES, least_slope, token_model
from editahead.runtime.logistic import LogisticModel
from editahead.suggest.gate import threshold_for
from editahead.suggest.ghost_text.ghost_text import SURFACE, TYPED_SURFACE
from editahead.suggest.ghost_text.length import Length, cost_of_wrong, is_long_enough

from editahead_models.evaluate.completions.completion_fit import folds
from editahead_models.evaluate.fitting.accepted_threshold import accepted_threshold
from editahead_models.evaluate.fitting.calibration_fit import fit_shrunk, never_certain
from editahead_models.evaluate.fitting.logistic import newton
from editahead_models.evaluate.ghost_text.shown import GhostMoment

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
_BARS = np.round(np.arange(0.99, 0.1, -0.01), 2)


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
    for flat in ((), SLOPES, ("odds", *SLOPES)):  # a likelier token is never less sure, as it may seem in few places
        x[:, [FEATURES.index(name) for name in flat]] = 0.0
        weights = newton(x, y, np.ones(len(x)), np.full(x.shape[1], ridge))
        if least_slope(dict(zip(FEATURES, weights.tolist(), strict=True))) >= 0:
            break
    return token_model({name: round(value, 5) for name, value in zip(FEATURES, weights.tolist(), strict=True)})


def fit(moments: Sequence[GhostMoment]) -> tuple[LogisticModel, dict[str, Calibration]]:
    """The weights of the tokens, and the calibration of each surface, with its thresholds."""
    trust, fitted = _fit_probabilities(moments)
    parts = folds(sorted({one.project for one in moments})) or [frozenset({one.project for one in moments})]
    tables: dict[str, list[Table]] = {surface: [] for surface in fitted}
    projects: dict[str, list[str]] = {surface: [] for surface in fitted}
    for held in parts:
        others = [one for one in moments if one.project not in held]
        unseen = _fit_probabilities(others) if others else (trust, fitted)
        for surface, calibration in unseen[1].items():
            mine = [one for one in _of_surface(moments, surface) if one.project in held]
            tables[surface].append(Table.of(mine, unseen[0], calibration))
            projects[surface] += [one.project for one in mine]
    return trust, {
        surface: replace(calibration, thresholds=_thresholds(Table.joined(tables[surface]), projects[surface]))
        for surface, calibration in fitted.items()
    }


def _fit_probabilities(moments: Sequence[GhostMoment]) -> tuple[LogisticModel, dict[str, Calibration]]:
    """The weights of the tokens, and calibrations whose thresholds are still to be found."""
    trust = fit_trust(moments)
    fitted: dict[str, Calibration] = {}
    for surface in (SURFACE, TYPED_SURFACE):
        pairs = _pairs(_of_surface(moments, surface), trust)
        fitted[surface] = never_certain(fit_shrunk(*pairs)) if pairs[0] else Calibration()
    return trust, fitted


def _of_surface(moments: Sequence[GhostMoment], surface: str) -> list[GhostMoment]:
    return [one for one in moments if one.typed is (surface == TYPED_SURFACE)]


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
                if is_long_enough(insert):
                    probability[row, column] = calibration.apply(raw[tokens - 1])
                    saved[row, column] = Length(tokens, insert, 0.0).saved_keystrokes
                    right[row, column] = one.right[tokens - 1]
        return cls(probability, saved, right)

    @classmethod
    def joined(cls, tables: Sequence[Table]) -> Table:
        """The places of several tables, one below the other."""
        width = max(table.probability_PL.shape[1] for table in tables)
        columns = zip(*((table.probability_PL, table.saved_PL, table.right_PL) for table in tables), strict=True)
        return cls(*(np.concatenate([_padded(part, width) for part in column]) for column in columns))

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
    """`figures` by surface, with each project counted by what was fitted on others."""
    parts: dict[str, list[tuple[Flags, Flags, Floats]]] = {SURFACE: [], TYPED_SURFACE: []}
    for held in folds(sorted({one.project for one in moments})):
        trust, fitted = fit([one for one in moments if one.project not in held])
        for surface, calibration in fitted.items():
            mine = [one for one in _of_surface(moments, surface) if one.project in held]
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


def _thresholds(table: Table, projects: Sequence[str]) -> tuple[tuple[float, float | None], ...]:
    """For each precision the least threshold that keeps it on other projects, never below that of a lower precision.

    `projects` names the project of each place.
    """
    names, group_P = np.unique(projects, return_inverse=True)
    out: list[tuple[float, float | None]] = []
    least: float | None = 0.0
    for precision in PRECISIONS:
        cost = cost_of_wrong(precision)
        shown_TG, right_TG = np.zeros((2, len(_BARS), len(names)))
        for number, needed in enumerate(_BARS.tolist()):
            shown, right, _ = table.chosen(needed, cost)
            shown_TG[number] = np.bincount(group_P[shown], minlength=len(names))
            right_TG[number] = np.bincount(group_P[right], minlength=len(names))
        found = accepted_threshold(_BARS, shown_TG, right_TG, precision)
        least = None if least is None or found is None else max(least, found)
        out.append((precision, least))
    return tuple(out)


def _padded(part_PL: npt.NDArray[Any], width: int) -> npt.NDArray[Any]:
    return np.pad(part_PL, ((0, 0), (0, width - part_PL.shape[1])))


def _pairs(moments: Sequence[GhostMoment], trust: LogisticModel) -> tuple[list[float], list[bool]]:
    raw: list[float] = []
    right: list[bool] = []
    for one in moments:
        products = _products(one, trust)
        for tokens, insert in one.lengths:
            if is_long_enough(insert):
                raw.append(products[tokens - 1])
                right.append(one.right[tokens - 1])
    return raw, right


def _products(one: GhostMoment, trust: LogisticModel) -> list[float]:
    return list(accumulate((trust.probability(row) for row in one.features), mul))
