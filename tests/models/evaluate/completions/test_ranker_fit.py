"""The ranker learns what the mixture does not know, says "none of them" where none came, and repeats itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.suggest.completion.ranking.features import CANDIDATE_FEATURES, PLACE_FEATURES
from editahead_models.evaluate.completions.completion_fit import answer_of
from editahead_models.evaluate.completions.ranker_fit import DROPPED, RankerNetwork, fit_ranker, padded
from editahead_models.evaluate.places.ranker_data import RankedPlace

torch.set_num_threads(1)
MIXTURE, COPIED, MEMBER = (CANDIDATE_FEATURES.index(name) for name in ("mixture", "copied", "member"))
KNOWN, UNKNOWN_MASS = PLACE_FEATURES.index("receiver_known"), PLACE_FEATURES.index("unknown_mass")


def places(count: int, seed: int) -> list[RankedPlace]:
    """Places where the right candidate is the member; in a third of them no candidate is, and the mass says so."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        n = int(random.integers(2, 9))
        candidates = np.zeros((n, len(CANDIDATE_FEATURES)), np.float32)
        candidates[:, MIXTURE] = -np.sort(random.random(n))
        place = np.zeros(len(PLACE_FEATURES), np.float32)
        place[KNOWN] = 1
        right = int(random.integers(n)) if random.random() < 0.67 else -1
        if right >= 0:
            candidates[right, MEMBER] = 1
        else:
            place[UNKNOWN_MASS] = 1
        made.append(RankedPlace("p", 0, True, "member", candidates, place, right, False, tuple("abcdefghi"[:n])))
    return made


def told_twice(count: int, seed: int) -> list[RankedPlace]:
    """Places where the network and the scopes both tell the right candidate, the scopes less loudly."""
    random = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        n = int(random.integers(4, 9))
        candidates = np.zeros((n, len(CANDIDATE_FEATURES)), np.float32)
        candidates[:, MIXTURE] = -np.sort(random.random(n))
        right = int(random.integers(n))
        candidates[right, [COPIED, MEMBER]] = 1.0, 0.3
        place = np.zeros(len(PLACE_FEATURES), np.float32)
        made.append(RankedPlace("p", 0, True, "member", candidates, place, right, False, tuple("abcdefghi"[:n])))
    return made


def without(places: list[RankedPlace], column: int) -> list[RankedPlace]:
    """The places where one source says nothing."""
    silent = [place.candidates.copy() for place in places]
    for candidates in silent:
        candidates[:, column] = 0.0
    return [place._replace(candidates=candidates) for place, candidates in zip(places, silent, strict=True)]


def accuracy(ranker: CandidateRanker, tested: list[RankedPlace]) -> float:
    return float(np.mean([answer_of(ranker, place).right == 0 for place in tested if place.right >= 0]))


@pytest.mark.slow
def test_it_learns_which_feature_tells_and_when_nothing_fits() -> None:
    ranker = fit_ranker(places(600, 1), epochs=40, rate=1e-2, dropped=0.0)
    tested = places(200, 2)
    assert accuracy(ranker, tested) > 0.95
    assert np.mean([place.right == 0 for place in tested if place.right >= 0]) < 0.5  # the mixture alone
    none = [float(ranker.probabilities(place.candidates, place.place)[-1]) for place in tested if place.right < 0]
    some = [float(ranker.probabilities(place.candidates, place.place)[-1]) for place in tested if place.right >= 0]
    assert np.mean(none) > 0.8
    assert np.mean(some) < 0.2


@pytest.mark.slow
def test_sources_that_are_dropped_in_training_may_be_silent_when_served() -> None:
    """The fit leans on the louder source alone, unless that is dropped at some places."""
    learnt, tested = told_twice(400, 1), told_twice(200, 2)
    whole, dropping = (fit_ranker(learnt, epochs=30, rate=1e-2, dropped=dropped) for dropped in (0.0, DROPPED))
    assert accuracy(whole, tested) == accuracy(dropping, tested) == 1.0
    assert accuracy(whole, without(tested, COPIED)) < 0.6
    assert accuracy(dropping, without(tested, COPIED)) > 0.9
    assert accuracy(dropping, without(tested, MEMBER)) == 1.0


def test_a_seed_repeats_and_what_is_served_equals_torch() -> None:
    learnt = places(80, 3)
    first, second = (fit_ranker(learnt, seed=5, epochs=2) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first.arrays().values(), second.arrays().values(), strict=True))
    torch.manual_seed(7)
    network = RankerNetwork()
    with torch.no_grad():
        wanted = torch.softmax(network(padded(learnt[:5])), 1)
    for row, place in enumerate(learnt[:5]):
        got = network.ranker().probabilities(place.candidates, place.place)
        assert np.allclose(got[:-1], wanted[row, : len(place.candidates)], atol=1e-5)
        assert np.isclose(got[-1], float(wanted[row, -1]), atol=1e-5)


def test_the_untrained_network_orders_as_the_mixture() -> None:
    torch.manual_seed(1)
    ranker = RankerNetwork().ranker()
    place = places(1, 9)[0]
    steep = place.candidates.copy()
    steep[:, MIXTURE] = -np.linspace(0, 1, len(steep))
    assert np.argsort(-ranker.probabilities(steep, place.place)[:-1]).tolist() == list(range(len(steep)))
