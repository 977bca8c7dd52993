"""The model: what its scores sum to, what its decoder depends on, what it learns, and its simpler relative."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

pytest.importorskip("torch")

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from editahead.runtime.span_copying.model import search
from editahead.runtime.span_copying.tree import SpanLimits
from editahead_models.copyspan.evaluate.measure import decode
from editahead_models.copyspan.network.batches import Pair, make_batch
from editahead_models.copyspan.network.decode import ModelStepper, beam_of, greedy_of, task_of
from editahead_models.copyspan.network.marginal import edges, log_marginal
from editahead_models.copyspan.network.model import CopySpan, CopySpanConfig, Scores
from editahead_models.copyspan.network.objective import action_scores, batch_scores, log_likelihood
from editahead_models.report.results import deviations
from torch import Tensor

VOCABULARY = SpanVocabulary([*"abcdefgh"], buckets=3)


def model_of(seed: int = 0, **sizes: int | float | bool) -> CopySpan:
    torch.manual_seed(seed)
    settings = {"embedding": 6, "encoder": 7, "decoder": 8, "dropout": 0.0} | sizes
    model = CopySpan(CopySpanConfig(VOCABULARY.size, VOCABULARY.buckets, **settings))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2.0)
    return model.eval()


def mass(scores: Scores, row: int) -> Tensor:
    """What all words and all spans of one input sum to at each position, span by span."""
    first, last = scores.first_BMN[row], scores.last_BMN[row]
    spans = (first[:, :, None] + last[:, None, :]).exp().triu()
    return scores.gen_BMV[row].exp().sum(-1) + spans.sum((1, 2))


RAGGED = [Pair(tuple("abxc"), tuple("abc")), Pair(("a",), tuple("abc")), Pair(tuple("abcdefgh"), tuple("zxh"))]


def test_words_and_spans_of_ragged_inputs_sum_to_one_and_padding_gets_nothing() -> None:
    model, batch = model_of(), make_batch(RAGGED, VOCABULARY)
    with torch.no_grad():
        scores = batch_scores(model, batch)
    for row, length in enumerate(batch.source_lengths_B.tolist()):
        torch.testing.assert_close(mass(scores, row), torch.ones(4), atol=1e-5, rtol=0)
        assert bool((scores.first_BMN[row, :, length:].exp() == 0).all())
        assert bool((scores.last_BMN[row, :, length:] < -1e8).all())


def test_a_pair_is_worth_the_same_alone_and_in_a_batch() -> None:
    model = model_of(1)
    with torch.no_grad():
        together = log_likelihood(batch_scores(model, made := make_batch(RAGGED, VOCABULARY)), made)
        for row, pair in enumerate(RAGGED):
            alone = log_likelihood(batch_scores(model, made := make_batch([pair], VOCABULARY)), made)
            torch.testing.assert_close(alone[0], together[row], atol=1e-4, rtol=0)


def test_a_state_depends_on_the_tokens_and_not_on_the_target_behind_them() -> None:
    """Whatever actions come later or made what is there: the same prefix, the same scores."""
    model = model_of(2)
    one, two = (make_batch([Pair(tuple("abcab"), tuple(text))], VOCABULARY) for text in ("abcf", "abda"))
    assert one.length_P.tolist() != two.length_P.tolist()
    with torch.no_grad():
        for left, right in zip(batch_scores(model, one), batch_scores(model, two), strict=True):
            torch.testing.assert_close(left[:, :3], right[:, :3])
            assert not torch.allclose(left[:, 4], right[:, 4])


def test_single_tokens_with_one_attention_are_copytok() -> None:
    """Spans limited to one token, and one attention for both, score as `(W_1 + W_2) r . a`."""
    tok, span = model_of(3, single=True), model_of(4)
    with torch.no_grad():
        shared = tok.state_dict()
        span.load_state_dict({**span.state_dict(), **shared})
        span.copy_key.weight.copy_(tok.key.weight)
        span.copy_combine.weight.copy_(tok.combine.weight)
        span.first.weight.copy_(0.25 * tok.first.weight)
        span.last.weight.copy_(0.75 * tok.first.weight)
        batch = make_batch(RAGGED, VOCABULARY, "single")
        all_spans, wanted = batch_scores(span, batch), batch_scores(tok, batch)
        single = torch.logsumexp(all_spans.first_BMN + all_spans.last_BMN, -1)
        whole = torch.logaddexp(torch.logsumexp(all_spans.gen_BMV, -1), single)[..., None]
        limited = Scores(all_spans.gen_BMV - whole, all_spans.first_BMN - whole, all_spans.last_BMN)
    torch.testing.assert_close(limited.gen_BMV, wanted.gen_BMV)
    torch.testing.assert_close(log_likelihood(limited, batch), log_likelihood(wanted, batch))


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Small products are fastest on one thread, and without the numbers below the smallest normal one."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    yield
    torch.set_flush_denormal(False)
    torch.set_num_threads(threads)


def fitted(pairs: Sequence[Pair], steps: int, objective: str = "marginal", enough: float = 0.0) -> CopySpan:
    """A small model after some updates; it stops when the mean of -ln p of all pairs is below `enough`."""
    torch.manual_seed(7)
    model = CopySpan(CopySpanConfig(VOCABULARY.size, VOCABULARY.buckets, 16, 24, 1, 24, dropout=0.0))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    batch = make_batch(pairs, VOCABULARY)
    for _ in range(steps):
        optimiser.zero_grad()
        values = -log_likelihood(batch_scores(model, batch), batch, objective)
        (values / batch.target_lengths_B).mean().backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if values.mean().item() < enough:
            break
    return model.eval()


def expected_actions(model: CopySpan, pairs: Sequence[Pair]) -> Tensor:
    """How many actions write each target, on average over what the model believes."""
    batch = make_batch(pairs, VOCABULARY)
    with torch.no_grad():
        values = action_scores(batch_scores(model, batch), batch)
    values.requires_grad_()
    M = batch.written_BM.shape[1]
    beta = log_marginal(edges(values, batch.row_P, batch.at_P, batch.length_P, batch.target_lengths_B, M))
    (share,) = torch.autograd.grad(beta.sum(), values)
    return torch.zeros(len(pairs)).index_add(0, batch.row_P, share)


def rewritings(count: int, length: int, seed: int) -> list[Pair]:
    """Inputs of drawn letters; in the target the only h has become g."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        letters = [rng.choice("abcdef") for _ in range(length)]
        at = rng.randrange(length)
        found.append(Pair((*letters[:at], "h", *letters[at + 1 :]), (*letters[:at], "g", *letters[at + 1 :])))
    return found


