"""What rankers make of places, and the weights that one has for places of one kind, which begin as those for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from editahead.runtime.calibration import expected_calibration_error
from editahead.runtime.language_model.candidate_ranker import CandidateRanker

from editahead_models.evaluate.completions.completion_fit import folds
from editahead_models.evaluate.completions.ranker_fit import fit_ranker
from editahead_models.evaluate.places.ranker_data import RankedPlace

FIRST = 5
TYPED = (("nothing typed", False), ("typed", True))


class Ranked(NamedTuple):
    """A place, the rank of what came (-1: none), and the probability of the first choice."""

    place: RankedPlace
    rank: int
    chance: float


class OwnWeights(NamedTuple):
    """Weights for places of one kind; shares of right names on projects that the weights have not seen."""

    ranker: CandidateRanker
    figures: dict[str, float]


def fit_own_weights(places: Sequence[RankedPlace], begin: CandidateRanker, seed: int = 1) -> OwnWeights:
    """The weights for some places, and how they do, crossed by project, beside those that they begin as."""
    own = list(crossed(places, lambda some: fit_ranker(some, seed, begin=begin)))
    pairs = {"shared": ranked(begin, [row.place for row in own]), "own": own}
    found = {f"{name}/{key}": value for name, rows in pairs.items() for key, value in figures(rows).items()}
    return OwnWeights(fit_ranker(places, seed, begin=begin), found)


def crossed(places: Sequence[RankedPlace], fit: Callable[[list[RankedPlace]], CandidateRanker]) -> Iterator[Ranked]:
    """What rankers make of the places of projects that they have not seen."""
    for held in folds(sorted({place.project for place in places})):
        ranker = fit([place for place in places if place.project not in held])
        yield from ranked(ranker, [place for place in places if place.project in held])


def ranked(ranker: CandidateRanker, places: Iterable[RankedPlace]) -> list[Ranked]:
    """What a ranker makes of some places."""
    return [Ranked(place, *rank_of(ranker, place)) for place in places]


def figures(rows: Sequence[Ranked]) -> dict[str, float]:
    """First and first five of all, with nothing and with letters typed, and the calibration error of the first."""
    found: dict[str, float] = {}
    for name, typed in TYPED:
        some = [row for row in rows if (row.place.typed > 0) is typed]
        found[f"{name}/n"] = float(len(some))
        if some:
            first = np.array([row.rank == 0 for row in some])
            found[f"{name}/first"] = float(first.mean())
            found[f"{name}/first five"] = float(np.mean([0 <= row.rank < FIRST for row in some]))
            chances = np.array([row.chance for row in some])
            found[f"{name}/calibration error"] = expected_calibration_error(chances, first)
    return found


def rank_of(ranker: CandidateRanker, place: RankedPlace) -> tuple[int, float]:
    """The rank that a ranker, which may know the first features alone, gives to what came; the first's probability.

    The rank is -1 where what came is no candidate.
    """
    seen, of_place = len(ranker.direct), ranker.place.shape[1]
    p_N = ranker.probabilities(np.ascontiguousarray(place.candidates[:, :seen]), place.place[:of_place])[:-1]
    order = np.argsort(-p_N, kind="stable").tolist()
    return order.index(place.right) if place.right >= 0 else -1, float(p_N.max(initial=0.0))
