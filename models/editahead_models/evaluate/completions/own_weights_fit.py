"""Fit the weights that a ranker has for places of one kind, which begin as those for all places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from editahead.runtime.language_model.candidate_ranker import CandidateRanker

from editahead_models.evaluate.completions.completion_fit import folds
from editahead_models.evaluate.completions.ranker_fit import fit_ranker
from editahead_models.evaluate.places.ranker_data import RankedPlace

_FIRST = 5


class OwnWeights(NamedTuple):
    """Weights for places of one kind; shares of right names on projects that the weights have not seen."""

    ranker: CandidateRanker
    figures: dict[str, float]


def fit_own_weights(places: Sequence[RankedPlace], begin: CandidateRanker, seed: int = 1) -> OwnWeights:
    """The weights for some places, and how they do, crossed by project, beside those that they begin as."""
    crossed: list[tuple[bool, int, int]] = []
    for held in folds(sorted({place.project for place in places})):
        ranker = fit_ranker([place for place in places if place.project not in held], seed, begin=begin)
        for place in (place for place in places if place.project in held):
            crossed.append((place.typed > 0, rank_of(begin, place), rank_of(ranker, place)))
    return OwnWeights(fit_ranker(places, seed, begin=begin), _figures(crossed))


def rank_of(ranker: CandidateRanker, place: RankedPlace) -> int:
    """The rank that a ranker, which may know the first features alone, gives to what came; -1 without it."""
    if place.right < 0:
        return -1
    seen, of_place = len(ranker.direct), ranker.place.shape[1]
    p_N = ranker.probabilities(np.ascontiguousarray(place.candidates[:, :seen]), place.place[:of_place])[:-1]
    order = np.argsort(-p_N, kind="stable").tolist()
    return order.index(place.right)


def _figures(crossed: Iterable[tuple[bool, int, int]]) -> dict[str, float]:
    rows, figures = list(crossed), dict[str, float]()
    for name, typed in (("nothing typed", False), ("typed", True)):
        for column, weights in ((1, "shared"), (2, "own")):
            ranks = [row[column] for row in rows if row[0] is typed]
            if ranks:
                figures[f"{name}/{weights}/first"] = float(np.mean([rank == 0 for rank in ranks]))
                figures[f"{name}/{weights}/first five"] = float(np.mean([0 <= rank < _FIRST for rank in ranks]))
    return figures
