"""Boosted trees on the ranker's features: they learn an order, cross by project, and have a page."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from editahead.suggest.completion.ranking.features import CANDIDATE_FEATURES, PLACE_FEATURES
from editahead_models.evaluate.completions.boosted_trees import NETWORK, OBJECTIVES, crossed_ranks, fit_trees, rows_of
from editahead_models.evaluate.completions.trees_command import DATA, PAGE, figures, page
from editahead_models.evaluate.places.ranker_data import RankedPlace

torch.set_num_threads(1)
RESULTS = Path(__file__).resolve().parents[4] / "docs/results"
C, S = len(CANDIDATE_FEATURES), len(PLACE_FEATURES)


def places(count: int, seed: int, project: str) -> list[RankedPlace]:
    """Places where the last feature of a candidate tells what came, unless that is no candidate."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(count):
        n = int(random.integers(4, 12))
        candidates = random.random((n, C)).astype(np.float32)
        right = int(np.argmax(candidates[:, -1])) if number % 10 else -1
        place = random.random(S).astype(np.float32)
        made.append(RankedPlace(project, number % 3, True, "member", candidates, place, right, False, ()))
    return made


def test_a_row_of_trees_has_the_features_of_the_place_too() -> None:
    place = places(1, 1, "p")[0]
    rows = rows_of(place)
    assert rows.shape == (len(place.candidates), C + S)
    assert np.array_equal(rows[0, C:], rows[-1, C:])


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_trees_learn_the_order(objective: str) -> None:
    pytest.importorskip("lightgbm")
    rank = fit_trees(places(600, 2, "a"), objective, rounds=60)
    ranks = [rank(place) for place in places(100, 3, "b")]
    assert np.mean([found == 0 for found in ranks]) > 0.7
    assert ranks.count(-1) == 10


def test_the_page_is_that_of_the_stored_figures() -> None:
    content = json.loads((RESULTS / "data" / DATA).read_text(encoding="utf-8"))
    assert page(content) == (RESULTS / PAGE).read_text(encoding="utf-8")


def test_all_models_are_crossed_by_project_and_have_a_row() -> None:
    pytest.importorskip("lightgbm")
    some = [place for number, name in enumerate("abcd") for place in places(80, number, name)]
    ranks = crossed_ranks(some, rounds=10)
    assert set(ranks) == {NETWORK, *OBJECTIVES}
    assert all(len(rows) == len(some) for rows in ranks.values())
    content = {"python": {"count": 80, "rounds": 10, "figures": figures(ranks)}}
    text = page(content)
    assert text.count("| boosted trees") == len(OBJECTIVES)
    assert "nothing typed: first five" in text
