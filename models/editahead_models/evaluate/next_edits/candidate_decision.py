"""Fit the layer that decides between the likeliest candidates, and the thresholds that keep finished commits quiet.

The network learns from all candidates, nearly all of which are unlikely; what tells the few likely ones apart it learns
too weakly. The layer is a logistic regression over its log odds and the same features, on the likeliest candidate of
each source in a moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from editahead.runtime.calibration import PRECISIONS
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.suggest.next_edit.scoring.candidate_scorer import MAX_ODDS, DecisionLayer

from editahead_models.evaluate.fitting.logistic import newton
from editahead_models.evaluate.next_edits.candidate_moments import Moment

Floats = npt.NDArray[np.float64]
RIDGE = 30.0
IN_PLACE = 0.7
"""What a candidate counts that stands where an edit is to come and is not that edit."""
FINISHED = 3.0
"""What a moment counts in which all is done: what is shown then disturbs more than a wrong place does."""
LEAST = 0.05
"""Probability of the network below which a candidate decides nothing."""
_SOURCE = [number for number, name in enumerate(FEATURES) if name.startswith("is_")]


def is_done(moment: Moment) -> bool:
    """Whether a moment is the end of a commit, with nothing to come in any file."""
    return moment.kind == "finished" and moment.coming + moment.elsewhere == 0


def fitted_decision(moments: Sequence[Moment], odds: Sequence[Sequence[tuple[Floats, Floats]]]) -> DecisionLayer:
    """The layer; `odds` holds for each moment the views of its candidates: features [N, F] and log odds [N] each.

    The log odds come from networks that were fitted on other projects.
    """
    rows = list(_likeliest(moments, odds))
    x = np.asarray([row for row, *_ in rows])
    network, y, weight = (np.asarray([row[at] for row in rows]) for at in (1, 2, 3))
    mean, scale = x.mean(0), x.std(0)
    scale[scale < 1e-6] = 1e9  # a feature that never varies says nothing
    z = np.clip((x - mean) / scale, -MAX_ODDS, MAX_ODDS)
    design = np.concatenate([np.ones((len(z), 1)), np.clip(network, -MAX_ODDS, MAX_ODDS)[:, None], z], 1)
    penalty = np.concatenate([[1e-6, 0.01], np.full(z.shape[1], RIDGE)])
    found = newton(design, y, weight, penalty)
    # The mean with the network's own odds: the layer knows better when all is done, the network what is surest.
    return DecisionLayer(mean, scale, found[2:] / 2, (float(found[1]) + 1.0) / 2, float(found[0]) / 2)


def _likeliest(
    moments: Sequence[Moment], odds: Sequence[Sequence[tuple[Floats, Floats]]]
) -> Iterator[tuple[Floats, float, float, float]]:
    """Features, log odds, rightness and weight of the likeliest candidate of each source, in each view of a moment."""
    least = float(np.log(LEAST / (1.0 - LEAST)))
    for one, views in zip(moments, odds, strict=True):
        right = np.maximum(one.right, IN_PLACE * one.place)
        for features, network in views:
            best: dict[tuple[bool, ...], int] = {}
            for at in np.argsort(-network, kind="stable").tolist():
                if network[at] > least:
                    best.setdefault((*(features[at, _SOURCE] > 0).tolist(), bool(one.own[at])), at)
            for at in best.values():
                weight = (FINISHED if is_done(one) else 1.0) / len(views)
                yield features[at], float(network[at]), float(right[at]), weight


class Shown(NamedTuple):
    """The likeliest candidate of each moment [M] in the file of the cursor, and in the others: both are served so.

    Probabilities, 0 where there is none, and whether an edit is to come in that place.
    """

    own: Floats
    own_place: Floats
    other: Floats
    other_place: Floats


def shown_first(moments: Sequence[Moment], probabilities: Sequence[Floats]) -> Shown:
    """What is shown at each moment, by the probabilities [N] of its candidates."""
    rows = []
    for one, p in zip(moments, probabilities, strict=True):
        row: list[float] = []
        for where in (one.own, ~one.own) if len(p) else ():
            best = int(np.argmax(np.where(where, p, -1.0)))
            row += [float(p[best]), float(one.right[best] or one.place[best])] if where.any() else [0.0, 0.0]
        rows.append(row or [0.0] * 4)
    return Shown(*np.asarray(rows, dtype=np.float64).reshape(-1, 4).T)


def place_thresholds(
    shown: Shown, targets: Sequence[float] = PRECISIONS, least: int = 20
) -> tuple[tuple[float, float | None], ...]:
    """For each target the smallest probability from which on that share of what is shown stands in place.

    `least` moments in which something is shown, or all of them, are enough to tell.
    """
    values = np.unique(np.concatenate([shown.own, shown.other]))[::-1]
    found: dict[float, float | None] = dict.fromkeys(targets)
    for at in values[values > 0].tolist():
        own, other = shown.own >= at, (shown.own < at) & (shown.other >= at)
        count = int(own.sum() + other.sum())
        share = (shown.own_place[own].sum() + shown.other_place[other].sum()) / count
        for target in targets if count >= min(least, len(shown.own)) else ():
            if share >= target - 1e-12:
                found[target] = at
    return tuple(found.items())


def quiet_thresholds(
    done: Floats,
    thresholds: Sequence[tuple[float, float | None]],
    share_at: Callable[[float], float] | None = None,
) -> tuple[tuple[float, float | None], ...]:
    """The thresholds (by dial), as high as quiet needs them.

    `done` [M] holds the likeliest candidate's probability after each finished commit, 0 where there is none; `share_at`
    gives the share of finished commits after which something may be shown at a dial (`disturbed`).
    """
    allowed = share_at or disturbed
    ordered = np.append(np.sort(done)[::-1], 0.0)
    kept = [(dial, low, float(ordered[int(allowed(dial) * len(done))])) for dial, low in thresholds]
    return tuple((dial, None if low is None else max(low, float(np.nextafter(at, 2.0)))) for dial, low, at in kept)


def disturbed(dial: float) -> float:
    """The share of finished commits after which something may be shown: 3 % at 0.8, 1.5 % at 0.9, 19 % at 0.5.

    It is of the fit projects, which are harder: 3 % of them are about 2 % of the dev projects'. Above the default it
    falls with what may be wrong; a square there would hide what is right and keep nobody undisturbed.
    """
    wrong = 1.0 - dial
    return max(wrong**2 * 0.75, wrong * 0.15)
