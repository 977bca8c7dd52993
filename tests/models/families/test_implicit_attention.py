"""The paper's model and the product's extensions: masks, leaks, padding, learning, and one graph for one pass."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")

from editahead_models.data.synthetic.batches import Vocabulary, collate, encode  # noqa: E402
from editahead_models.data.synthetic.generate import generate  # noqa: E402
from editahead_models.data.synthetic.instances import Instance  # noqa: E402
from editahead_models.data.synthetic.tasks import ALPHABET  # noqa: E402
from editahead_models.families.implicit_attention import NEGATIVE, ImplicitAttention  # noqa: E402
from editahead_models.families.implicit_attention_paper import tensors  # noqa: E402
from editahead_models.families.implicit_config import ImplicitConfig  # noqa: E402
from editahead_models.layers.attention import Aggregation, Attention, sinusoids  # noqa: E402

VOCABULARY = Vocabulary(ALPHABET)
VARIANTS = [("gru", "analogical"), ("sum", "analogical"), ("gru", "vanilla"), ("sum", "vanilla")]


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)


def paper(aggregation: str = "gru", decoder: str = "analogical", dim: int = 32) -> ImplicitAttention:
    return ImplicitAttention(ImplicitConfig.paper(VOCABULARY.size, dim, aggregation, decoder)).eval()


def batch(instances: list[Instance]) -> dict[str, torch.Tensor]:
    return tensors(collate([encode(item, VOCABULARY, with_states=False) for item in instances], VOCABULARY))


@pytest.mark.parametrize(("aggregation", "decoder"), VARIANTS)
def test_no_leak(aggregation: str, decoder: str) -> None:
    """Edits from t on change no position up to t and no content before t."""
    model = paper(aggregation, decoder)
    data = batch(generate("ContextAppend31", 4, seed=3))
    before = model(data)
    t = 5
    changed = {key: value.clone() for key, value in data.items()}
    changed["c_tok"][:, t:] = torch.randint(0, 10, changed["c_tok"][:, t:].shape)
    changed["name"][:, t:] = torch.randint(1, 20, changed["name"][:, t:].shape)
    changed["index"][:, t:] = torch.randint(1, 20, changed["index"][:, t:].shape)
    after = model(changed)
    assert torch.equal(before["position"][:, : t + 1] > NEGATIVE / 2, after["position"][:, : t + 1] > NEGATIVE / 2)
    torch.testing.assert_close(before["position"][:, : t + 1], after["position"][:, : t + 1])
    torch.testing.assert_close(before["content_logits"][:, :t], after["content_logits"][:, :t])
    assert not torch.allclose(before["position"][:, t + 1], after["position"][:, t + 1])


def test_future_names_are_impossible() -> None:
    data = batch(generate("ContextAppend31", 3, seed=4))
    position = paper()(data)["position"]
    n = data["tok"].shape[1]
    for time in range(position.shape[1]):
        assert (position[:, time, n + time :] < NEGATIVE / 2).all()
    total = position.exp().sum(-1)
    torch.testing.assert_close(total, torch.ones_like(total))


def test_state_does_not_see_edits_and_padding_changes_nothing() -> None:
    made = generate("ContextAppend31", 6, seed=5)
    made.sort(key=lambda item: len(item.edits))
    model = paper()
    alone, together = batch(made[:1]), batch(made)
    assert together["c_tok"].shape[1] > alone["c_tok"].shape[1]
    one, many = model(alone), model(together)
    n, t = alone["tok"].shape[1], alone["c_tok"].shape[1]
    torch.testing.assert_close(many["content_logits"][0, :t], one["content_logits"][0], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(many["position"][0, :t, : n + t], one["position"][0], rtol=1e-4, atol=1e-3)
    padded = {key: value.clone() for key, value in alone.items()}
    padded["tok"] = torch.nn.functional.pad(alone["tok"], (0, 7))
    padded["state_mask"] = torch.nn.functional.pad(alone["state_mask"], (0, 7))
    states = model.encode(alone["tok"], None, None, None, alone["state_mask"])
    wide = model.encode(padded["tok"], None, None, None, padded["state_mask"])
    torch.testing.assert_close(wide[:, :n], states, rtol=1e-4, atol=1e-5)


def test_aggregation_and_positions() -> None:
    query, read = torch.randn(2, 3, 8), torch.randn(2, 3, 8)
    gated = Aggregation("gru", 8)
    for parameter in gated.parameters():
        torch.nn.init.zeros_(parameter)
    torch.testing.assert_close(gated(query, read), query / 2)
    layer = Attention(8, 2, "sum")
    torch.nn.init.zeros_(layer.out.weight)
    torch.testing.assert_close(layer(query, read, None), query)
    table = sinusoids(50, 16)
    torch.testing.assert_close(table[0, 0::2], torch.zeros(8))
    torch.testing.assert_close(table[3, 1], torch.cos(torch.tensor(3.0)))


def test_positions_reach_the_keys() -> None:
    """Shifting all tokens by one place changes how strongly they are attended to."""
    model = paper()
    tok = torch.tensor([[4, 5, 6, 7]])
    rows = model.embed(tok, None, None, None)
    here = model.state_layer(rows + model.position_table[:4], rows + model.position_table[:4], None)
    moved = model.state_layer(rows + model.position_table[:4], rows + model.position_table[1:5], None)
    assert not torch.allclose(here, moved, atol=1e-4)


def extended_batch(seed: int = 0, n: int = 24, t: int = 7) -> dict[str, torch.Tensor]:
    """A made-up batch in the product's form, over a small vocabulary with unlisted tokens."""
    from editahead.encode.edit_model.sequences import DISPLACEMENT_BINS

    rng = random.Random(seed)
    generator = torch.Generator().manual_seed(seed)

    def ints(high: int, *size: int) -> torch.Tensor:
        return torch.randint(0, high, size, generator=generator)

    lid = ints(12, 2, n) + 1
    c_lid = ints(15, 2, t)
    live = torch.zeros(2, t + 1, n + t + 1, dtype=torch.bool)
    for time in range(t + 1):
        live[:, time, : n + time] = True
        live[:, time, -1] = True
    target = torch.zeros_like(live)
    target[:, :, rng.randrange(n)] = True
    return {
        "tok": lid + 10,
        "sub": ints(50, 2, n, 4),
        "lid": lid,
        "gap": ints(3, 2, n),
        "state_mask": torch.ones(2, n, dtype=torch.bool),
        "c_tok": torch.where(c_lid > 0, c_lid + 10, 1),
        "c_sub": ints(50, 2, t, 4),
        "c_lid": c_lid,
        "c_gap": ints(3, 2, t),
        "name": ints(n, 2, t),
        "root": ints(n, 2, t),
        "index": ints(n, 2, t),
        "start": ints(2, 2, t),
        "edit_mask": torch.ones(2, t, dtype=torch.bool),
        "hunk": torch.zeros(2, t, dtype=torch.long),
        "live": live,
        "target": target,
        "bins": ints(DISPLACEMENT_BINS, 2, t + 1, n + t),
        "position_weight": torch.ones(2, t + 1),
        "content_weight": torch.ones(2, t),
    }


