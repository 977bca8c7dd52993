"""Conformance of the model: causality, parents, positions, gating, masses, switches."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from editahead.grammar.tree import Terminal
from editahead_models.recipe import read_recipe
from editahead_models.treegen.network.batches import IGNORED, Batch, collate, make_row
from editahead_models.treegen.network.config import ABLATIONS, TreeGenConfig, ablated, same_row
from editahead_models.treegen.network.layers import Gating, parents, positions, split_heads
from editahead_models.treegen.network.model import TreeGen
from editahead_models.treegen.train_command import settings_of

from tests.models.treegen.cards import TINY, in_memory

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.fixture(scope="module")
def batch() -> Batch:
    examples, vocabulary = in_memory()
    return collate([make_row(vocabulary, example) for example in examples[:3]])


def made(config: TreeGenConfig, seed: int = 1) -> TreeGen:
    torch.manual_seed(seed)
    return TreeGen(config, in_memory()[1]).eval()


def test_odd_positions_are_cosines_and_blocks_differ() -> None:
    table = positions(7, 8, block=2)
    for i in range(7):
        for j in range(4):
            angle = (i + 2) / 10_000 ** (2 * j / 8)
            assert table[i, 2 * j] == pytest.approx(math.sin(angle), abs=1e-6)
            assert table[i, 2 * j + 1] == pytest.approx(math.cos(angle), abs=1e-6)
    assert not torch.allclose(positions(7, 8, 0), positions(7, 8, 1))


def test_the_gather_of_parents_is_the_product_with_m_and_not_with_its_transpose() -> None:
    """`length = 10` as rules: root, Assign, target, name, value, int."""
    parent = torch.tensor([[0, 0, 1, 2, 1, 4]])
    f = torch.arange(12.0).view(1, 6, 2) ** 1.5
    m = torch.zeros(6, 6)
    m[parent[0], torch.arange(6)] = 1.0  # M_ij = 1 iff i is the parent of j
    gathered = parents(f, parent)[0]
    assert torch.allclose(gathered, (f[0].T @ m).T)
    assert not torch.allclose(gathered, (f[0].T @ m.T).T)


def test_parents_come_before_their_children(batch: Batch) -> None:
    parent, real = batch.rules.parent_BT, batch.target_BT != IGNORED
    steps = torch.arange(parent.shape[1])
    assert (parent[:, 0] == 0).all()
    assert (parent[:, 1:] < steps[1:])[real[:, 1:]].all()


def test_gates_sum_to_one_and_a_query_of_nothing_takes_the_mean() -> None:
    torch.manual_seed(2)
    gating = Gating(8, 2)
    y, c = torch.randn(1, 5, 8), torch.randn(1, 5, 8)
    q, k = split_heads(gating.query(y), 2), split_heads(gating.own(y)[..., :8], 2)
    weights = gating.weights(q, k, split_heads(gating.other(c)[..., :8], 2))
    assert torch.allclose(weights.sum(-1), torch.ones(1, 2, 5))
    with torch.no_grad():
        gating.query.weight.zero_()
    mean = (gating.own(y)[..., 8:] + gating.other(c)[..., 8:]) / 2
    assert torch.allclose(gating(y, c), gating.out(mean), atol=1e-6)


@pytest.mark.parametrize("row", ABLATIONS)
def test_no_step_sees_what_comes_later(row: int, batch: Batch) -> None:
    model = made(ablated(TINY, row))
    with torch.no_grad():
        before, _ = model(batch.words, batch.rules)
        at = 20
        done = batch.rules.done_BT.clone()
        done[:, at] = 3
        after, _ = model(batch.words, batch.rules._replace(done_BT=done))
    assert torch.allclose(before[:, :at], after[:, :at], atol=1e-5)
    assert not torch.allclose(before[:, at:], after[:, at:], atol=1e-4)


def test_every_switch_changes_the_model() -> None:
    shapes = set()
    for row in ABLATIONS:
        config = ablated(TreeGenConfig(width=16, heads=2), row)
        model = made(config)
        names = sorted((name, tuple(p.shape)) for name, p in model.named_parameters())
        shapes.add(str(names))
    assert len(shapes) == len(ABLATIONS)


@pytest.mark.parametrize("masked", [True, False])
def test_masses_sum_to_one_and_keep_to_the_place(masked: bool, batch: Batch) -> None:
    model = made(TreeGenConfig(**{**TINY.to_json(), "masked": masked}))
    with torch.no_grad():
        h_BTD, y_BLD = model(batch.words, batch.rules)
        b, t = torch.nonzero(batch.target_BT != IGNORED, as_tuple=True)
        masses = model.masses(h_BTD[b, t], y_BLD[b], batch.words.real_BL[b], batch.rules.tag_BT[b, t])
    total = masses.class_NC.exp().sum(-1) + masses.copy_NL.exp().sum(-1)
    assert torch.allclose(total, torch.ones_like(total), atol=1e-5)
    fits = model.fits_GC[batch.rules.tag_BT[b, t]]
    outside = masses.class_NC.exp().masked_fill(fits, 0.0).sum()
    assert (float(outside) == 0.0) == masked


def test_the_likelihood_adds_the_list_and_every_right_copy(batch: Batch) -> None:
    model = made(TINY)
    b, t = torch.nonzero(batch.target_BT != IGNORED, as_tuple=True)
    with torch.no_grad():
        found = model.log_likelihood(batch)
        h_BTD, y_BLD = model(batch.words, batch.rules)
        masses = model.masses(h_BTD[b, t], y_BLD[b], batch.words.real_BL[b], batch.rules.tag_BT[b, t])
    target, right = batch.target_BT[b, t], batch.right_BTL[b, t]
    known = torch.where(target >= 0, masses.class_NC.exp().gather(1, target.clamp_min(0)[:, None])[:, 0], 0.0)
    expected = known + (masses.copy_NL.exp() * right).sum(-1)
    assert torch.allclose(found.exp(), expected, atol=1e-5)
    assert (right.sum(-1) > 1).any()  # some text can be copied from two words


def test_a_composite_copy_is_learnable(batch: Batch) -> None:
    examples, vocabulary = in_memory()
    assert vocabulary.class_of(Terminal("str", "Tin Golem")) is None
    assert examples[0].description.positions("name", "TinGolem") == [2]  # NAME_END
    assert examples[4].description.positions("name", "AlDurGuard")
    assert examples[5].description.positions("str", "Sea-Witch")


def test_gradients_reach_every_parameter(batch: Batch) -> None:
    model = made(TINY).train()
    (-model.log_likelihood(batch).mean()).backward()
    without = [name for name, p in model.named_parameters() if p.grad is None or not p.grad.abs().sum() > 0]
    assert without == []


def test_sizes_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="multiple of 3 heads"):
        TreeGenConfig(width=16, heads=3)
    with pytest.raises(ValueError, match="at least one block"):
        TreeGenConfig(ast_blocks=0, decoder_blocks=0)
    with pytest.raises(KeyError):
        ablated(TINY, 11)


def test_a_row_that_is_an_earlier_network_is_told_and_not_trained() -> None:
    small = TreeGenConfig(width=16, heads=2, ast_blocks=2, decoder_blocks=2)
    assert {row: same_row(small, row) for row in ABLATIONS if same_row(small, row)} == {4: 3}
    assert all(same_row(TreeGenConfig(width=16, heads=2), row) is None for row in ABLATIONS)
    recipe = read_recipe(Path(__file__).parents[3] / "models/recipes/treegen.toml")
    with pytest.raises(ValueError, match="row 4 is the same network as row 3"):
        settings_of(recipe, 4)


def test_rows_of_the_queue_are_different_networks() -> None:
    runs = tomllib.loads((Path(__file__).parents[3] / "models/recipes/treegen-runs.toml").read_text(encoding="utf-8"))
    commands = [row["queue"]["command"] for name, row in runs["rows"].items() if name.startswith("ablation-")]
    recipe = read_recipe(Path(__file__).parents[3] / "models/recipes/treegen.toml")
    configs = [settings_of(recipe, int(command[command.index("--row") + 1]))[0] for command in commands]
    assert len(configs) == len({str(config) for config in configs}) == 9


def test_blocks_of_a_row_are_shares_of_those_of_the_full_model() -> None:
    small = TreeGenConfig(width=16, heads=2, ast_blocks=2, decoder_blocks=2)
    chosen = [ablated(small, row) for row in (1, 2, 5)]
    assert [(one.ast_blocks, one.decoder_blocks) for one in chosen] == [(2, 2), (4, 0), (0, 4)]
    assert [ablated(small, row).conv_blocks for row in (2, 3, 4)] == [-1, 3, 3]
    assert ablated(TreeGenConfig(width=16, heads=2), 4).conv_blocks == 8
