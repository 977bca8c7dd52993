"""Word vectors: words in the same places come close, runs repeat, words without a vector are filled in."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from editahead_models.data.english.word_vectors import WordVectors, train_vectors, word_pairs

torch.set_num_threads(1)
V, D = 24, 16


def sentences(count: int, seed: int) -> list[np.ndarray]:
    """Texts of two topics. Words 0-9 are of topic 0, 10-19 of topic 1, 20 of both; 21 is rare, 22 and 23 are unseen."""
    random = np.random.default_rng(seed)
    texts = [np.append(random.integers(0, 10, 9) + 10 * (n % 2), 20) for n in range(count)]
    return [*texts, np.array([21, 21])]


@pytest.fixture(scope="module")
def trained() -> WordVectors:
    return train_vectors(sentences(2000, 1), V, D, seed=3, subsample=1.0, epochs=2)


def test_words_of_one_topic_are_nearer_than_words_of_two(trained: WordVectors) -> None:
    unit = trained.vectors[:20] / np.linalg.norm(trained.vectors[:20], axis=1, keepdims=True)
    likeness = unit @ unit.T
    same = np.kron(np.eye(2), np.ones((10, 10))).astype(bool)
    assert likeness[same & ~np.eye(20, dtype=bool)].min() > likeness[~same].max()


def test_rare_and_unseen_words_have_no_vector(trained: WordVectors) -> None:
    assert trained.found.tolist() == [True] * 21 + [False] * 3
    assert not trained.vectors[21:].any()


def test_a_seed_repeats_a_run_and_another_one_does_not() -> None:
    texts = sentences(60, 2)
    first, again, other = (train_vectors(texts, V, D, seed=seed, epochs=1).vectors for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_filled_words_look_like_the_others(trained: WordVectors) -> None:
    wide = WordVectors(
        np.concatenate([trained.vectors[:21], np.zeros((4000, D), np.float32)]),
        np.arange(4021) < 21,
        np.ones(4021, np.int64),
    )
    filled = wide.filled(5)
    np.testing.assert_array_equal(filled[:21], trained.vectors[:21])
    known, drawn = filled[:21], filled[21:]
    np.testing.assert_allclose(drawn.mean(0), known.mean(0), atol=5 * known.std(0).max() / 4000**0.5)
    np.testing.assert_allclose(drawn.std(0), known.std(0), rtol=0.1)
    assert not WordVectors(np.zeros((3, 2), np.float32), np.zeros(3, np.bool_), np.zeros(3, np.int64)).filled(1).any()


def test_pairs_stay_in_their_text_and_window() -> None:
    texts = [np.arange(0, 30), np.arange(100, 104)]
    word, text = np.concatenate(texts), np.repeat([0, 1], [30, 4])
    random = np.random.default_rng(1)
    seen = set()
    for _ in range(40):
        for _, centre, other in word_pairs(word, text, 3, random):
            seen |= set(zip(centre.tolist(), other.tolist(), strict=True))
    expected = {(a, b) for row in texts for a in row.tolist() for b in row.tolist() if a != b and abs(a - b) <= 3}
    assert seen == expected