def product() -> ImplicitAttention:
    model = ImplicitAttention(ImplicitConfig.product(64, 32)).eval()
    with torch.no_grad():  # the biases start at zero: make them matter
        model.position_replay.same.weight.normal_()
        model.content_replay.table.weight.normal_()
        model.displacement.table.normal_(std=0.1)
        model.stop_key.normal_()
    return model


def test_extensions_do_not_leak() -> None:
    model, data, t = product(), extended_batch(), 4
    before = model(data)
    changed = {key: value.clone() for key, value in data.items()}
    other = extended_batch(seed=9)
    for key in ("c_tok", "c_sub", "c_lid", "c_gap", "name", "root", "index", "start"):
        changed[key][:, t:] = other[key][:, t:]
    after = model(changed)
    torch.testing.assert_close(before["position"][:, : t + 1], after["position"][:, : t + 1])
    torch.testing.assert_close(before["content"][:, :t], after["content"][:, :t])
    assert not torch.allclose(before["position"][:, t + 1], after["position"][:, t + 1])


def test_stop_and_positions_sum_to_one_and_stop_can_silence() -> None:
    model, data = product(), extended_batch()
    total = model(data)["position"].exp().sum(-1)
    torch.testing.assert_close(total, torch.ones_like(total))
    with torch.no_grad():
        model.stop_bias.fill_(1e4)
    assert (model(data)["position"].argmax(-1) == data["live"].shape[-1] - 1).all()


def test_content_mixture_sums_to_one_and_copies_unlisted_tokens() -> None:
    """Over all classes and identities the merged shares sum to one; an unlisted token of the state has a share."""
    from editahead_models.evaluate.edit_models.accuracy import content_choice

    model, data = product(), extended_batch()
    data["tok"] = torch.where(data["lid"] == 3, 4, data["tok"])  # identity 3 is not in the vocabulary
    out = model(data)
    weights = out["weights"].exp()
    shares = weights.sum(-1)
    torch.testing.assert_close(shares, torch.ones_like(shares))
    torch.testing.assert_close(out["from_state"].sum(-1), torch.ones_like(shares))
    copied = out["from_edits"].sum(-1)
    possible = weights[..., 2] > 1e-9
    torch.testing.assert_close(copied[possible], torch.ones_like(copied[possible]))
    assert ((out["from_state"] * (data["lid"] == 3).unsqueeze(1)).sum(-1) > 0).all()
    chosen, truth = content_choice(model, data, out)
    assert chosen.shape == truth.shape == data["c_tok"].shape


def test_brain_float_attention_agrees() -> None:
    layer = Attention(32, 2, "gru", norm=True, feed_forward=64).eval()
    rows, memory = torch.randn(2, 5, 32), torch.randn(2, 9, 32)
    mask = torch.ones(1, 5, 9, dtype=torch.bool)
    mask[..., 6:] = False
    plain = layer(rows, memory, mask)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        fast = layer(rows, memory, mask)
    torch.testing.assert_close(fast.float(), plain, rtol=0.05, atol=0.05)


def test_config_survives_a_checkpoint() -> None:
    config = replace(ImplicitConfig.product(50, 32), local_layers=2)
    assert ImplicitConfig(**json.loads(json.dumps(config.to_dict()))) == config
