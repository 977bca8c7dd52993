"""The model of what a finished change forgot: weights and calibration from commits.

Nobody records what was forgotten, so it is made: commits with one of several equal edits left out stand for changes
that forgot it, the same commits whole for changes that forgot nothing. How often people forget is an assumption: in
what is fitted here, `SHARE` of the changes that repeat an edit have forgotten one place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from editahead.check.search import AMONG_CHANGES, CHECK_FEATURES
from editahead.runtime.calibration import Calibration

from editahead_models.evaluate.check.cases import CheckCase, HunkCase
from editahead_models.evaluate.check.left_fit import SHARE, thresholds_by_disturbance
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
