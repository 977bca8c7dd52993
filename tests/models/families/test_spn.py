"""The sparse pointer network: a proper mixture, causal, indifferent to chunks and neighbours, and the same in ONNX."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from editahead.encode.language_model.encoder import MEMORIES, echoes, memory_slots
from editahead.encode.language_model.vocabulary import SPECIALS, Vocab
from editahead.runtime.bundle import load_bundle
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.ort import select_providers
from editahead.runtime.selftest import open_sessions, self_test
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line
from editahead.text.buffer import Buffer
from editahead_models.data.corpus.batches import LmBatch, Shape, batches
from editahead_models.evaluate.fitting.rewritten_bundle import rewritten
from editahead_models.evaluate.language_models.metrics import distribution, measure, rank_targets
from editahead_models.export.kept_fit import with_kept_fit
from editahead_models.export.lm import export
from editahead_models.families.mixture import MixtureOutput, mixture_log_likelihood, weighted_cross_entropy
from editahead_models.families.spn import Spn, SpnConfig
from editahead_models.layers import blockwise_softmax, precision
from editahead_models.layers.blockwise_softmax import _KEPT_COLUMNS, picked_log_softmax, sample_columns

from tests.models.conformance.language_model_files import V, a_file, definitions_and_uses, layout

torch.set_num_threads(1)  # several small operators: threads only wait for each other


@pytest.fixture(scope="module")
def model() -> Spn:
    torch.manual_seed(3)
    model = Spn(SpnConfig.debug(V))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return model.eval()


def one_batch(model: Spn, length: int = 40) -> tuple[LmBatch, MixtureOutput]:
    batch = next(batches([a_file(length, 1)], layout(model, 1, length), seed=None))
    with torch.no_grad():
        output, _ = model(batch.chunk, model.start(1))
    return batch, output


def test_the_mixture_sums_to_one_everywhere_and_is_the_softmax_without_memory(model: Spn) -> None:
    batch, output = one_batch(model)
    share = output.log_lambda_BT2.exp()
    total = share[..., 0] + share[..., 1] * output.alpha_BTK.sum(-1)
    assert torch.allclose(total, torch.ones_like(total), atol=1e-6)
    empty = ~batch.chunk.mask_BTK.any(-1)
    assert empty.any()
    assert torch.equal(share[empty][:, 0], torch.ones_like(share[empty][:, 0]))
    assert torch.equal(output.alpha_BTK[empty], torch.zeros_like(output.alpha_BTK[empty]))


def test_worked_numbers_of_both_objectives() -> None:
    alpha = torch.tensor([[[0.2, 0.3, 0.5]]])
    output = MixtureOutput(torch.zeros(1, 1, 1), alpha, torch.log(torch.tensor([[[0.4, 0.6]]])))
    log_y = torch.log(torch.tensor([[0.1]]))
    copied = torch.tensor([[[True, True, False]]])
    nowhere = torch.zeros(1, 1, 3, dtype=torch.bool)
    target = torch.tensor([[5]])
    assert float(-mixture_log_likelihood(output, log_y, target, copied)) == pytest.approx(1.0788, abs=1e-4)
    assert float(-weighted_cross_entropy(output, log_y, copied)) == pytest.approx(1.3369, abs=1e-4)
    assert float(-mixture_log_likelihood(output, log_y, target, nowhere)) == pytest.approx(3.2189, abs=1e-4)
    assert float(-weighted_cross_entropy(output, log_y, nowhere)) == pytest.approx(14.7365, abs=1e-3)


def test_the_published_objective_bounds_the_mixture(model: Spn) -> None:
    batch, output = one_batch(model)
    log_y = model.log_generate(output, batch.target_BT).detach()
    mixture = mixture_log_likelihood(output, log_y, batch.target_BT.clamp_min(0), batch.match_BTK)
    published = weighted_cross_entropy(output, log_y, batch.match_BTK)
    assert (published <= mixture + 1e-5)[batch.scored_BT].all()


def test_gradients_are_finite_where_nothing_can_be_copied(model: Spn) -> None:
    batch, _ = one_batch(model)
    output, _ = model(batch.chunk, model.start(1))
    log_y = model.log_generate(output, batch.target_BT)
    value = mixture_log_likelihood(output, log_y, batch.target_BT.clamp_min(0), torch.zeros_like(batch.match_BTK))
    value.sum().backward()
    assert all(torch.isfinite(p.grad).all() for p in model.parameters() if p.grad is not None)
    model.zero_grad()


@pytest.mark.parametrize(("kind", "error"), [("float32", 1e-4), ("bfloat16", 0.02)])
@pytest.mark.parametrize("columns", [50, _KEPT_COLUMNS + 1])
def test_blockwise_softmax_equals_the_plain_one_with_its_gradients(
    columns: int, kind: str, error: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few columns, whose exponentials are kept, and with many, which are computed again."""
    monkeypatch.setattr(blockwise_softmax, "product_type", lambda device: getattr(torch, kind))
    torch.manual_seed(0)
    x = torch.randn(700, 16, requires_grad=True)
    w = torch.randn(columns, 16, requires_grad=True)
    b = torch.randn(columns, requires_grad=True)
    column = torch.randint(0, columns, (700,))
    grads = []
    for value in (
        picked_log_softmax(x, w, b, column),
        torch.log_softmax(x @ w.t() + b, -1).gather(1, column[:, None]).squeeze(1),
    ):
        value.sum().backward()
        grads.append([value.detach(), x.grad.clone(), w.grad.clone(), b.grad.clone()])
        for tensor in (x, w, b):
            tensor.grad = None
    for mine, plain in zip(*grads, strict=True):
        assert float((mine - plain).abs().max() / plain.abs().max()) < error