@pytest.mark.slow
def test_ten_pairs_are_learnt_by_heart_with_few_long_copies() -> None:
    pairs = rewritings(10, 40, 1)
    model = fitted(pairs, 300, enough=0.02)
    batch = make_batch(pairs, VOCABULARY)
    with torch.no_grad():
        loss = -log_likelihood(batch_scores(model, batch), batch)
    assert float(loss.mean()) < 0.05
    assert float(expected_actions(model, pairs).max()) < 6
    beams = decode(model, VOCABULARY, [pair.source for pair in pairs], "merged", SpanLimits(beam=20, actions=20)).beams
    assert [beam[0] for beam in beams] == [pair.target for pair in pairs]


@pytest.mark.slow
def test_without_marginalisation_copies_are_short() -> None:
    """The order of the paper: summing over the ways to write a target makes the model copy long spans."""
    pairs = rewritings(30, 24, 3)
    actions = {
        objective: float(expected_actions(fitted(pairs, 40, objective), pairs).mean())
        for objective in ("marginal", "any")
    }
    assert actions["any"] > 2 * actions["marginal"] >= 2
    assert actions["any"] > 8  # of 25 tokens


def test_the_search_finds_every_output_with_its_marginal_likelihood() -> None:
    """Without limits: the probabilities of finished outputs are those of training, and all of them sum to one."""
    vocabulary = SpanVocabulary("a")
    torch.manual_seed(5)
    model = CopySpan(CopySpanConfig(vocabulary.size, 0, 4, 3, 1, 5, dropout=0.0)).eval()
    source = ("a", "x")
    stepper = ModelStepper(model, vocabulary.wrap(source))
    task = replace(task_of(source, vocabulary), forbidden=frozenset())
    found = search(stepper, task, SpanLimits(beam=100_000, actions=1000, longer=1)).outputs
    checked = 0
    for output in found:
        if {"<pad>", "<s>", "</s>", "<unk>"} & set(output.texts) or len(output.texts) > 3:
            continue  # written by number, never part of a target
        batch = make_batch([Pair(source, output.texts)], vocabulary)
        with torch.no_grad():
            expected = log_likelihood(batch_scores(model, batch), batch)
        checked += 1
        assert output.logp == pytest.approx(expected.item(), abs=1e-4), output.texts
    assert checked > 10
    # What ends within n + 1 tokens, and what would go on: nothing is lost, and nothing is counted twice.
    shares = [sum(math.exp(each.logp) for each in found if len(each.texts) < limit) for limit in (1, 2, 3, 4)]
    assert shares == sorted(shares)
    assert 0.0 < shares[-1] <= 1.0 + 1e-6


@pytest.mark.slow
def test_beams_hold_each_output_once_in_order() -> None:
    model = model_of(6)
    for pair in RAGGED:
        found = beam_of(model, VOCABULARY, pair.source, SpanLimits(beam=20, actions=20)).outputs
        texts = [output.texts for output in found]
        assert len(set(texts)) == len(texts)
        logp = [output.logp for output in found]
        assert logp == sorted(logp, reverse=True)
        assert all(value <= 0 for value in logp)


def test_a_model_of_single_tokens_copies_single_tokens() -> None:
    model = model_of(8, single=True)
    _, spans = greedy_of(model, VOCABULARY, tuple("abcabc"), SpanLimits())
    assert set(spans) <= {1}
    one = beam_of(model, VOCABULARY, ("a", "x"), SpanLimits(beam=5, actions=20, longer=0))
    for output in one.outputs:
        batch = make_batch([Pair(("a", "x"), output.texts)], VOCABULARY, "single")
        if not {"<pad>", "<s>", "<unk>", "</s>"} & set(output.texts):
            with torch.no_grad():
                exact = log_likelihood(batch_scores(model, batch), batch).item()
            assert output.logp <= exact + 1e-4


def test_the_page_tells_what_the_second_attention_and_the_ends_of_spans_cost() -> None:
    counts = (
        sum(parameter.numel() for parameter in CopySpan(CopySpanConfig(vocab=50, single=single)).parameters())
        for single in (False, True)
    )
    assert f"{next(counts) - next(counts):,} parameters more" in deviations("copyspan")
