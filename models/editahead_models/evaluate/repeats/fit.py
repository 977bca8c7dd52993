"""The model of repeated edits: logistic regression and isotonic calibration over replayed commits, and its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import Calibration, expected_calibration_error
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES

from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic, never_certain
from editahead_models.evaluate.fitting.logistic import logistic_scores, logistic_weights
from editahead_models.evaluate.repeats.cases import Case

Floats = npt.NDArray[np.float64]
PARTS = ("one", "many")
TARGETS = (0.5, 0.7, 0.8, 0.9)
MOST = 0.99
FOLDS = 5


def part_of(cases: Sequence[Case], part: str) -> list[Case]:
    """The cases after one example, or after two and more."""
    return [case for case in cases if (case.examples > 1) == (part == "many")]


def table(cases: Sequence[Case]) -> tuple[Floats, Floats, Floats]:
    """Features [P, F], outcomes [P] and weights [P] of all places: no case counts more than five places."""
    x = np.concatenate([case.features for case in cases])
    y = np.concatenate([case.right for case in cases]).astype(np.float64)
    weight = np.concatenate([np.full(len(case.right), min(1.0, 5.0 / len(case.right))) for case in cases])
    return x, y, weight


def fit_weights(cases: Sequence[Case]) -> dict[str, float]:
    """The weight of each feature."""
    return logistic_weights(*table(cases), FEATURES)


def scores(cases: Sequence[Case], weights: Mapping[str, float]) -> list[Floats]:
    """The uncalibrated probability of each place, by case. A case has (P,)."""
    return [logistic_scores(case.features, weights, FEATURES) for case in cases]


def figures(cases: Sequence[Case], weights: Mapping[str, float], calibration: Calibration) -> dict[str, float]:
    """Figures of the places that are listed.

    How many there are, how many are right, the calibration error; at each target precision the share that is shown, its
    precision, and the share of the commit's own repetitions that is shown (recall).

    `elsewhere`: places in other files.
    """
    values = [calibration.apply_many(raw) for raw in scores(cases, weights)]
    every, right = np.concatenate(values), np.concatenate([case.right for case in cases])
    far = np.concatenate([case.elsewhere for case in cases])
    expected = sum(case.expected for case in cases)
    expected_far = sum(case.expected_elsewhere for case in cases)
    result: dict[str, float] = {
        "cases": len(cases),
        "places": len(every),
        "right": float(right.mean()),
        "expected": expected,
        "listed": _reached(cases, [np.ones(len(case.right), dtype=np.bool_) for case in cases]) / max(1, expected),
        "calibration_error": expected_calibration_error(every, right),
        "places_elsewhere": int(far.sum()),
        "right_elsewhere": float(right[far].mean()) if far.any() else 0.0,
    }
    for target in TARGETS:
        needed = min(calibration.threshold(target), target)
        shown = [value >= needed for value in values]
        flat = np.concatenate(shown)
        name = f"{round(100 * target)}"
        result[f"shown_{name}"] = float(flat.mean())
        result[f"precision_{name}"] = float(right[flat].mean()) if flat.any() else 0.0
        result[f"recall_{name}"] = _reached(cases, shown) / max(1, expected)
        result[f"precision_elsewhere_{name}"] = float(right[flat & far].mean()) if (flat & far).any() else 0.0
        far_only = [mask & case.elsewhere for mask, case in zip(shown, cases, strict=True)]
        result[f"recall_elsewhere_{name}"] = _reached(cases, far_only) / max(1, expected_far)
    return result


def _reached(cases: Sequence[Case], masks: Sequence[npt.NDArray[np.bool_]]) -> int:
    """How many expected places are among those of the masks."""
    return sum(len(set(case.reached[mask].tolist()) - {-1}) for case, mask in zip(cases, masks, strict=True))


def fit(fitted: Sequence[Case], dev: Sequence[Case]) -> tuple[dict[str, Any], dict[str, Calibration], dict[str, Any]]:
    """Weights and calibrations from the fit projects, figures on the dev projects.

    The calibrations are fitted on scores that weights from other fit projects gave.
    """
    entry: dict[str, Any] = {}
    calibrations: dict[str, Calibration] = {}
    metrics: dict[str, Any] = {}
    for part in PARTS:
        mine = part_of(fitted, part)
        entry[part] = fit_weights(mine)
        every = calibrations[f"repeat_{part}"] = crossed_calibration(mine)
        metrics[f"repeat_{part}"] = figures(part_of(dev, part), entry[part], every)
    return entry, calibrations, metrics


def crossed_calibration(found: Sequence[Case]) -> Calibration:
    """An isotonic calibration, never certain, over scores of projects that the weights were not fitted on."""
    names = sorted({case.project for case in found})
    folds = [[case for case in found if names.index(case.project) % FOLDS == fold] for fold in range(FOLDS)]
    cases = [case for mine in folds for case in mine]
    raw: list[Floats] = []
    for fold, mine in enumerate(folds):
        if mine:
            raw += scores(mine, fit_weights([case for at, other in enumerate(folds) if at != fold for case in other]))
    hits = np.concatenate([case.right for case in cases]).astype(np.float64)
    return never_certain(fit_isotonic(np.concatenate(raw), hits), MOST)
