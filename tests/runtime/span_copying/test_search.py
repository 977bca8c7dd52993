"""The search by spans against the enumeration of all action sequences, on a small decoder with made-up scores."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from editahead.runtime.span_copying.model import search
from editahead.runtime.span_copying.tree import ActionScores, Floats, SearchInput, SpanDecoder, SpanLimits
from editahead_models.copyspan.greedy import greedy
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = ("<pad>", "<s>", "</s>", "<unk>", "a", "b")
EVERYTHING = SpanLimits(beam=100_000, actions=1000, longer=2)


class Toy(SpanDecoder):
    """Scores are a fixed function of the tokens so far, as ids in order; a state is a hash of them."""

    def __init__(self, size: int, seed: int, spread: float = 1.0) -> None:
        rng = np.random.default_rng(seed)
        self.size, self.spread, self.rows = size, spread, 0
        self.weights = rng.normal(size=(3, len(WORDS), max(size, len(WORDS))))
        self.seen: Counter[tuple[float, int]] = Counter()

    def begin(self) -> Floats:
        return np.zeros((1, 1))

    def step(self, tokens: npt.NDArray[np.int64], states: Floats) -> ActionScores:
        self.rows += len(tokens)
        after = np.sin(states * 7.3 + tokens[:, None] * 1.7 + 0.4)
        for token, state in zip(tokens.tolist(), states[:, 0].tolist(), strict=True):
            self.seen[(round(state, 9), token)] += 1
        gen, left, right = (
            self.spread * np.cos(after @ self.weights[k, :1, :width] * 3.0 + self.weights[k, 1, :width])
            for k, width in ((0, len(WORDS)), (1, self.size), (2, self.size))
        )
        return ActionScores(gen, left, right, after)


def task(text: str) -> SearchInput:
    texts = ("<s>", *text, "</s>")
    ids = [WORDS.index(one) if one in WORDS else 3 for one in texts]
    return SearchInput(texts, ids, WORDS, "</s>", 1, frozenset({0, 1}))


def every_output(stepper: Toy, asked: SearchInput, most: int) -> dict[tuple[str, ...], float]:
    """The probability of each output of at most `most` tokens with its end, by following every action."""
    n, found = len(asked.texts), Counter[tuple[str, ...]]()
    ids = {word: number for number, word in enumerate(WORDS)}

    def follow(texts: tuple[str, ...], state: Floats, share: float) -> None:
        if texts[-1:] == ("</s>",):
            found[texts[:-1]] += share
            return
        if len(texts) >= most:
            return
        scores = stepper.step(np.asarray([ids.get(texts[-1], 3) if texts else 1]), state)
        gen, left, right = scores.gen[0], scores.left[0], scores.right[0]
        weights = {(i, j): math.exp(left[i] + right[j]) for i in range(n) for j in range(i, n)}
        total = float(np.exp(gen).sum()) + sum(weights.values())
        for number, word in enumerate(WORDS):
            if number not in asked.forbidden:
                follow((*texts, word), scores.states, share * math.exp(gen[number]) / total)
        for (i, j), weight in weights.items():
            if i == 0:
                continue
            state_now, so_far = scores.states, texts
            for at in range(i, j + 1):
                so_far = (*so_far, asked.texts[at])
                if at < j:
                    state_now = stepper.step(np.asarray([ids.get(asked.texts[at], 3)]), state_now).states
            if len(so_far) <= most:
                follow(so_far, state_now, share * weight / total)

    follow((), stepper.begin(), 1.0)
    return dict(found)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.text("abx", min_size=0, max_size=2), st.integers(0, 1000))
def test_a_search_without_limits_finds_every_output_with_its_probability(text: str, seed: int) -> None:
    asked = task(text)
    stepper = Toy(len(asked.texts), seed)
    limits = replace(EVERYTHING, longer=1)
    expected = every_output(stepper, asked, len(asked.texts) + 1)
    found = {output.texts: math.exp(output.logp) for output in search(stepper, asked, limits).outputs}
    short = {texts: share for texts, share in expected.items() if len(texts) < len(asked.texts)}
    assert found.keys() >= short.keys()
    for texts, share in short.items():
        assert found[texts] == pytest.approx(share, rel=1e-6), texts


def test_outputs_are_different_in_order_and_of_probability_at_most_one() -> None:
    asked = task("abxab")
    found = search(Toy(len(asked.texts), 3), asked, SpanLimits(beam=20))
    texts = [one.texts for one in found.outputs]
    assert len(set(texts)) == len(texts) > 1
    shares = [one.logp for one in found.outputs]
    assert shares == sorted(shares, reverse=True)
    assert sum(map(math.exp, shares)) <= 1.0 + 1e-9


def test_merging_during_the_search_loses_no_probability_that_merging_at_the_end_has() -> None:
    asked = task("abab")
    for seed in range(8):
        together, apart = (
            search(Toy(len(asked.texts), seed, 2.0), asked, SpanLimits(beam=6, merge=merge))
            for merge in ("merged", "at end")
        )
        assert together.outputs[0].logp >= apart.outputs[0].logp - 1e-9
        whole, parts = (sum(math.exp(one.logp) for one in found.outputs) for found in (together, apart))
        assert whole >= parts - 1e-9


def test_no_state_is_computed_twice() -> None:
    asked = task("abxbbab")
    stepper = Toy(len(asked.texts), 5)
    found = search(stepper, asked, SpanLimits(beam=10))
    assert found.steps == stepper.rows
    assert max(stepper.seen.values()) == 1


def test_unknown_words_are_copied_as_they_are_and_never_written_where_that_is_barred() -> None:
    asked = replace(task("zq"), forbidden=frozenset({0, 1, 3}))
    found = search(Toy(len(asked.texts), 11), asked, SpanLimits(beam=50))
    assert any("z" in one.texts for one in found.outputs)
    assert not any("<unk>" in one.texts or "<s>" in one.texts for one in found.outputs)


def test_one_ray_and_one_action_is_greedy_up_to_merging() -> None:
    asked = task("ab")
    for seed in range(20):
        one, spans = greedy(Toy(len(asked.texts), seed, 3.0), asked, SpanLimits(longer=8))
        many = search(Toy(len(asked.texts), seed, 3.0), asked, SpanLimits(beam=1, actions=1, longer=8))
        assert all(1 <= size <= len(asked.texts) for size in spans)
        if one is not None and many.outputs and many.outputs[0].texts == one.texts:
            assert many.outputs[0].logp >= one.logp - 1e-9
            assert many.outputs[0].actions == one.actions


def test_a_decoder_that_only_copies_its_whole_input_needs_one_action() -> None:
    class Copier(Toy):
        def step(self, tokens: npt.NDArray[np.int64], states: Floats) -> ActionScores:
            made = super().step(tokens, states)
            left, right = np.full_like(made.left, -9.0), np.full_like(made.right, -9.0)
            left[:, 1], right[:, -1] = 9.0, 9.0
            return ActionScores(made.gen - 9.0, left, right, made.states)

    asked = task("abx" * 20)
    found = search(Copier(len(asked.texts), 1), asked, SpanLimits(beam=5))
    best = found.outputs[0]
    assert (best.texts, best.actions) == (tuple("abx" * 20), 1)
    assert best.logp > -0.01
    one, spans = greedy(Copier(len(asked.texts), 1), asked)
    assert one is not None
    assert (one.texts, spans) == (best.texts, [61])


def test_spans_can_be_limited_to_single_tokens() -> None:
    asked = task("abab")
    _, spans = greedy(Toy(len(asked.texts), 2, 3.0), asked, SpanLimits(span=1, longer=5))
    assert set(spans) <= {1}
    assert search(Toy(len(asked.texts), 2), asked, SpanLimits(beam=5, span=1)).outputs


def test_what_runs_too_long_is_dropped_and_counted() -> None:
    class Endless(Toy):
        def step(self, tokens: npt.NDArray[np.int64], states: Floats) -> ActionScores:
            made = super().step(tokens, states)
            gen, right = made.gen.copy(), made.right - 50.0
            gen[:, 2] = -50.0
            return ActionScores(gen, made.left, right, made.states)

    asked = task("a")
    found = search(Endless(len(asked.texts), 1), asked, SpanLimits(beam=3, longer=4))
    assert (found.outputs, found.too_long) == ([], 3)
    assert greedy(Endless(len(asked.texts), 1), asked, SpanLimits(longer=4)) == (None, [])
