"""The ranker as it is served: the formula, a sum of one, arrays that belong together."""

from __future__ import annotations

import numpy as np
import pytest
from editahead.runtime.candidate_ranker import ARRAYS, CandidateRanker

C, S, H = 5, 3, 4


@pytest.fixture
def ranker() -> CandidateRanker:
    random = np.random.default_rng(1)
    shapes = [(H, C), (H, S), (H,), (H,), (C,), (H, S), (H,), (H,)]
    arrays = {name: random.normal(size=shape) for name, shape in zip(ARRAYS, shapes, strict=True)}
    return CandidateRanker.from_arrays(arrays)


def test_probabilities_are_the_softmax_of_the_formula(ranker: CandidateRanker) -> None:
    random = np.random.default_rng(2)
    rows, place = random.normal(size=(6, C)).astype(np.float32), random.normal(size=S).astype(np.float32)
    scores = [
        ranker.out @ np.maximum(ranker.candidate @ row + ranker.place @ place + ranker.bias, 0) + ranker.direct @ row
        for row in rows
    ]
    scores.append(ranker.none_out @ np.maximum(ranker.none_place @ place + ranker.none_bias, 0))
    wanted = np.exp(scores) / np.exp(scores).sum()
    assert np.allclose(ranker.probabilities(rows, place), wanted, atol=1e-5)
    assert ranker.probabilities(rows, place).sum() == pytest.approx(1, abs=1e-5)


def test_without_candidates_it_is_none_of_them(ranker: CandidateRanker) -> None:
    assert ranker.probabilities(np.zeros((0, C), np.float32), np.zeros(S, np.float32)).tolist() == [1.0]


def test_the_order_of_candidates_does_not_matter(ranker: CandidateRanker) -> None:
    random = np.random.default_rng(3)
    rows, place = random.normal(size=(7, C)).astype(np.float32), random.normal(size=S).astype(np.float32)
    order = random.permutation(7)
    straight, mixed = ranker.probabilities(rows, place), ranker.probabilities(rows[order], place)
    assert np.allclose(straight[:-1][order], mixed[:-1], atol=1e-6)


def test_arrays_of_another_shape_are_refused(ranker: CandidateRanker) -> None:
    with pytest.raises(ValueError, match="none_place of shape"):
        CandidateRanker.from_arrays({**ranker.arrays(), "none_place": np.zeros((H, S + 1))})
    with pytest.raises(KeyError):
        CandidateRanker.from_arrays({name: array for name, array in ranker.arrays().items() if name != "out"})