def test_products_take_the_faster_type_unless_one_is_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds, chosen in ((1.0, torch.bfloat16), (10.0, torch.float32), (20.0, torch.float32)):
        times = {torch.float32: 10.0, torch.bfloat16: seconds}
        monkeypatch.setattr(precision, "_seconds", times.__getitem__)
        assert precision.product_type.__wrapped__() == chosen
    monkeypatch.setenv(precision.VARIABLE, "bfloat16")
    assert precision.product_type.__wrapped__() == torch.bfloat16
    monkeypatch.setenv(precision.VARIABLE, "half")
    with pytest.raises(ValueError, match="must be one of float32, bfloat16"):
        precision.product_type.__wrapped__()


def test_a_sample_of_columns_stands_for_the_whole_vocabulary() -> None:
    torch.manual_seed(0)
    logits = torch.randn(2000)
    target = torch.tensor([3, 1500, 77])
    whole = torch.logsumexp(logits, 0)
    estimates = []
    for _ in range(60):
        columns, log_weight, place = sample_columns(target, 2000, 100, 400)
        assert torch.equal(columns[place], target)
        estimates.append(torch.logsumexp(logits[columns] + log_weight, 0).exp())
    assert float(torch.stack(estimates).mean() / whole.exp()) == pytest.approx(1.0, abs=0.02)


def test_ranks_count_ties_against_the_model_and_copies_of_a_listed_name_add() -> None:
    word = len(SPECIALS) + 1
    batch = next(batches([a_file(30, 1)], Shape(1, 1, 2), seed=None))
    batch = LmBatch(
        batch.chunk, batch.fresh_B, torch.tensor([[word]]), torch.tensor([[[True, True]]]), batch.scored_BT,
        batch.is_name_BT, batch.is_use_BT, torch.tensor([[[word, word]]]), batch.position_BT, batch.file_B,
    )  # fmt: skip
    logits = torch.full((1, 1, V), -1e9)
    logits[0, 0, [word, word + 1, word + 2]] = torch.log(torch.tensor([0.2, 0.5, 0.3]))
    output = MixtureOutput(torch.zeros(1, 1, 1), torch.tensor([[[0.5, 0.5]]]), torch.log(torch.tensor([[[0.5, 0.5]]])))
    ranks = rank_targets(*distribution(output, logits, batch), batch)
    assert (int(ranks.rank_BT), float(ranks.best_BT)) == (1, pytest.approx(0.6))
    output = output._replace(log_lambda_BT2=torch.tensor([[[0.0, -1e9]]]))
    assert int(rank_targets(*distribution(output, logits, batch), batch).rank_BT) == 3


@pytest.mark.slow
def test_it_learns_to_copy_fresh_names() -> None:
    random = np.random.default_rng(0)
    torch.manual_seed(0)
    model = Spn(SpnConfig.debug(V))
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
    model.train()
    for step in range(80):
        batch = next(batches([definitions_and_uses(random) for _ in range(16)], layout(model, 16, 25), seed=step))
        output, _ = model(batch.chunk, model.start(16))
        log_p = mixture_log_likelihood(
            output, model.log_generate(output, batch.target_BT), batch.target_BT, batch.match_BTK
        )
        loss = -(log_p * batch.scored_BT).sum() / batch.scored_BT.sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    held_out = [definitions_and_uses(random) for _ in range(40)]
    figures = measure(model, batches(held_out, layout(model, 8, 25), seed=None), 8, 12).report()
    assert figures["identifier uses/acc"] > 0.95


SOURCE = """import os

class Reader:
    def __init__(self, path):
        self.path = path
        self.size = os.stat(path)

    def read(self, start, end):
        with open(self.path) as handle:
            return handle.read(end)
"""


