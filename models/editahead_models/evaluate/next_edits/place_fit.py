"""Fit the model of places on the lines of mined moments, crossed by project, and the thresholds of what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import PRECISIONS, Calibration
from editahead.suggest.next_edit.places.learned_places import reserved_for_text
from editahead.suggest.next_edit.places.place_model import PlaceModel

from editahead_models.evaluate.fitting.boosted_trees import BoostingPlan, boost
from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic, precision_thresholds
from editahead_models.evaluate.next_edits.candidate_decision import quiet_thresholds
from editahead_models.evaluate.next_edits.candidate_report import OPEN_KINDS
from editahead_models.evaluate.next_edits.place_moments import PlaceMoment
from editahead_models.evaluate.next_edits.place_table import PlaceRows

FOLDS = 4
PLAN = BoostingPlan(trees=80, depth=5, rate=0.12)
FIRST_PLAN = BoostingPlan(trees=40, depth=5, rate=0.2)
"""Of the trees that only choose the hardest lines to learn from."""
MOST_NEAR, MOST_FAR, HARDEST = 12, 30, 20
"""Lines of a moment near an edit still to come, drawn ones of the others, and the likeliest of these."""
FINISHED = 2.0
"""What a finished commit counts."""
Floats = npt.NDArray[np.float64]


class LikeliestLines(NamedTuple):
    """The likeliest line of each moment [M]: its probability, 0 without any, and whether an edit to come is near."""

    probability: Floats
    near: npt.NDArray[np.bool_]


def is_request(moment: PlaceMoment) -> bool:
    """Whether an edit is still to come in the file of the cursor, in a moment where a user would look for one."""
    return moment.kind in OPEN_KINDS and moment.coming > 0


def is_done(moment: PlaceMoment) -> bool:
    """Whether a moment is the end of a commit, with nothing to come in any file."""
    return moment.kind == "finished" and not moment.coming + moment.elsewhere


def sampled(
    rows: Sequence[PlaceRows], rng: np.random.Generator, odds: Sequence[Floats] | None = None
) -> tuple[npt.NDArray[np.float32], Floats, Floats]:
    """Features [N, F], nearness [N] and weights [N] of lines of each moment; the `odds` [L] of its lines tell which."""
    x, y, w = list[npt.NDArray[np.float32]](), list[Floats](), list[Floats]()

    def take(row: PlaceRows, lines: npt.NDArray[np.int64], near: bool, weight: float) -> None:
        if len(lines):
            x.append(row.features[lines])
            y.append(np.full(len(lines), float(near)))
            w.append(np.full(len(lines), weight))

    for number, row in enumerate(rows):
        counts = FINISHED if is_done(row.moment) else 1.0
        near, far = np.flatnonzero(row.near), np.flatnonzero(~row.near)
        kept = near if len(near) <= MOST_NEAR else rng.choice(near, MOST_NEAR, replace=False)
        take(row, kept, True, counts * min(len(near), 2 * MOST_NEAR) / max(1, len(kept)))
        if odds is not None and len(far) > HARDEST:
            far = far[np.argsort(-odds[number][far], kind="stable")]
            take(row, far[:HARDEST], False, counts)
            far = far[HARDEST:]
        drawn = far if len(far) <= MOST_FAR else rng.choice(far, MOST_FAR, replace=False)
        take(row, drawn, False, counts * len(far) / max(1, len(drawn)))
    return np.concatenate(x), np.concatenate(y), np.concatenate(w)


def fitted(rows: Sequence[PlaceRows], seed: int = 1) -> PlaceModel:
    """Trees without a calibration: some first ones choose the lines that are hardest to tell apart."""
    rng = np.random.default_rng(seed)
    first = _trees(rows, rng, FIRST_PLAN, None)
    return _trees(rows, rng, PLAN, odds_of(first, rows))


def _trees(
    rows: Sequence[PlaceRows], rng: np.random.Generator, plan: BoostingPlan, odds: Sequence[Floats] | None
) -> PlaceModel:
    trees = boost(*sampled(rows, rng, odds), plan)
    return PlaceModel(trees.tested, trees.cuts, trees.leaves, trees.bias, Calibration())


def odds_of(model: PlaceModel, rows: Sequence[PlaceRows]) -> list[Floats]:
    """The log odds [L] of the lines of each moment."""
    return [model.odds(row.features.astype(np.float64)) for row in rows]


def likeliest(rows: Sequence[PlaceRows], odds: Sequence[Floats]) -> LikeliestLines:
    """The likeliest line of each moment that is not reserved for a text, by the `odds` [L] of its lines."""
    kept = [
        np.where(reserved_for_text(row.features, row.lines, each), -np.inf, each)
        for row, each in zip(rows, odds, strict=True)
    ]
    best = [int(np.argmax(each)) if len(each) and each.max() > -np.inf else -1 for each in kept]
    raw = [1.0 / (1.0 + np.exp(-each[at])) if at >= 0 else 0.0 for at, each in zip(best, odds, strict=True)]
    near = [bool(row.near[at]) if at >= 0 else False for at, row in zip(best, rows, strict=True)]
    return LikeliestLines(np.asarray(raw), np.asarray(near, dtype=np.bool_))


def averaged(models: Sequence[PlaceModel]) -> PlaceModel:
    """All trees of several models together, whose log odds are the mean of theirs."""
    return PlaceModel(
        np.concatenate([each.tested for each in models]),
        np.concatenate([each.cuts for each in models]),
        np.concatenate([each.leaves for each in models]) / len(models),
        float(np.mean([each.bias for each in models])),
        Calibration(),
    )


def projects_apart(rows: Sequence[PlaceRows]) -> list[frozenset[str]]:
    """The projects by folds, those of each language spread over all of them."""
    names = sorted({(row.moment.language, row.moment.project) for row in rows})
    return [frozenset(name for at, (_, name) in enumerate(names) if at % FOLDS == fold) for fold in range(FOLDS)]


def calibrated(rows: Sequence[PlaceRows]) -> tuple[PlaceModel, LikeliestLines]:
    """The model of all folds, with a calibration by what each says of the projects that it has not seen.

    Also these crossed probabilities of the likeliest lines, calibrated. What is shown as a place stands where no text
    is shown, so that calibration and thresholds are of those moments.
    """
    folds = projects_apart(rows)
    models = [fitted([row for row in rows if row.moment.project not in fold]) for fold in folds]
    odds: list[Floats] = [np.zeros(0)] * len(rows)
    for fold, model in zip(folds, models, strict=True):
        numbers = [number for number, row in enumerate(rows) if row.moment.project in fold]
        for number, each in zip(numbers, odds_of(model, [rows[number] for number in numbers]), strict=True):
            odds[number] = each
    best = likeliest(rows, odds)
    shown = np.asarray([row.moment.text is None and len(row.near) > 0 for row in rows])
    due = shown & np.asarray([is_request(row.moment) for row in rows])
    calibration = fit_isotonic(best.probability[shown], best.near[shown])
    p = calibration.apply_many(best.probability)
    done = np.asarray([value * mark for value, mark, row in zip(p, shown, rows, strict=True) if is_done(row.moment)])
    thresholds = quiet_thresholds(done, precision_thresholds(p[due], best.near[due], PRECISIONS), disturbed)
    calibration = replace(calibration, thresholds=thresholds)
    return replace(averaged(models), calibration=calibration), LikeliestLines(p, best.near)


def disturbed(precision: float) -> float:
    """The share of finished commits after which a place may be shown: 2.4 % at 0.8, the default."""
    return 0.12 * (1.0 - precision)
