"""Weights for places of imports: what they begin as, what they learn, and the places that are kept on disk."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from editahead.runtime.language_model.candidate_ranker import CandidateRanker
from editahead.syntax.language import by_id
from editahead_models.evaluate.completions.own_weights_fit import fit_own_weights, rank_of
from editahead_models.evaluate.completions.ranker_fit import RankerNetwork
from editahead_models.evaluate.places.import_places import names, without_texts
from editahead_models.evaluate.places.ranker_data import RankedPlace

torch.set_num_threads(1)
C, S, MORE = 42, 22, 2  # features: those of all places are the first 40 and 20


def places(count: int, seed: int, project: str = "p") -> list[RankedPlace]:
    """Places where only the last feature, which the ranker of all places does not see, tells what came."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(count):
        n = int(random.integers(3, 9))
        candidates = np.zeros((n, C), np.float32)
        candidates[:, 0] = -np.sort(random.random(n)) / 10
        right = int(random.integers(n))
        candidates[right, -1] = 1
        place = random.random(S).astype(np.float32)
        made.append(RankedPlace(project, number % 3, True, "module", candidates, place, right, False, ()))
    return made


@pytest.fixture
def shared() -> CandidateRanker:
    torch.manual_seed(2)
    return RankerNetwork(candidate=C - MORE, place=S - MORE).ranker()


def test_they_begin_as_the_ranker_of_all_places(shared: CandidateRanker) -> None:
    torch.manual_seed(3)
    network = RankerNetwork(candidate=C, place=S)
    network.begin_as(shared)
    for place in places(5, 1):
        wanted = shared.probabilities(np.ascontiguousarray(place.candidates[:, :-MORE]), place.place[:-MORE])
        assert np.allclose(network.ranker().probabilities(place.candidates, place.place), wanted, atol=1e-6)


@pytest.mark.slow
def test_they_learn_what_imports_tell_and_are_measured_on_other_projects(shared: CandidateRanker) -> None:
    found = fit_own_weights([*places(1500, 4, "a"), *places(1500, 5, "b")], shared)
    tested = places(100, 6)
    assert np.mean([rank_of(found.ranker, place)[0] == 0 for place in tested]) > 0.9
    assert np.mean([rank_of(shared, place)[0] == 0 for place in tested]) < 0.5
    assert found.figures["own/nothing typed/first"] > 0.9
    assert found.figures["shared/nothing typed/first"] < 0.5
    assert found.figures["own/typed/first five"] >= found.figures["own/typed/first"]


def test_kept_places_are_those_of_imports_without_texts() -> None:
    made = [place._replace(texts=("a",), new=True) for place in places(7, 8)]
    back = list(without_texts([*made, made[0]._replace(slot="argument")]))
    assert len(back) == len(made)
    for place, again in zip(made, back, strict=True):
        assert again.candidates is place.candidates
        assert (again.texts, again.new, again.right) == ((), False, place.right)


def test_names_are_those_of_import_lines() -> None:
    language = by_id("python")
    assert language is not None
    text = b"import json\nfrom shop.money import (\n    Money,\n    price as cost,\n)\n\nvalue = json.dumps(1)\n"
    found = [text[one.start : one.end].decode() for one in names("p", "a.py", text, language)]
    assert found == ["json", "shop", "money", "Money", "price", "cost"]
