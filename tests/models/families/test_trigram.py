"""Counts in sorted arrays, the interpolated trigram over them, and ensembles of language models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from editahead_models.families.ensemble import arithmetic, geometric
from editahead_models.families.ngram_counts import UNSEEN, NgramCounts
from editahead_models.families.trigram import PUBLISHED, Trigram
from hypothesis import given, settings
from hypothesis import strategies as st

V = 12


def text(length: int, seed: int, words: int = V) -> np.ndarray:
    """A text with structure: a word often depends on the two before it."""
    random = np.random.default_rng(seed)
    out = random.integers(0, words, length)
    for t in range(2, length):
        if random.random() < 0.7:
            out[t] = (3 * out[t - 1] + out[t - 2]) % words
    return out


streams = st.lists(
    st.lists(st.integers(0, 4), max_size=25).map(lambda s: np.array(s, np.int64)), min_size=1, max_size=4
)


@given(streams, st.integers(1, 4), st.integers(0, 1))
@settings(max_examples=60, deadline=None)
def test_counts_equal_a_recount(texts: list[np.ndarray], order: int, given_tokens: int) -> None:
    counts = NgramCounts.of(texts, 5, order, given=given_tokens)
    recount: Counter[tuple[int, ...]] = Counter()
    followed: Counter[tuple[int, ...]] = Counter()
    for stream in texts:
        for t in range(given_tokens, len(stream)):
            for n in range(1, min(order, t + 1) + 1):
                gram = tuple(int(word) for word in stream[t - n + 1 : t + 1])
                recount[gram] += 1
                followed[gram[:-1]] += 1
    for stream in texts:
        rows = counts.walk(stream)
        for t in range(len(stream)):
            for n in range(1, order + 1):
                if t < n - 1:
                    assert rows[n, t] == UNSEEN
                    continue
                gram = tuple(int(word) for word in stream[t - n + 1 : t + 1])
                assert counts.counts[n][rows[n, t]] == recount[gram]
                if n < order:
                    assert counts.totals[n][rows[n, t]] == followed[gram]
    assert sum(int(level.sum()) for level in counts.counts) == sum(recount.values())


def test_ngrams_across_chunk_borders_are_counted() -> None:
    whole = text(200, 1)
    counts = NgramCounts.of([whole], V, 3)
    assert counts.counts[3].sum() == len(whole) - 2
    by_chunk = NgramCounts.of([whole[a : a + 32] for a in range(0, 200, 32)], V, 3)
    assert by_chunk.counts[3].sum() < counts.counts[3].sum()


def test_counts_without_a_text_are_those_of_the_others() -> None:
    texts = [text(60, seed) for seed in range(3)]
    counts = NgramCounts.of(texts, V, 4, given=1)
    before = [level.copy() for level in (*counts.counts, *counts.totals)]
    less = counts.without(texts[1], given=1)
    alone = NgramCounts.of([texts[0], texts[2]], V, 4, given=1)
    for n in range(1, 5):
        assert less.counts[n].sum() == alone.counts[n].sum()
        for stream in (texts[0], texts[2]):
            mine, theirs = less.walk(stream), alone.walk(stream)
            np.testing.assert_array_equal(less.count(n, mine[n]), alone.count(n, theirs[n]))
    for level, was in zip((*counts.counts, *counts.totals), before, strict=True):
        np.testing.assert_array_equal(level, was)


def test_text_that_was_not_counted_cannot_be_left_out() -> None:
    counts = NgramCounts.of([np.array([1, 2, 3])], V, 2)
    with pytest.raises(ValueError, match="was not counted"):
        counts.without(np.array([3, 2]))
    assert counts.counts[1].sum() == 3


def test_probabilities_sum_to_one_behind_seen_half_seen_and_unseen_contexts() -> None:
    model = Trigram.train([np.array([0, 1, 2, 0, 1, 3, 4, 5])], V)
    seen, half_seen, unseen, empty = [0, 1], [4, 1], [9, 9], []
    for context in (seen, half_seen, unseen, empty, [1], [7, 0, 1]):
        p = model.distribution(context)
        assert p.min() > 0
        assert p.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(model.distribution(unseen), model.unigram)


def test_the_published_formula_where_every_context_was_seen() -> None:
    stream = np.array([0, 1, 2, 0, 1, 3, 0, 1, 2])
    model = Trigram.train([stream], 4)
    # c(0,1,2) = 2 of c(0,1) = 3; c(1,2) = 2 of c(1) = 3; c(2) = 2 of 9
    assert model.distribution([0, 1])[2] == pytest.approx(0.9 * 2 / 3 + 0.05 * 2 / 3 + 0.05 * 2 / 9)


def test_log_probabilities_are_those_of_the_distributions() -> None:
    model = Trigram.train([text(300, 2)], V)
    stream = text(40, 3)
    expected = [np.log(model.distribution(stream[:t].tolist())[stream[t]]) for t in range(len(stream))]
    np.testing.assert_allclose(model.logp(stream), expected, rtol=1e-12)


def test_em_finds_weights_that_no_small_change_improves() -> None:
    train, held_out = [text(2000, 4)], [text(800, 5), text(300, 6)]
    fitted = Trigram.train(train, V).fit_weights(held_out)
    assert sum(fitted.weights) == pytest.approx(1)

    def likelihood(weights: tuple[float, float, float]) -> float:
        model = Trigram(fitted.counts, weights)
        return float(sum(model.logp(stream).sum() for stream in held_out))

    best = likelihood(fitted.weights)
    assert best > likelihood(PUBLISHED)
    for move in ((0.01, -0.01, 0), (-0.01, 0.01, 0), (0.01, 0, -0.01), (-0.01, 0, 0.01), (0, 0.01, -0.01)):
        a3, a2, a1 = (a + step for a, step in zip(fitted.weights, move, strict=True))
        if min(a3, a2, a1) > 0:
            assert likelihood((a3, a2, a1)) < best


def test_ranks_count_ties_against_the_model_and_silent_ids_are_no_candidates() -> None:
    model = Trigram.train([text(500, 7), text(90, 8)], V)
    silent = np.zeros(V, np.bool_)
    silent[[0, 5]] = True
    found = [text(120, 9), text(30, 10)]
    for stream, scores in zip(found, model.score(found, silent), strict=True):
        for t in range(len(stream)):
            p = model.distribution(stream[:t].tolist())
            shown = np.where(silent, 0, p)
            expected = 10**6 if silent[stream[t]] else int((shown >= p[stream[t]]).sum())
            assert scores.rank[t] == expected
            assert scores.best[t] == shown.max()
        np.testing.assert_allclose(scores.log_p, model.logp(stream), rtol=1e-12)
    # Nothing is known but the unigram: all equally frequent words share the worst of their places.
    even = Trigram.train([np.array([0, 1, 2])], 3).score([np.array([1])])[0]
    assert even.rank.tolist() == [3]


def test_tiny_and_empty_texts_give_less_not_errors() -> None:
    for streams_ in ([], [np.zeros(0, np.int64)], [np.array([3])]):
        model = Trigram.train(streams_, V)
        assert model.distribution([1, 2]).sum() == pytest.approx(1)
        assert len(model.score([np.array([1]), np.zeros(0, np.int64)])[0].rank) == 1


def log_distributions(members: int, seed: int) -> list[torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    return [torch.log_softmax(3 * torch.randn(4, 5, V, generator=random), -1) for _ in range(members)]


@pytest.mark.parametrize("combine", [arithmetic, geometric])
def test_an_ensemble_is_a_distribution_and_of_one_kind_that_kind(combine: Callable[..., Any]) -> None:
    members = log_distributions(3, 1)
    for weights in (None, [1.0, 2.0, 0.0]):
        torch.testing.assert_close(
            combine(members, weights).exp().sum(-1), torch.ones(4, 5).double(), atol=1e-6, rtol=0
        )
    torch.testing.assert_close(combine([members[0]] * 3), members[0].double(), atol=1e-6, rtol=1e-6)
    torch.testing.assert_close(combine(members, [0, 1, 0]), members[1].double(), atol=1e-6, rtol=1e-6)


def test_the_means_are_what_their_names_say() -> None:
    one, two = log_distributions(2, 2)
    torch.testing.assert_close(
        arithmetic([one, two]).exp(), ((one.exp() + two.exp()) / 2).double(), atol=1e-6, rtol=1e-5
    )
    product = (one.exp() * two.exp()).sqrt()
    torch.testing.assert_close(
        geometric([one, two]).exp(), (product / product.sum(-1, keepdim=True)).double(), atol=1e-6, rtol=1e-5
    )
    zero = torch.tensor([0.0, -torch.inf])  # a member that excludes a word excludes it from the geometric mean only
    assert geometric([zero, torch.tensor([0.5, 0.5]).log()]).exp().tolist() == [1, 0]
    assert arithmetic([zero, torch.tensor([0.5, 0.5]).log()]).exp().tolist() == pytest.approx([0.75, 0.25])


def test_wrong_weights_are_named() -> None:
    with pytest.raises(ValueError, match="needs as many"):
        arithmetic(log_distributions(2, 3), [1.0])
    with pytest.raises(ValueError, match="at least one"):
        geometric([])
    with pytest.raises(ValueError, match="sum to 1"):
        Trigram.train([text(9, 1)], V, (0.9, 0.2, 0.1))
