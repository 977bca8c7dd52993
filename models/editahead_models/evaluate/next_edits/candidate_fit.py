"""Fit the scorer of candidates for the next edit on judged moments, crossed by project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from editahead.runtime.calibration import Calibration
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.suggest.next_edit.scoring.candidate_scorer import CLIP, CandidateScorer, DecisionLayer

from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic
from editahead_models.evaluate.next_edits.candidate_decision import (
    fitted_decision,
    is_done,
    place_thresholds,
    quiet_thresholds,
    shown_first,
)
from editahead_models.evaluate.next_edits.candidate_moments import Moment

HIDDEN, NETS, EPOCHS, BATCH, DROPOUT, DECAY, RATE = 24, 2, 25, 512, 0.4, 0.3, 6e-3
"""Two networks of 24 units, whose log odds are averaged, serve as one of 48."""
MOST = 12.0
"""What the candidates of one moment count together."""
FOLDS = 4
HALF = 0.5
"""What the network learns of a candidate that stands where an edit is to come and is not that edit."""
OF_NETWORK = ("asked", "go", "entropy", "rival_network", "agreed_network")
"""Features that are 0 where the network was not asked."""
QUIET = ("undo",)
"""Kinds of moments in which nothing is rated, since a gate stands before the scorer."""
DRAWN = ("burst",)
"""Kinds of moments that teach the scorer and say nothing of how often it is right: nobody begins in the middle."""
Floats = npt.NDArray[np.float64]
Views = tuple[tuple[Floats, Floats], ...]
_COLUMN = {name: number for number, name in enumerate(FEATURES)}


class Tops(NamedTuple):
    """The likeliest candidate of each moment: its score, and whether it is `right` or at least in the `place`.

    `due`: an edit is still to come in the file of the cursor, and the moment is one that comes up in writing.
    """

    score: Floats
    right: Floats
    place: Floats
    due: Floats


def before_network(features: Floats) -> Floats:
    """Features [N, F] as they are before the network is asked."""
    out = features.copy()
    out[:, [_COLUMN[name] for name in OF_NETWORK]] = 0.0
    return out


def is_network(features: Floats) -> npt.NDArray[np.bool_]:
    """Which candidates [N] the network gave."""
    return np.asarray(features[:, _COLUMN["is_network"]] > 0)


def table(moments: Sequence[Moment]) -> tuple[Floats, Floats, Floats]:
    """Features [N, F], rightness [N] and weights [N]: each candidate as rated with the network's answer and without."""
    x, y, w = [np.zeros((0, len(FEATURES)))], [np.zeros(0)], [np.zeros(0)]
    for one in moments:
        if not len(one.right) or one.kind in QUIET:
            continue
        cheap = ~is_network(one.features)
        for rows, kept in ((one.features, np.ones(len(cheap), np.bool_)), (before_network(one.features), cheap)):
            count = int(kept.sum())
            x.append(rows[kept])
            y.append(np.maximum(one.right, HALF * one.place)[kept])
            w.append(np.full(count, min(1.0, MOST / max(1, count))))
    return np.concatenate(x), np.concatenate(y), np.concatenate(w)


def standard(moments: Sequence[Moment]) -> tuple[Floats, Floats]:
    """Mean [F] and scale [F] of the features."""
    x, _, _ = table(moments)
    mean, scale = x.mean(0), x.std(0)
    scale[scale < 1e-6] = 1e9  # a feature that never varies says nothing
    return mean, scale


def fitted(moments: Sequence[Moment], mean: Floats, scale: Floats, seed: int = 0) -> CandidateScorer:
    """A network without decision and calibration, by logistic loss. `mean` [F] and `scale` [F] are of the features."""
    x, y, w = table(moments)
    z = torch.tensor(np.clip((x - mean) / scale, -CLIP, CLIP), dtype=torch.float32)
    nets = [_trained(z, torch.tensor(y).float(), torch.tensor(w).float(), seed + number) for number in range(NETS)]
    parts = [[value.detach().double().numpy() for value in net.parameters()] for net in nets]
    return CandidateScorer(
        mean,
        scale,
        np.concatenate([part[0].T for part in parts], 1),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2][0] for part in parts]) / NETS,
        float(np.mean([part[3][0] for part in parts])),
        Calibration(),
    )


