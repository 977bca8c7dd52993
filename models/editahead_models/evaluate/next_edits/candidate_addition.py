"""Fit the weights of one source that came later, and leave all others of a scorer as they are.

The scorer rates the candidates of a new source by their other features alone. Two weights of its decision are fitted
beside these log odds: that it is this source, and the log odds of the source's own score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.suggest.next_edit.scoring.candidate_scorer import CandidateScorer

from editahead_models.evaluate.fitting.minimise import minimise
from editahead_models.evaluate.next_edits.candidate_decision import FINISHED, IN_PLACE, is_done
from editahead_models.evaluate.next_edits.candidate_fit import QUIET
from editahead_models.evaluate.next_edits.candidate_moments import Moment

Floats = npt.NDArray[np.float64]
RIDGE = 1.0


def with_source(scorer: CandidateScorer, moments: Sequence[Moment], source: str) -> CandidateScorer:
    """The scorer with the weights of a source. ValueError, one line, where no moment has a candidate of it."""
    assert scorer.decision is not None
    columns = [FEATURES.index(f"{name}_{source}") for name in ("is", "odds")]
    bare = _weighted(scorer, columns, np.zeros(2))
    assert bare.decision is not None
    x, offset, y, weight = [np.zeros((0, 2))], [np.zeros(0)], [np.zeros(0)], [np.zeros(0)]
    for one in moments:
        mine = np.asarray(one.features[:, columns[0]] > 0) & one.own
        if one.kind in QUIET or not mine.any():
            continue
        rows = one.features[mine]
        network = bare.network_odds(rows)
        first = int(np.argmax(bare.decision.odds(rows, network)))
        x.append(rows[first : first + 1, columns])
        offset.append(bare.decision.odds(rows, network)[first : first + 1])
        y.append(np.maximum(one.right, IN_PLACE * one.place)[mine][first : first + 1])
        weight.append(np.full(1, FINISHED if is_done(one) else 1.0))
    design, fixed, target, weights = (np.concatenate(part) for part in (x, offset, y, weight))
    if not len(target):
        raise ValueError(f"no moment has a candidate of {source}")

    def loss(w: Floats) -> tuple[float, Floats]:
        z = fixed + design @ w
        p = 1.0 / (1.0 + np.exp(-z))
        total = float((weights * (np.logaddexp(0.0, z) - target * z)).sum() + RIDGE * (w @ w) / 2)
        return total, np.asarray(design.T @ (weights * (p - target)) + RIDGE * w, dtype=np.float64)

    return _weighted(scorer, columns, minimise(loss, np.zeros(2)))


def crossed(scorer: CandidateScorer, moments: Sequence[Moment], source: str, precision: float) -> dict[str, int]:
    """What would be shown at a precision of the likeliest candidate of a moment, each project by weights of the others.

    `place`: where an edit was to come; `right`: exactly that edit.
    """
    column = FEATURES.index(f"is_{source}")
    counts = {"moments": 0, "shown": 0, "place": 0, "right": 0}
    for project in sorted({one.project for one in moments}):
        rated = with_source(scorer, [one for one in moments if one.project != project], source)
        for one in moments:
            mine = np.asarray(one.features[:, column] > 0) & one.own
            if one.project != project or not mine.any():
                continue
            probabilities = rated.probabilities([tuple(row) for row in one.features[mine].tolist()])
            first = int(np.argmax(probabilities))
            counts["moments"] += 1
            if probabilities[first] >= rated.threshold(precision):
                counts["shown"] += 1
                counts["place"] += bool(one.place[mine][first])
                counts["right"] += bool(one.right[mine][first])
    return counts


def padded(data: Mapping[str, Any]) -> dict[str, Any]:
    """A scorer as in its file, with all features of today: those that it was not fitted for say nothing."""
    at = {name: number for number, name in enumerate(data["features"])}

    def spread(values: Sequence[Any], missing: Any) -> list[Any]:
        return [values[at[name]] if name in at else missing for name in FEATURES]

    nothing = [0.0] * len(data["output"])
    layer = data["decision"]
    arrays = {"mean": spread(data["mean"], 0.0), "scale": spread(data["scale"], 1.0)}
    decision = {
        "mean": spread(layer["mean"], 0.0),
        "scale": spread(layer["scale"], 1.0),
        "weights": spread(layer["weights"], 0.0),
    }
    hidden = spread(data["hidden"], nothing)
    return {**data, "features": list(FEATURES), **arrays, "hidden": hidden, "decision": {**layer, **decision}}


def _weighted(scorer: CandidateScorer, columns: Sequence[int], weights: Floats) -> CandidateScorer:
    """The scorer with these weights of two features, as they are; its network does not see them."""
    assert scorer.decision is not None
    layer, hidden, scale = scorer.decision, scorer.hidden.copy(), scorer.scale.copy()
    mean, spread, given = layer.mean.copy(), layer.scale.copy(), layer.weights.copy()
    hidden[columns], scale[columns] = 0.0, 1.0
    mean[columns], spread[columns], given[columns] = 0.0, 1.0, weights
    decision = layer._replace(mean=mean, scale=spread, weights=given)
    return replace(scorer, hidden=hidden, scale=scale, decision=decision)
