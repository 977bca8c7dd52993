"""Kneser-Ney n-grams: a proper distribution, equal to the definition written out over plain dictionaries."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from editahead_models.families.kneser_ney import KneserNey
from editahead_models.families.trigram import Trigram
from hypothesis import given, settings
from hypothesis import strategies as st

V = 5
Gram = tuple[int, ...]
streams = st.lists(st.lists(st.integers(0, V - 1), max_size=30), min_size=1, max_size=4).map(
    lambda texts: [np.array(text, np.int64) for text in texts]
)


def written_out(texts: Sequence[np.ndarray], order: int, given: int) -> list[dict[Gram, float]]:
    """Counts of each level: occurrences at the highest, distinct words before at the others."""
    before: list[defaultdict[Gram, set[int]]] = [defaultdict(set) for _ in range(order + 1)]
    found: Counter[Gram] = Counter()
    starts: Counter[Gram] = Counter()
    for text in texts:
        for t in range(given, len(text)):
            for n in range(1, min(order, t + 1) + 1):
                gram = tuple(int(word) for word in text[t - n + 1 : t + 1])
                if n == order:
                    found[gram] += 1
                elif t >= n:
                    before[n][gram].add(int(text[t - n]))
                else:
                    starts[gram] += 1
    levels: list[dict[Gram, float]] = [{}]
    for n in range(1, order):
        grams = set(before[n]) | {gram for gram in starts if len(gram) == n}
        levels.append({gram: len(before[n][gram]) + starts[gram] for gram in grams})
    return [*levels, {gram: float(count) for gram, count in found.items()}]


def discounts(counts: Sequence[float]) -> list[float]:
    n = [sum(count == k for count in counts) for k in range(5)]
    if not all(n[1:]):
        return [0.0, 0.5, 0.5, 0.5]
    y = n[1] / (n[1] + 2 * n[2])
    return [0.0, *(max(0.0, k - (k + 1) * y * n[k + 1] / n[k]) for k in (1, 2, 3))]


def probability(levels: list[dict[Gram, float]], word: int, context: Gram) -> float:
    n = len(context) + 1
    lower = 1 / V if n == 1 else probability(levels, word, context[1:])
    followers = {gram: count for gram, count in levels[n].items() if gram[:-1] == context}
    total = sum(followers.values())
    if not total:
        return lower
    d = discounts(list(levels[n].values()))
    left = sum(min(count, d[min(3, int(count))]) for count in followers.values()) / total
    own = followers.get((*context, word), 0.0)
    return max(0.0, own - d[min(3, int(own))]) / total + left * lower


@given(streams, st.integers(2, 4), st.integers(0, 1), st.lists(st.integers(0, V - 1), max_size=3))
@settings(max_examples=80, deadline=None)
def test_probabilities_equal_the_definition(
    texts: list[np.ndarray], order: int, given_tokens: int, context: list[int]
) -> None:
    model = KneserNey.train(texts, V, order, given=given_tokens)
    levels = written_out(texts, order, given_tokens)
    last = tuple(context[len(context) - min(len(context), order - 1) :])
    p = model.distribution(context)
    assert p.sum() == pytest.approx(1)
    assert p == pytest.approx([probability(levels, word, last) for word in range(V)])


@given(streams, st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_scores_are_those_of_the_contexts_in_the_stream(texts: list[np.ndarray], order: int) -> None:
    model = KneserNey.train(texts, V, order)
    for text, found in zip(texts, model.score(texts), strict=True):
        for t, word in enumerate(text):
            p = model.distribution([int(x) for x in text[max(0, t - order + 1) : t]])
            assert found.log_p[t] == pytest.approx(math.log(p[word]))
            assert found.best[t] == pytest.approx(p.max())


def test_unseen_words_of_a_known_context_follow_how_many_contexts_they_had() -> None:
    """`7` is frequent behind `6` alone, `3` stands behind many words: only a continuation count tells."""
    often = [6, 7] * 40
    many = [x for before in (0, 1, 2, 4, 5, 8, 9) for x in (before, 3)]
    text = np.array(often + many + [10, 11] * 6)
    smoothed = KneserNey.train([text], 12, 2).distribution([10])
    counted = Trigram.train([text], 12).distribution([10])
    assert smoothed[3] > smoothed[7]
    assert counted[3] < counted[7]


def test_longer_contexts_and_smoothing_beat_the_interpolated_trigram_on_new_text() -> None:
    random = np.random.default_rng(3)
    text = random.integers(0, 12, 6000)
    for t in range(3, len(text)):
        if random.random() < 0.6:
            text[t] = (5 * text[t - 1] + 3 * text[t - 2] + text[t - 3]) % 12
    train, held_out = text[:5000], text[5000:]
    loss = {order: -KneserNey.train([train], 12, order).score([held_out])[0].log_p.mean() for order in (3, 4)}
    assert loss[4] < loss[3] < -Trigram.train([train], 12).logp(held_out).mean()


def test_a_model_without_contexts_is_refused() -> None:
    with pytest.raises(ValueError, match="order of 2"):
        KneserNey.train([np.zeros(3, np.int64)], 2, 1)