def _trained(z: torch.Tensor, y: torch.Tensor, w: torch.Tensor, seed: int) -> torch.nn.Sequential:
    torch.manual_seed(seed)
    net = torch.nn.Sequential(
        torch.nn.Linear(z.shape[1], HIDDEN), torch.nn.Tanh(), torch.nn.Dropout(DROPOUT), torch.nn.Linear(HIDDEN, 1)
    )
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE / 2, weight_decay=DECAY)
    steps = EPOCHS * -(-len(z) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(z)).split(BATCH):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(net(z[batch])[:, 0], y[batch], weight=w[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return net


def projects_apart(moments: Sequence[Moment]) -> list[frozenset[str]]:
    """The projects by folds."""
    names = sorted({one.project for one in moments})
    return [frozenset(name for number, name in enumerate(names) if number % FOLDS == fold) for fold in range(FOLDS)]


def averaged(scorers: Sequence[CandidateScorer]) -> CandidateScorer:
    """One network whose log odds are the mean of those of several, all with the same standardisation."""
    return replace(
        scorers[0],
        hidden=np.concatenate([one.hidden for one in scorers], 1),
        hidden_bias=np.concatenate([one.hidden_bias for one in scorers]),
        output=np.concatenate([one.output for one in scorers]) / len(scorers),
        output_bias=float(np.mean([one.output_bias for one in scorers])),
    )


def crossed(
    moments: Sequence[Moment], folds: Sequence[frozenset[str]], scorers: Sequence[CandidateScorer]
) -> list[Views]:
    """The views of each moment with the log odds of the network that was fitted without its fold.

    A view is all candidates as they are rated once the network of edits has answered, or before it is asked.
    """
    found: list[Views] = [()] * len(moments)
    for fold, scorer in zip(folds, scorers, strict=True):
        for number, one in enumerate(moments):
            if one.project in fold and len(one.right):
                cheap = before_network(one.features)
                odds = np.where(is_network(cheap), -np.inf, scorer.network_odds(cheap))
                found[number] = ((one.features, scorer.network_odds(one.features)), (cheap, odds))
    return found


def decided(moments: Sequence[Moment], views: Sequence[Views], folds: Sequence[frozenset[str]]) -> list[Floats]:
    """The probabilities [N] of each moment's candidates by layers that were fitted on other projects."""
    found: list[Floats] = [np.zeros(0)] * len(moments)
    for fold in folds:
        layer = _decision([one for one in moments if one.project not in fold], moments, views)
        for number, (one, view) in enumerate(zip(moments, views, strict=True)):
            if one.project in fold and view:
                found[number] = 1.0 / (1.0 + np.exp(-layer.odds(*view[0])))
    return found


def _decision(some: Sequence[Moment], moments: Sequence[Moment], views: Sequence[Views]) -> DecisionLayer:
    """The layer of some of the moments."""
    wanted = {id(one) for one in some}
    kept = [at for at, one in enumerate(moments) if id(one) in wanted and views[at] and one.kind not in QUIET]
    return fitted_decision([moments[at] for at in kept], [views[at] for at in kept])


def tops(moments: Sequence[Moment], scores: Sequence[Floats]) -> Tops:
    """The likeliest candidate of each moment that has one; `scores` holds an array [N] a moment."""
    rows = list(_tops(moments, scores))
    score, right, place, due = np.asarray(rows, dtype=np.float64).reshape(-1, 4).T
    return Tops(score, right, place, due)


def _tops(moments: Sequence[Moment], scores: Sequence[Floats]) -> Iterator[tuple[float, float, float, float]]:
    for one, score in zip(moments, scores, strict=True):
        if len(score) and one.kind not in QUIET:
            best = int(np.argmax(score))
            place = one.right[best] or one.place[best]
            due = one.coming > 0 and one.kind not in DRAWN
            yield float(score[best]), float(one.right[best]), float(place), float(due)


def calibrated(moments: Sequence[Moment], natural: Sequence[Moment]) -> CandidateScorer:
    """A scorer of all moments, with a calibration and thresholds by the crossed scores of the `natural` ones.

    `natural` are those of `moments` that come as often as they do in commits. The networks of all folds serve together:
    one more, fitted on everything, would be surer than those that the decision and the calibration know.
    """
    torch.set_num_threads(1)  # sums in another order would give other weights
    folds, (mean, scale) = projects_apart(moments), standard(moments)
    scorers = [fitted([one for one in moments if one.project not in fold], mean, scale) for fold in folds]
    views = crossed(moments, folds, scorers)
    scores = decided(moments, views, folds)
    kept = {id(one) for one in natural}
    chosen = [number for number, one in enumerate(moments) if id(one) in kept]
    best = tops([moments[number] for number in chosen], [scores[number] for number in chosen])
    calibration = fit_isotonic(best.score, best.right)
    due = [number for number in chosen if moments[number].coming and moments[number].kind not in (*QUIET, *DRAWN)]
    shown = shown_first([moments[at] for at in due], [calibration.apply_many(scores[at]) for at in due])
    done = [calibration.apply_many(scores[at]).max(initial=0.0) for at in chosen if is_done(moments[at])]
    quiet = quiet_thresholds(np.asarray(done, dtype=np.float64), place_thresholds(shown))
    decision = _decision(moments, moments, views)
    return replace(averaged(scorers), decision=decision, calibration=replace(calibration, thresholds=quiet))
