"""Suggested fixes on mined repairs: what the search offers for a region, and what its figures are worth.

A logistic regression over the search's figures, then an isotonic calibration of its scores on projects that the
regression has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import Calibration, expected_calibration_error, fit_isotonic
from editahead.runtime.copyspan import SpanModel
from editahead.suggest.fix import FEATURES, MOST, fix_features

from editahead_models.copyspan.batches import Pair
from editahead_models.evaluate.edit_hunks import never_certain
from editahead_models.evaluate.logistic import logistic_scores, logistic_weights

Floats = npt.NDArray[np.float64]
FLOORS = (0.05, 0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True)
class Case:
    """What the search found for one dev region: features and rightness of the first alternatives, whether the region
    was changed at all, and p(unchanged)."""

    project: str
    features: Floats  # [P, F]
    right: npt.NDArray[np.bool_]  # [P]
    changed: bool
    unchanged: float


def cases(model: SpanModel, pairs: Sequence[Pair], projects: Sequence[str]) -> list[Case]:
    """Every pair that the model can take."""
    from rich.progress import track

    found: list[Case] = []
    for pair, project in track(list(zip(pairs, projects, strict=True)), description="rewriting", transient=True):
        if len(pair.source) > model.longest:
            continue
        made = model.rewrite(pair.source)
        count = min(MOST, len(made.outputs))
        rows = [fix_features(made, rank) for rank in range(count)]
        right = [made.outputs[rank][0] == pair.target for rank in range(count)]
        found.append(
            Case(
                project,
                np.asarray(rows, dtype=np.float64).reshape(-1, len(FEATURES)),
                np.asarray(right, dtype=np.bool_),
                pair.source != pair.target,
                made.unchanged,
            )
        )
    return found


def fit(found: Sequence[Case]) -> tuple[dict[str, float], Calibration, dict[str, float]]:
    """Weights of the features, the calibration of their scores, and figures in which no project judges itself."""
    names = sorted({case.project for case in found})
    halves = [[case for case in found if names.index(case.project) % 2 == side] for side in (0, 1)]
    scores, right, values = [], [], []
    for fitted, judged in (halves, halves[::-1]):
        weights = _weights(fitted)
        scores.append(logistic_scores(_rows(judged), weights, FEATURES))
        right.append(_right(judged))
    for own, other in ((0, 1), (1, 0)):
        values.append(fit_isotonic(scores[other], right[other]).apply_many(scores[own]))
    calibration = never_certain(fit_isotonic(np.concatenate(scores), np.concatenate(right)))
    crossed, outcomes = np.concatenate(values), np.concatenate(right)
    first = np.concatenate([case.features[:, FEATURES.index("rank")] == 0 for case in (*halves[1], *halves[0])])
    changed = [case for case in found if case.changed]
    metrics = {
        "regions": float(len(found)),
        "changed": float(len(changed)),
        "first_right": float(np.mean([case.right[:1].any() for case in changed])),
        "first_three_right": float(np.mean([case.right.any() for case in changed])),
        "unchanged_kept": float(np.mean([case.unchanged for case in found if not case.changed] or [0.0])),
        "unchanged_of_changed": float(np.mean([case.unchanged for case in changed])),
        "calibration_error": float(expected_calibration_error(crossed, outcomes)),
    }
    for floor in FLOORS:
        shown = first & (crossed >= floor)
        metrics[f"shown_{floor:g}"] = float(shown.sum() / max(1, len(found)))
        metrics[f"right_{floor:g}"] = float(outcomes[shown].mean()) if shown.any() else 0.0
    return _weights(found), calibration, {name: round(value, 4) for name, value in metrics.items()}


def _weights(found: Sequence[Case]) -> dict[str, float]:
    x = _rows(found)
    return logistic_weights(x, _right(found).astype(np.float64), np.ones(len(x)), FEATURES)


def _rows(found: Sequence[Case]) -> Floats:
    return np.concatenate([case.features for case in found])


def _right(found: Sequence[Case]) -> npt.NDArray[np.bool_]:
    return np.concatenate([case.right for case in found])
