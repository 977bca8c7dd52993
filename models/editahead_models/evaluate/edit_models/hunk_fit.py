"""The scorer and the calibration of hunks, fitted on cases, and the report over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import Calibration
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.logistic import LogisticModel
from editahead.suggest.next_edit.rollout.rollout_features import FEATURES

from editahead_models.evaluate.edit_models.hunks import Case, Floats, cases, load_shards_of
from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic, never_certain
from editahead_models.evaluate.fitting.logistic import newton


def fit_scorer(found: Sequence[Case], ridge: float = 1.0) -> LogisticModel:
    """Logistic regression over all proposals of all cases."""
    x = np.concatenate([case.features for case in found])
    y = np.concatenate([case.right for case in found]).astype(np.float64)
    weights = newton(x, y, np.ones(len(x)), np.full(x.shape[1], ridge))
    return LogisticModel(FEATURES, dict(zip(FEATURES, weights.tolist(), strict=True)))


def top_choices(found: Sequence[Case], scorer: LogisticModel) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Score and rightness of the proposal that each case would show; cases without one count as 0 and wrong.

    Both are (N,).
    """
    scores, hits, _ = _tops(found, scorer)
    return scores, hits


def _tops(found: Sequence[Case], scorer: LogisticModel) -> tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    scores, hits, whole = [], [], []
    for case in found:
        values = [scorer.probability(row) for row in case.features.tolist()]
        best = int(np.argmax(values)) if values else -1
        scores.append(values[best] if values else 0.0)
        hits.append(bool(case.right[best]) if values else False)
        whole.append(bool(case.whole[best]) if values else False)
    return np.asarray(scores), np.asarray(hits), np.asarray(whole)


def report(found: Sequence[Case], scorer: LogisticModel, calibration: Calibration) -> dict[str, float]:
    """Shares over cases with something to come (`open`) or with a repeated hunk to come (`repeated`).

    `offered_80`: shown, and right, at the threshold for a precision of 80 %; `whole_80`: right as a whole hunk.
    """
    scores, hits, whole = _tops(found, scorer)
    values = calibration.apply_many(scores)
    still = np.asarray([case.remaining > 0 for case in found])
    repeated = np.asarray([case.repeated for case in found])
    result = {
        "cases": float(len(found)),
        "cases_open": float(still.sum()),
        "top": float(hits[still].mean()),
        "top_whole": float(whole[still].mean()),
        "any_proposal": float(np.asarray([bool(case.right.any()) for case in found])[still].mean()),
        "repeated": float(repeated[still].mean()),
        "top_repeated": float(hits[repeated].mean()) if repeated.any() else 0.0,
        "seconds_median": float(np.median([case.seconds for case in found])),
        "ece": calibration.ece,
    }
    for target in (0.5, 0.6, 0.7, 0.8, 0.9):
        shown = values >= calibration.threshold(target)
        name = f"{round(100 * target)}"
        result[f"shown_{name}"] = float(shown.mean())
        result[f"precision_{name}"] = float(hits[shown].mean()) if shown.any() else 0.0
        result[f"offered_{name}"] = float((hits & shown)[still].mean())
        result[f"whole_{name}"] = float((whole & shown)[still].mean())
        result[f"offered_repeated_{name}"] = float((hits & shown)[repeated].mean()) if repeated.any() else 0.0
    return result


def crossed(found: Sequence[Case]) -> dict[str, float]:
    """The report with scorer and calibration fitted on the other half of the projects."""
    names = sorted({case.project for case in found})
    halves = [[case for case in found if names.index(case.project) % 2 == side] for side in (0, 1)]
    reports: list[dict[str, float]] = []
    errors: list[float] = []
    for fit, test in (halves, halves[::-1]):
        if not fit or not test:
            return {}
        scorer = fit_scorer(fit)
        calibration = fit_isotonic(*top_choices(fit, scorer))
        reports.append(report(test, scorer, calibration))
        scores, hits = top_choices(test, scorer)
        errors.append(_ece(calibration.apply_many(scores), hits))
    mean = {name: (reports[0][name] + reports[1][name]) / 2 for name in reports[0]}
    return mean | {"ece": sum(errors) / 2}


def _ece(values: Floats, hits: npt.NDArray[np.bool_]) -> float:
    from editahead.runtime.calibration import expected_calibration_error

    return float(expected_calibration_error(values, hits))


def calibrate(
    model: EditModel, data: Path, count: int
) -> tuple[LogisticModel, Calibration, dict[str, Any], list[Case]]:
    """Fit on the fit projects: scorer, calibration, metrics (cross-fitted ones under `crossed`)."""
    from rich.progress import track

    shards, texts = load_shards_of(data / "fit")
    found = list(track(cases(model, shards, texts, count=count), total=count, description="rolling out"))
    scorer = fit_scorer(found)
    calibration = never_certain(fit_isotonic(*top_choices(found, scorer)))
    metrics: Mapping[str, Any] = {"fitted": report(found, scorer, calibration), "crossed": crossed(found)}
    return scorer, calibration, dict(metrics), found
