"""Suggested fixes on mined repairs: what the search offers for a region, and what its figures are worth.

A logistic regression over the search's figures, then an isotonic calibration of its scores on projects that the
regression has not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import Calibration, expected_calibration_error
from editahead.runtime.span_copying.model import SpanModel
from editahead.suggest.fixes.fixes import FEATURES, fix_features
from editahead.suggest.requested_edits import MOST

from editahead_models.copyspan.network.batches import Pair
from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic, never_certain
from editahead_models.evaluate.fitting.logistic import features_of, logistic_scores, right_of, weights_of

Floats = npt.NDArray[np.float64]
FLOORS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
MIXTURE = {"same": 0.5, "slip": 0.35, "repair": 0.15}
"""What the regions are that somebody asks about: an assumption, for nobody knows. A probability rests on it."""


@dataclass(frozen=True)
class Case:
    """What the search found for one dev region.

    Features and rightness of the first alternatives, what the region is (`same`: nothing to mend, `slip`, `repair`),
    and p(unchanged).
    """

    project: str
    features: Floats  # [P, F]
    right: npt.NDArray[np.bool_]  # [P]
    kind: str
    unchanged: float


def drawn(kinds: Sequence[str], most: int) -> list[int]:
    """The first places of each kind in the shares of MIXTURE, as many in all as there are, at most `most`."""
    of = {kind: [at for at, other in enumerate(kinds) if other == kind] for kind in MIXTURE}
    total = min([most, *(int(len(of[kind]) / share) for kind, share in MIXTURE.items())])
    return sorted(at for kind, share in MIXTURE.items() for at in of[kind][: round(total * share)])


def cases(model: SpanModel, pairs: Sequence[Pair], projects: Sequence[str], kinds: Sequence[str]) -> list[Case]:
    """Every pair that the model can take."""
    from rich.progress import track

    found: list[Case] = []
    rows_of = list(zip(pairs, projects, kinds, strict=True))
    for pair, project, kind in track(rows_of, description="rewriting", transient=True):
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
                kind,
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
        weights = weights_of(fitted, FEATURES)
        scores.append(logistic_scores(features_of(judged), weights, FEATURES))
        right.append(right_of(judged))
    for own, other in ((0, 1), (1, 0)):
        values.append(fit_isotonic(scores[other], right[other]).apply_many(scores[own]))
    calibration = never_certain(fit_isotonic(np.concatenate(scores), np.concatenate(right)))
    crossed, outcomes = np.concatenate(values), np.concatenate(right)
    first = np.concatenate([case.features[:, FEATURES.index("rank")] == 0 for case in (*halves[1], *halves[0])])
    kinds = np.asarray([case.kind for half in halves[::-1] for case in half for _ in case.right])
    metrics = {"calibration_error": float(expected_calibration_error(crossed, outcomes))}
    for kind in MIXTURE:
        mine = [case for case in found if case.kind == kind]
        metrics[f"{kind}_regions"] = float(len(mine))
        if mine and kind != "same":
            metrics[f"{kind}_first_right"] = float(np.mean([case.right[:1].any() for case in mine]))
            metrics[f"{kind}_three_right"] = float(np.mean([case.right.any() for case in mine]))
        for floor in FLOORS:
            shown = first & (crossed >= floor) & (kinds == kind)
            metrics[f"{kind}_shown_{floor:g}"] = float(shown.sum() / max(1, len(mine)))
    for floor in FLOORS:
        shown = first & (crossed >= floor)
        metrics[f"right_{floor:g}"] = float(outcomes[shown].mean()) if shown.any() else 0.0
    return weights_of(found, FEATURES), calibration, {name: round(value, 4) for name, value in metrics.items()}
