"""What every registered language model must do, whatever it computes: one suite over the registry."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from editahead.encode.language_model.vocabulary import SPECIALS
from editahead_models.data.corpus.batches import LmBatch, batches
from editahead_models.data.corpus.encoded_files import FileArrays
from editahead_models.evaluate.language_models.metrics import distribution, measure
from editahead_models.families.mixture import NeuralLanguageModel, detached, mixture_log_likelihood, reset
from editahead_models.families.registry import FAMILIES, build, settings_of
from editahead_models.layers.recurrent import parameters

from tests.models.conformance.language_model_files import (
    V,
    a_file,
    closed,
    layout,
    log_likelihoods,
    numbered_definitions_and_uses,
)
from tests.models.conformance.step_graph import StepGraph, step_graph

torch.set_num_threads(1)  # small operators: threads only wait for each other

SMALL: dict[str, dict[str, object]] = {
    "nnlm": {"hidden": 24, "context": 4},
    "lstm": {"hidden": 24},
    "attention-decoder": {"hidden": 24, "slots": 9},
    "attention-decoder own": {"hidden": 24, "slots": 9, "own": True},
    "lmatt": {"hidden": 24, "slots": 9},
    "spn": {"embedding": 20, "hidden": 24, "attention": 12, "slots": 9},
    "spn-paper": {"hidden": 24, "slots": 9},
    "spn-paper declarations": {"hidden": 24, "slots": 9, "memory": "declarations"},
    "spn-paper sharing": {"hidden": 24, "slots": 9, "sharing": True},
    "spn-paper all tokens": {"hidden": 24, "slots": 9, "sharing": True, "memory": "last_tokens"},
    "spn-paper unmasked": {"hidden": 24, "slots": 9, "mask_empty": False},
}


def a_model(variant: str) -> NeuralLanguageModel:
    torch.manual_seed(3)
    model = build(variant.split(maxsplit=1)[0], V, SMALL[variant])
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.mul_(2)
    return model.eval()


@pytest.fixture(params=SMALL)
def model(request: pytest.FixtureRequest) -> NeuralLanguageModel:
    return a_model(request.param)


def files_for(model: NeuralLanguageModel, *files: FileArrays) -> list[FileArrays]:
    return [file if copies(model) else closed(file) for file in files]


def copies(model: NeuralLanguageModel) -> bool:
    return hasattr(model, "mix")


def one_batch(model: NeuralLanguageModel, file: FileArrays, lanes: int = 1, steps: int | None = None) -> LmBatch:
    return next(batches(files_for(model, file), layout(model, lanes, steps or len(file.word) - 1), seed=None))


def test_every_family_is_covered() -> None:
    assert {variant.split()[0] for variant in SMALL} == set(FAMILIES)


def test_probabilities_sum_to_one_with_and_without_memory(model: NeuralLanguageModel) -> None:
    batch = one_batch(model, a_file(40, 1))
    with torch.no_grad():
        output, _ = model(batch.chunk, model.start(1))
        p_BTV, copy_BTK = distribution(output, model.logits(output.joint_BTE), batch)
    total = p_BTV.sum(-1) + copy_BTK.sum(-1)
    assert torch.allclose(total, torch.ones_like(total), atol=1e-5)
    share = output.log_lambda_BT2.exp()
    empty = ~batch.chunk.mask_BTK.any(-1)
    if not copies(model):
        assert torch.equal(share[..., 0], torch.ones_like(share[..., 0]))
    elif model.config.mask_empty:  # type: ignore[union-attr]
        assert empty.any()
        assert torch.equal(share[empty][:, 0], torch.ones_like(share[empty][:, 0]))


@pytest.mark.slow
def test_chunks_of_any_length_give_the_same_numbers(model: NeuralLanguageModel) -> None:
    (file,) = files_for(model, a_file(60, 2))
    whole = log_likelihoods(model, [file], 1, 59)
    assert len(whole) == 59
    for steps in (1, 7, 25, 100):
        part = log_likelihoods(model, [file], 1, steps)
        assert part.keys() == whole.keys()
        assert max(abs(part[key] - whole[key]) for key in whole) < 1e-4


def test_neighbours_in_a_batch_change_nothing(model: NeuralLanguageModel) -> None:
    files = files_for(model, *(a_file(length, seed) for seed, length in enumerate((30, 11, 45, 5), start=4)))
    together = log_likelihoods(model, files, 3, 9)
    alone = {key: value for file in files for key, value in log_likelihoods(model, [file], 1, 9).items()}
    assert together.keys() == alone.keys()
    assert max(abs(together[key] - alone[key]) for key in alone) < 1e-4


def test_later_tokens_change_nothing_before_them(model: NeuralLanguageModel) -> None:
    file, other = a_file(40, 8), a_file(40, 9)
    cut = 20
    changed = FileArrays(**{name: getattr(file, name).copy() for name in FileArrays.__dataclass_fields__})
    changed.word[cut:], changed.name[cut:] = other.word[cut:], other.name[cut:]
    plain, edited = one_batch(model, file), one_batch(model, changed)
    with torch.no_grad():
        (first, _), (second, _) = (model(batch.chunk, model.start(1)) for batch in (plain, edited))
    assert torch.equal(plain.chunk.slot_BTK[:, :cut], edited.chunk.slot_BTK[:, :cut])
    assert torch.allclose(first.joint_BTE[:, :cut], second.joint_BTE[:, :cut], atol=1e-6)
    assert torch.allclose(first.alpha_BTK[:, :cut], second.alpha_BTK[:, :cut], atol=1e-6)


def test_padding_costs_nothing_and_earns_no_gradient(model: NeuralLanguageModel) -> None:
    grads = []
    for lanes, steps in ((1, 11), (2, 30)):  # exactly the file, and the file among padding
        batch = one_batch(model, a_file(12, 5), lanes, steps)
        model.zero_grad()
        output, _ = model(batch.chunk, model.start(lanes))
        log_y = torch.log_softmax(model.logits(output.joint_BTE), -1)
        log_y = log_y.gather(-1, batch.target_BT.clamp_min(0).unsqueeze(-1)).squeeze(-1)
        value = mixture_log_likelihood(output, log_y, batch.target_BT, batch.match_BTK)
        (value * batch.scored_BT).sum().backward()
        assert int(batch.scored_BT.sum()) == 11
        grads.append({name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None})
    model.zero_grad()
    assert any(float(grad.abs().max()) > 0 for grad in grads[0].values())
    for name, alone in grads[0].items():
        assert torch.allclose(grads[1][name], alone, atol=1e-4 * float(alone.abs().max() + 1e-3)), name


def test_weights_come_back_from_a_file(model: NeuralLanguageModel, tmp_path: Path) -> None:
    torch.save(model.state_dict(), tmp_path / "model.pt")
    settings = {key: value for key, value in settings_of(model).items() if key != "vocab"}
    family = next(name for name, family in FAMILIES.items() if family.build is type(model))
    again = build(family, V, settings)
    again.load_state_dict(torch.load(tmp_path / "model.pt", weights_only=True))
    (file,) = files_for(model, a_file(20, 1))
    assert log_likelihoods(again.eval(), [file], 1, 19) == log_likelihoods(model, [file], 1, 19)


@pytest.mark.slow
def test_one_batch_can_be_learnt_by_heart(model: NeuralLanguageModel) -> None:
    batch = one_batch(model, a_file(33, 1))
    torch.manual_seed(0)
    model.train()
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=5e-3)
    loss = torch.tensor(0.0)
    for step in range(250):
        output, _ = model(batch.chunk, model.start(1))
        log_y = model.log_generate(output, batch.target_BT)
        loss = -mixture_log_likelihood(output, log_y, batch.target_BT, batch.match_BTK)[batch.scored_BT].mean()
        if step == 0:
            first = float(loss.detach())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert float(loss.detach()) < min(0.5, first / 3)


@pytest.mark.slow
def test_the_exported_graph_equals_torch_as_prefill_and_step_by_step(model: NeuralLanguageModel) -> None:
    slots = getattr(model.config, "slots", 0)
    graph = StepGraph(step_graph(model, slots))
    file = a_file(300, 7)
    whole = one_batch(model, file)
    with torch.no_grad():
        output, _ = model(whole.chunk, model.start(1))
        expected = torch.log_softmax(model.logits(output.joint_BTE), -1).numpy()
    prefill = graph.run(whole.chunk, [part.numpy() for part in model.start(1)])
    assert np.abs(prefill[0] - expected).max() < 1e-4
    state = [part.numpy() for part in model.start(1)]
    worst = 0.0
    for t, batch in enumerate(batches(files_for(model, file), layout(model, 1, 1), seed=None)):
        log_y, alpha, _, *state = graph.run(batch.chunk, state)
        worst = max(worst, float(np.abs(log_y[0, 0] - expected[0, t]).max()))
        if alpha.shape[-1]:
            assert np.isfinite(alpha).all()
    assert worst < 1e-4


def test_another_memory_length_needs_no_other_weights(model: NeuralLanguageModel) -> None:
    if not getattr(model.config, "slots", 0):
        pytest.skip("no memory")
    from editahead_models.train.lm import shape_of

    wide = shape_of(model, 1, 20, slots=25)
    state = model.start(1, 25)
    with torch.no_grad():
        for batch in batches(files_for(model, a_file(90, 3)), wide, seed=None):
            output, state = model(batch.chunk, reset(detached(state), batch.fresh_B))
            assert torch.isfinite(output.joint_BTE).all()
    assert output.alpha_BTK.shape[-1] == 25


@pytest.mark.parametrize(
    ("family", "settings", "count"),
    [("lstm", {}, 2_325_800), ("spn-paper", {}, 2_407_202), ("spn-paper", {"sharing": True}, 2_487_202)],
)
def test_published_numbers_of_parameters(family: str, settings: dict[str, object], count: int) -> None:
    """d 200 and V 5,000 (Müller 2019, section 4.2, recomputed)."""
    assert parameters(build(family, 5000, settings)) == count


@pytest.mark.slow
@pytest.mark.parametrize(("family", "low", "high"), [("lstm", 0.0, 0.15), ("spn-paper", 0.95, 1.0)])
def test_random_numbers_can_only_be_copied(family: str, low: float, high: float) -> None:
    """An LSTM cannot carry 30 random names through its state in so few steps; a pointer does."""
    random = np.random.default_rng(0)
    torch.manual_seed(0)
    model = build(family, V, {"hidden": 32, "dropout": 0.0} if family == "lstm" else {"hidden": 32, "slots": 8})
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    model.train()
    for step in range(120):
        made = [numbered_definitions_and_uses(random) for _ in range(16)]
        batch = next(batches(made, layout(model, 16, 24), seed=step))
        output, _ = model(batch.chunk, model.start(16))
        log_y = model.log_generate(output, batch.target_BT)
        loss = -mixture_log_likelihood(output, log_y, batch.target_BT, batch.match_BTK)[batch.scored_BT].mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    held_out = [numbered_definitions_and_uses(random) for _ in range(40)]
    shape = layout(model, 8, 24)
    figures = measure(model, batches(held_out, shape, seed=None), 8, shape.slots).report()
    assert low <= figures["identifier uses/acc"] <= high
    assert len(SPECIALS) < V
