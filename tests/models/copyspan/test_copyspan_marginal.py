"""The marginal likelihood of made-up scores: golden numbers, enumeration of all action sequences, gradients.

Scores are raw tables over a vocabulary of texts: gen[k, v], first[k, i], last[k, j]; the normaliser is the model's.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from editahead_models.copyspan.network.alignment import KINDS, common_runs, correct_actions, surface_ids
from editahead_models.copyspan.network.batches import Batch
from editahead_models.copyspan.network.marginal import best_walk, edges, log_marginal
from editahead_models.copyspan.network.model import Scores, log_sum_spans
from editahead_models.copyspan.network.objective import action_scores, log_likelihood
from torch import Tensor

END = "</s>"


class Raw(NamedTuple):
    """Unnormalised scores of one case."""

    gen: Tensor
    first: Tensor
    last: Tensor

    @classmethod
    def drawn(cls, words: int, n: int, m: int, seed: int, dtype: torch.dtype = torch.float64) -> Raw:
        generator = torch.Generator().manual_seed(seed)
        return cls(*(torch.randn(m, width, generator=generator, dtype=dtype) for width in (words, n, n)))

    def scores(self) -> Scores:
        whole = torch.logaddexp(torch.logsumexp(self.gen, -1), log_sum_spans(self.first, self.last))[:, None]
        return Scores((self.gen - whole)[None], (self.first - whole)[None], self.last[None])


def batch_of(source: Sequence[str], target: Sequence[str], words: Sequence[str], kind: str = "all") -> Batch:
    """The actions of one pair as it stands, without sentinels of its own; word 0 is the unknown one."""
    written = np.array([[words.index(text) if text in words else 0 for text in target]])
    (one,), (two,) = surface_ids([source], [target])
    actions = correct_actions(one[None], two[None], written != 0, kind)
    row, at = np.nonzero(actions.generate)
    ones = np.ones_like(row)
    parts = (
        np.zeros((1, len(source)), np.int64), np.array([len(source)]), written, written, np.array([len(target)]),
        np.concatenate([actions.row, row]), np.concatenate([actions.at, at]),
        np.concatenate([actions.start, -ones]), np.concatenate([actions.length, ones]),
    )  # fmt: skip
    return Batch(*(torch.from_numpy(np.asarray(part)) for part in parts))


def enumerated(
    source: Sequence[str], target: Sequence[str], words: Sequence[str], raw: Raw, kind: str = "all"
) -> tuple[float, int]:
    """ln of the summed probability of all action sequences that write the target, and how many there are."""
    n, found = len(source), []

    def run(k: int, i: int) -> int:
        length = 0
        while k + length < len(target) and i + length < n and target[k + length] == source[i + length]:
            length += 1
        return length

    def follow(k: int, logp: float) -> None:
        if k == len(target):
            found.append(logp)
            return
        gen, first, last = (table[k].tolist() for table in raw)
        whole = math.log(
            sum(map(math.exp, gen)) + sum(math.exp(first[i] + last[j]) for i in range(n) for j in range(i, n))
        )
        if target[k] in words or target[k] not in source:
            word = words.index(target[k]) if target[k] in words else 0
            follow(k + 1, logp + gen[word] - whole)
        longest = max((run(k, i) for i in range(n)), default=0)
        for i in range(n):
            lengths = list(range(1, run(k, i) + 1))
            if kind == "single":
                lengths = lengths[:1]
            if kind == "longest":
                lengths = [longest] if lengths and run(k, i) == longest else []
                longest = longest if not lengths else -1  # the first one only
            for length in lengths:
                follow(k + length, logp + first[i] + last[i + length - 1] - whole)

    follow(0, 0.0)
    return math.log(sum(map(math.exp, found))) if found else -math.inf, len(found)


def even(words: int, n: int, m: int) -> Raw:
    return Raw(*(torch.zeros(m, width, dtype=torch.float64) for width in (words, n, n)))


@pytest.mark.parametrize(
    ("source", "sequences", "expected"), [("abcde", 25, math.log(676 / 22**6)), ("abcde" + "$", 65, -9.720662)]
)
def test_golden_numbers(source: str, sequences: int, expected: float) -> None:
    """Five tokens to "a b f d e", all scores equal; without and with the end symbol in the input."""
    words = ("?", "a", "b", "f", "d", "e", "$")
    raw = even(len(words), len(source), 6)
    measured = float(log_likelihood(raw.scores(), batch_of(source, "abfde$", words))[0])
    assert measured == pytest.approx(expected, abs=1e-6)
    assert enumerated(source, "abfde$", words, raw) == (pytest.approx(expected, abs=1e-6), sequences)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_dynamic_program_equals_enumeration(kind: str) -> None:
    """200 drawn cases, an unknown symbol among them, half of the inputs with sentinels."""
    rng = random.Random(f"cases {kind}")
    words = ("?", "<s>", END, "a", "b")
    impossible = 0
    for case in range(200):
        wrapped = case % 2
        room = 6 - 2 * wrapped
        body = [rng.choice("abxy") for _ in range(rng.randint(1 - wrapped, room))]
        source = ["<s>", *body, END] if wrapped else body
        target = [*(rng.choice("abxy") for _ in range(rng.randint(0, 5))), END]
        raw = Raw.drawn(len(words), len(source), len(target), case)
        expected, sequences = enumerated(source, target, words, raw, kind)
        assert sequences > 0
        impossible += sequences == 1
        measured = float(log_likelihood(raw.scores(), batch_of(source, target, words, kind))[0])
        assert measured == pytest.approx(expected, abs=1e-6), (source, target)
    assert impossible < 150  # most cases have more than one way


def test_derivatives_are_the_probabilities_of_actions() -> None:
    """Their sum is the expected number of actions: at least one, at most one for each token."""
    words = ("?", END, "a", "b")
    source, target = [*"abab", END], [*"abba", END]
    batch = batch_of(source, target, words)
    for seed in range(10):
        values = action_scores(Raw.drawn(4, 5, 5, seed).scores(), batch).detach().requires_grad_()
        beta = log_marginal(edges(values, batch.row_P, batch.at_P, batch.length_P, batch.target_lengths_B, 5))
        (share,) = torch.autograd.grad(beta.sum(), values)
        assert bool((share >= 0).all())
        assert bool((share <= 1 + 1e-9).all())
        assert 1 <= float(share.sum()) <= len(target)
        assert float((share * batch.length_P).sum()) == pytest.approx(len(target))
    assert torch.autograd.gradcheck(
        lambda v: log_marginal(edges(v, batch.row_P, batch.at_P, batch.length_P, batch.target_lengths_B, 5)), (values,)
    )


def test_one_action_is_expected_where_copying_everything_is_likely() -> None:
    words = ("?", END, "a", "b")
    text = [*"abba", END]
    raw = even(4, 5, 5)
    expected = []
    for height in (0.0, 3.0, 30.0):
        raw.first[0, 0], raw.last[0, 4] = height, height
        batch = batch_of(text, text, words)
        values = action_scores(raw.scores(), batch).detach().requires_grad_()
        beta = log_marginal(edges(values, batch.row_P, batch.at_P, batch.length_P, batch.target_lengths_B, 5))
        (share,) = torch.autograd.grad(beta.sum(), values)
        expected.append(float(share.sum()))
    assert expected[0] > expected[1] > expected[2]
    assert expected[2] == pytest.approx(1.0, abs=1e-6)


def test_an_unknown_token_is_written_only_where_it_cannot_be_copied() -> None:
    words = ("?", END, "a")

    def value(source: str, likelier: float) -> float:
        raw = even(3, len(source), 2)
        raw.gen[0, 0] = likelier
        return float(log_likelihood(raw.scores(), batch_of(source, ["x", END], words))[0])

    assert value("ax", 1.0) < value("ax", 0.0)  # copyable: the unknown word takes mass away
    assert value("aa", 1.0) > value("aa", 0.0)  # not copyable: it is the only way
    assert math.isfinite(value("aa", 0.0))
    assert value("aa", 0.0) == pytest.approx(2 * math.log(1 / (3 + 3)))


def test_a_span_through_the_end_is_worth_the_same_alone_and_in_a_batch() -> None:
    """The shorter target stops inside the padding of the longer one."""
    words = ("?", END, "a", "b")
    short, long = [*"ab", END], [*"abbab", END]
    raw = [Raw.drawn(4, len(text), len(text), seed) for seed, text in enumerate((short, long))]
    alone = [
        float(log_likelihood(each.scores(), batch_of(text, text, words))[0])
        for each, text in zip(raw, (short, long), strict=True)
    ]
    values, rows, at, lengths = [], [], [], []
    for number, (each, text) in enumerate(zip(raw, (short, long), strict=True)):
        batch = batch_of(text, text, words)
        values.append(action_scores(each.scores(), batch))
        rows.append(torch.full_like(batch.at_P, number))
        at.append(batch.at_P)
        lengths.append(batch.length_P)
    W = edges(*(torch.cat(each) for each in (values, rows, at, lengths)), torch.tensor([3, 6]), 6)
    assert log_marginal(W).tolist() == pytest.approx(alone)
    assert batch_of(short, short, words).length_P.max() == 3  # the whole input, its end symbol with it


def test_common_runs_compare_texts() -> None:
    (source,), (target,) = surface_ids([["a", "x", "y", "a"]], [["x", "y", "z", "a"]])
    assert common_runs(source[None], target[None])[0].tolist() == [
        [0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 1]
    ]  # fmt: skip


def test_the_likeliest_walk_is_the_best_of_all() -> None:
    for seed in range(20):
        W = torch.randn(4, 5, generator=torch.Generator().manual_seed(seed))

        def walks(k: int) -> list[tuple[tuple[int, int], ...]]:
            return [()] if k == 4 else [((k, e), *rest) for e in range(k + 1, 5) for rest in walks(e)]

        best = max(walks(0), key=lambda walk: sum(float(W[k, e]) for k, e in walk))
        assert tuple(best_walk(W)) == best


@pytest.mark.parametrize("case", ["drawn", "equal", "disjoint", "one token"])
def test_long_sequences_stay_finite_in_single_precision(case: str) -> None:
    rng = random.Random(3)
    body = [rng.choice("abcdefgh") for _ in range(119)] if case != "one token" else ["a"] * 119
    other = {"drawn": [rng.choice("abcdefgh") for _ in range(119)], "disjoint": ["z"] * 119}.get(case, body)
    words = ("?", END, *"abcdefgh", *("z" if case == "drawn" else ""))
    raw = Raw.drawn(len(words), 120, 120, 1, torch.float32)
    for table in raw:
        table.mul_(20.0).requires_grad_()
    loss = log_likelihood(raw.scores(), batch_of([*body, END], [*other, END], words))[0]
    grads = torch.autograd.grad(loss, raw)
    assert math.isfinite(loss.item())
    assert loss.item() < 0
    assert all(bool(torch.isfinite(grad).all()) for grad in grads)
