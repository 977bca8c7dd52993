"""Gradient-boosted trees over the features of the ranker: what a larger model makes of the same features, offline.

Each candidate of a place is a row, with the features of the place behind its own; the rows of a place are a group.
Shapes: N candidates of a place, C and S features of a candidate and of the place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from editahead_models.evaluate.completions.completion_fit import folds
from editahead_models.evaluate.completions.own_weights_fit import rank_of
from editahead_models.evaluate.completions.ranker_fit import fit_ranker
from editahead_models.evaluate.places.ranker_data import RankedPlace

Floats = npt.NDArray[np.float32]
Rank = Callable[[RankedPlace], int]
OBJECTIVES = ("lambdarank", "rank_xendcg")
"""LambdaMART over pairs (Burges 2010), and a listwise cross-entropy (Bruch et al. 2021)."""
NETWORK = "network"
ROUNDS = 300
_SETTINGS = {
    "learning_rate": 0.06, "num_leaves": 31, "min_data_in_leaf": 40, "feature_fraction": 0.8, "bagging_fraction": 0.8,
    "bagging_freq": 1, "lambdarank_truncation_level": 10, "verbosity": -1, "deterministic": True, "seed": 1,
}  # fmt: skip


def rows_of(place: RankedPlace) -> Floats:
    """What trees see of a place (N, C + S)."""
    return np.concatenate([place.candidates, np.tile(place.place, (len(place.candidates), 1))], 1)


def fit_trees(places: Sequence[RankedPlace], objective: str, rounds: int = ROUNDS, threads: int = 1) -> Rank:
    """Trees that fit some places; where what came is no candidate, a place says nothing of the order."""
    import lightgbm

    some = [place for place in places if place.right >= 0]
    labels = np.zeros(sum(len(place.candidates) for place in some), np.float32)
    starts = np.cumsum([0, *(len(place.candidates) for place in some)])[:-1]
    labels[starts + [place.right for place in some]] = 1
    projects = {name: sum(place.project == name for place in some) for name in {place.project for place in some}}
    weights = np.concatenate([np.full(len(place.candidates), 1 / projects[place.project]) for place in some])
    data = lightgbm.Dataset(
        np.concatenate([rows_of(place) for place in some]),
        labels,
        group=[len(place.candidates) for place in some],
        weight=weights * len(some) / len(projects),
    )
    booster = lightgbm.train({**_SETTINGS, "objective": objective, "num_threads": threads}, data, rounds)

    def rank(place: RankedPlace) -> int:
        if place.right < 0:
            return -1
        scores = np.asarray(booster.predict(rows_of(place), num_threads=threads), np.float64)
        return np.argsort(-scores, kind="stable").tolist().index(place.right)

    return rank


def fit_network(places: Sequence[RankedPlace]) -> Rank:
    """The network that ships, fitted on some places."""
    ranker = fit_ranker(places)
    return lambda place: rank_of(ranker, place)


def crossed_ranks(
    places: Sequence[RankedPlace], rounds: int = ROUNDS, threads: int = 1
) -> dict[str, list[tuple[RankedPlace, int]]]:
    """By model each place with the rank of what came (-1: no candidate), by a fit that has not seen its project."""
    found: dict[str, list[tuple[RankedPlace, int]]] = {name: [] for name in (NETWORK, *OBJECTIVES)}
    for held in folds(sorted({place.project for place in places})):
        seen = [place for place in places if place.project not in held]
        for name in found:
            rank = fit_network(seen) if name == NETWORK else fit_trees(seen, name, rounds, threads)
            found[name] += [(place, rank(place)) for place in places if place.project in held]
    return found
