"""The model of what a finished change forgot: weights and calibration from commits, and its figures.

Nobody records what was forgotten, so it is made: commits with one of several equal edits left out stand for changes
that forgot it, the same commits whole for changes that forgot nothing. How often people forget is an assumption: in
what is fitted here, `SHARE` of the changes that repeat an edit have forgotten one place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.check.search import AMONG_CHANGES, CHECK_FEATURES
from editahead.runtime.calibration import Calibration, expected_calibration_error
from editahead.suggest.gate import threshold_for

from editahead_models.evaluate.check.cases import CheckCase, HunkCase
from editahead_models.evaluate.check.left_fit import SHARE, is_told, thresholds_by_disturbance
from editahead_models.evaluate.fitting.calibration_fit import fit_shrunk, never_certain
from editahead_models.evaluate.fitting.logistic import logistic_scores, logistic_weights

Floats = npt.NDArray[np.float64]
FITTED = (
    "bias", "examples", "left", "right", "owner", "head", "shape", "matches", "done_share", "distance", "declared",
    "twin", "stands", "fresh", "peers", "peer_share", "alone", "only", "ratio", *AMONG_CHANGES,
)  # fmt: skip
"""Features with a weight; those of a change under way tell little of a finished one."""
RIDGE = 5.0
TARGETS = (0.5, 0.7, 0.8, 0.9)
MOST = 0.99
FOLDS = 12
LEAST = 10
"""Places of whole commits that a step of the calibration stands for at the least."""
_TIMES = 20  # calibration counts places; each stands for so many, or by the odds of its case


def odds(cases: Sequence[CheckCase]) -> float:
    """What a case with a place left out counts beside a whole one, so that SHARE of the commits forgot a place."""
    forgot = sum(case.forgotten for case in cases)
    whole = len({(case.project, case.commit) for case in cases if not case.forgotten})
    return SHARE / (1.0 - SHARE) * whole / max(1, forgot)


def fit_weights(cases: Sequence[CheckCase]) -> dict[str, float]:
    """The weight of each feature that has one."""
    x = np.concatenate([case.features for case in cases])
    y = np.concatenate([case.right for case in cases]).astype(np.float64)
    forgotten = odds(cases)
    counts = [np.full(len(case.right), forgotten if case.forgotten else 1.0) for case in cases]
    fitted = [CHECK_FEATURES.index(name) for name in FITTED]
    return logistic_weights(x[:, fitted], y, np.concatenate(counts), FITTED, RIDGE)


def scores(cases: Sequence[CheckCase], weights: Mapping[str, float]) -> list[Floats]:
    """The uncalibrated probability of each place, by case. A case has (P,)."""
    return [logistic_scores(case.features, weights, CHECK_FEATURES) for case in cases]


def fit(
    cases: Sequence[CheckCase], hunks: Sequence[HunkCase], rates: Mapping[str, float]
) -> tuple[dict[str, float], Calibration]:
    """Weights from all cases; the calibration from scores of projects that the weights behind them did not see.

    Its thresholds keep the share of finished commits with a report, leftovers of the given `rates` among them; `hunks`
    name these commits.
    """
    names = sorted({case.project for case in cases})
    raw: list[Floats] = []
    hits: list[Floats] = []
    scored: list[tuple[CheckCase, Floats]] = []
    for fold in range(min(FOLDS, len(names))):
        held = set(names[fold::FOLDS])
        mine = [case for case in cases if case.project in held]
        weights = fit_weights([case for case in cases if case.project not in held])
        forgotten = odds(cases)
        for case, values in zip(mine, scores(mine, weights), strict=True):
            times = round(_TIMES * (forgotten if case.forgotten else 1.0))
            raw.append(np.tile(values, times))
            hits.append(np.tile(case.right.astype(np.float64), times))
            scored.append((case, values))
    calibration = never_certain(fit_shrunk(np.concatenate(raw), np.concatenate(hits), min_block=LEAST * _TIMES), MOST)
    crossed = [calibration.apply_many(row) if len(row) else row for _, row in scored]
    thresholds = thresholds_by_disturbance([case for case, _ in scored], crossed, hunks, rates)
    return fit_weights(cases), replace(calibration, thresholds=thresholds)


def figures(
    cases: Sequence[CheckCase],
    weights: Mapping[str, float],
    calibration: Calibration,
    rates: Mapping[str, float] | None = None,
    hunks: Sequence[HunkCase] = (),
) -> dict[str, Any]:
    """Shares at each target precision.

    `cases` is the share of the places left out that is reported; `right`, the share of all that is reported in such
    commits about that edit that is right; `alarms`, the share of whole commits about which anything is reported;
    `alarms_per_commit`, how many places. A leftover of a kind of `rates` that only the commit without a place has
    counts as found, and one of the whole commit as an alarm.
    """
    raw = scores(cases, weights)
    every = [calibration.apply_many(values) if len(values) else values for values in raw]
    commits = sorted({(case.project, case.commit) for case in cases if not case.forgotten})
    left_out = [(case, values) for case, values in zip(cases, every, strict=True) if case.forgotten]
    whole = [(case, values) for case, values in zip(cases, every, strict=True) if not case.forgotten]
    result: dict[str, Any] = {
        "commits": len(commits),
        "edits": len(whole),
        "left_out": len(left_out),
        "reached": sum(bool(case.right.any()) for case, _ in left_out) / max(1, len(left_out)),
        "places_per_commit": sum(len(case.right) for case, _ in whole) / max(1, len(commits)),
        "calibration_error": expected_calibration_error(
            np.concatenate(every), np.concatenate([case.right for case in cases])
        ),
    }
    for target in TARGETS:
        needed = threshold_for(calibration, target)
        name, known = f"{round(100 * target)}", rates or {}
        found = [bool((case.right & (values >= needed)).any()) for case, values in left_out]
        either = [hit or is_told(case.left, known, target) for hit, (case, _) in zip(found, left_out, strict=True)]
        told = sum(int((values >= needed).sum()) for _, values in left_out)
        alarms = {
            (case.project, case.commit)
            for case, values in whole
            if (values >= needed).any() or is_told(case.left, known, target)
        }
        result[f"found_{name}"] = sum(either) / max(1, len(left_out))
        result[f"right_{name}"] = sum(found) / max(1, told)
        result[f"alarms_{name}"] = len(alarms) / max(1, len(commits))
        every_commit = [one for one in hunks if not one.hunk]
        by_leftovers = {(one.project, one.commit) for one in every_commit if is_told(one.kinds, known, target)}
        result[f"disturbed_{name}"] = len(alarms | by_leftovers) / max(1, len(every_commit))
        result[f"alarms_per_commit_{name}"] = sum(int((v >= needed).sum()) for _, v in whole) / max(1, len(commits))
    return result