def lines_of(text: str) -> list[Line]:
    language = by_id("python")
    assert language is not None
    snapshot = SyntaxSnapshot.open(Buffer(text.encode()), language)
    return [snapshot.line_tokens(number) for number in range(snapshot.line_count)]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> LanguageModel:
    """A tiny exported model."""
    folder = tmp_path_factory.mktemp("spn")
    vocab = Vocab(
        (
            *SPECIALS,
            *(
                w
                for w in [
                    "def",
                    "class",
                    "self",
                    "return",
                    "(",
                    ")",
                    ".",
                    ",",
                    ":",
                    "=",
                    "import",
                    "os",
                    "with",
                    "as",
                    "open",
                ]
            ),
        )
    )
    torch.manual_seed(5)
    config = SpnConfig.debug(len(vocab))
    (folder / "config.json").write_text(json.dumps({"model": config.to_json(), "recipe": {}}))
    model = Spn(config)
    torch.save(model.state_dict(), folder / "model.pt")
    (folder / "vocab.json").write_text(json.dumps(vocab.to_json()))
    data = {"language": "python", "flavour": "spelled", "data_hash": "0", "projects": []}
    (folder / "data.json").write_text(json.dumps(data))
    bundle = export(folder, folder, folder, version="0.0.1", spacing={}, keywords=["def"], slots=8)
    return LanguageModel(bundle, select_providers("cpu"))


def test_the_exported_graphs_equal_torch(served: LanguageModel) -> None:
    bundle = load_bundle(served.bundle.path)
    assert self_test(bundle, open_sessions(bundle, select_providers("cpu"))) < 1e-4


def test_typing_gives_the_same_prediction_as_reading_from_scratch(served: LanguageModel) -> None:
    typed = served.context("typed", 4)
    for end in range(0, len(SOURCE), 3):
        typed.extend_to(lines_of(SOURCE[:end]))
        fresh = served.context(f"fresh{end}", 4)
        fresh.extend_to(lines_of(SOURCE[:end]))
        one, other = typed.predict(), fresh.predict()
        assert np.allclose(one.words, other.words, atol=1e-5)
        assert one.copies.keys() == other.copies.keys()
        assert all(one.copies[name] == pytest.approx(other.copies[name], abs=1e-5) for name in one.copies)
        assert one.origins == other.origins
        assert float(one.words.sum()) + sum(one.copies.values()) == pytest.approx(1.0, abs=1e-3)


def test_an_edit_far_up_is_noticed(served: LanguageModel) -> None:
    context = served.context("edited", 4)
    context.extend_to(lines_of(SOURCE))
    changed = SOURCE.replace("import os", "import sys, os, re")
    context.extend_to(lines_of(changed))
    fresh = served.context("changed", 4)
    fresh.extend_to(lines_of(changed))
    assert np.allclose(context.predict().words, fresh.predict().words, atol=1e-5)


def test_a_keystroke_runs_few_steps(served: LanguageModel, monkeypatch: pytest.MonkeyPatch) -> None:
    context = served.context("counted", 4)
    context.extend_to(lines_of(SOURCE))
    read = [len(block.word) for block in context.set_lines(lines_of(SOURCE + "        x"))]
    assert sum(read) <= 8


def test_a_fit_goes_over_to_the_same_weights_only(served: LanguageModel, tmp_path: Path) -> None:
    run, fitted = served.bundle.path.parent, {"completion": {"method": "none", "ece": 0.5}}
    again = export(run, run, tmp_path / "again", version="0.0.1", spacing={}, keywords=["def"], slots=8)
    earlier = rewritten(again, metrics={"first": 0.25}, files={"ranker.npz": b"fitted"}, more={"ghost_text": fitted})
    fresh = export(run, run, tmp_path / "fresh", version="0.0.2", spacing={}, keywords=["def"], slots=8)
    kept = with_kept_fit(fresh, earlier)
    assert kept.manifest.version == "0.0.2"
    assert (kept.manifest["metrics"], kept.manifest["ghost_text"]) == ({"first": 0.25}, fitted)
    assert kept.read("ranker.npz") == b"fitted"
    assert load_bundle(kept.path).read("encode.onnx") == fresh.read("encode.onnx")
    other = export(run, run, tmp_path / "other", version="0.0.1", spacing={}, keywords=["class"], slots=8)
    with pytest.raises(ValueError, match=r"vocab.json is not that of"):
        with_kept_fit(other, earlier)


def test_export_needs_what_the_run_left(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        export(tmp_path, tmp_path, tmp_path, version="1", spacing={}, keywords=[])


@pytest.mark.parametrize("memory", MEMORIES)
def test_training_and_serving_see_the_same_memory_and_echoes(memory: str) -> None:
    file = a_file(120, 6)
    batch = next(batches([file], Shape(1, 119, 9, memory), seed=None))
    for t in range(119):
        read = file.name[: t + 1]
        slots = memory_slots(read, 9, memory)
        trained = {}
        for k in range(9):
            if batch.chunk.mask_BTK[0, t, k]:
                trained[int(batch.chunk.slot_BTK[0, t, k]) - 9] = batch.chunk.echo_BTKR[0, t, k].tolist()
        assert trained == dict(zip(slots.tolist(), echoes(read, slots).tolist(), strict=True))
