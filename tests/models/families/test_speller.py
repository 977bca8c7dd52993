"""The speller: proper probabilities, ONNX equal to torch, names that begin as typed, from repository to bundle."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from editahead.encode.language_model.name_pieces import ALPHABET, END, Pieces
from editahead.runtime.bundle import Bundle, find_bundles, load_bundle
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.speller import ENCODER, GRAPH, TABLE, Speller
from editahead.runtime.ort import CPU, GraphSession, Selection
from editahead.runtime.selftest import GOLDEN, open_sessions
from editahead_models.data.spelling.batches import PieceTable, memory_of
from editahead_models.data.spelling.pieces import learn_pieces
from editahead_models.data.spelling.spellings import Spellings, collect, load, load_names
from editahead_models.evaluate.completions.speller import spelling_figures
from editahead_models.export.bundle_writer import write_bundle
from editahead_models.export.speller import SpellerStep, attach, graph_of
from editahead_models.families.speller import Memory, SpellerConfig
from editahead_models.families.speller import Speller as Network
from editahead_models.layers.blockwise_softmax import log_softmax_columns
from editahead_models.train.speller import SpellerRecipe, bits_per_name, train
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = ["get", "set", "_name", "name", "Name", "size", "_size", "read", "er", "_er"]
PIECES = Pieces([*ALPHABET, *WORDS])
SMALL = SpellerConfig(state=6, embedding=12, hidden=10, attention=8, recent=4, parts=3, dropout=0.0)
ON_CPU = Selection("cpu", CPU, "a test")
NAMES = ["get_name", "setName", "reader", "size", "get_size"]


@pytest.fixture(scope="module")
def network() -> Network:
    torch.manual_seed(3)
    model = Network(SMALL, PIECES.texts)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4.0)  # far from uniform, so that order matters
        model.bias[[PIECES.split(word)[0] for word in WORDS]] += 3.0
        model.bias[END] += 3.0
        model.query.bias[-1] = 0.0
    return model.eval()


def memory(names: list[str]) -> Memory:
    names = names[: SMALL.recent]
    table = PieceTable(names, PIECES)
    return memory_of(np.arange(len(names), dtype=np.int32)[None], table, SMALL.parts)


def arguments(network: Network, names: list[str], piece: int, g: torch.Tensor, first: float) -> list[torch.Tensor]:
    seen = memory(names)
    state = torch.linspace(-1, 1, SMALL.state)[None]
    rows = [seen.piece_BM[0], seen.before_BM[0], seen.rank_BM[0], seen.filled_BM[0]]
    allowed = torch.ones(1, len(PIECES), dtype=torch.bool)
    return [torch.tensor([piece]), g, torch.tensor([first]), state, *rows, allowed]


def test_each_step_is_a_distribution_and_names_in_use_are_likelier(network: Network) -> None:
    step = SpellerStep(network, len(PIECES))
    with torch.no_grad():
        best, order, mass, _ = step(*arguments(network, NAMES, END, torch.zeros(1, SMALL.hidden), 1.0))
        none = arguments(network, NAMES, END, torch.zeros(1, SMALL.hidden), 1.0)
        none[7] = torch.zeros_like(none[7])
        plain, plain_order, _, _ = step(*none)
    assert float(best.sum()) == pytest.approx(1.0, abs=1e-5)
    assert float(mass) == pytest.approx(1.0, abs=1e-5)
    seen = {piece for name in NAMES for piece in PIECES.split(name)}
    cores = {int(network.core_V[piece]) for piece in seen} | {int(network.core_V[END])}
    of = dict(zip(order[0].tolist(), best[0].log().tolist(), strict=True))
    without = dict(zip(plain_order[0].tolist(), plain[0].log().tolist(), strict=True))
    outside = {of[v] - without[v] for v in of if int(network.core_V[v]) not in cores}
    inside = [of[v] - without[v] for v in of if int(network.core_V[v]) in cores]
    assert max(outside) - min(outside) < 1e-4  # what the file does not say keeps its order
    assert all(gain > max(outside) for gain in inside)


def test_training_scores_what_serving_computes(network: Network) -> None:
    """The likelihood in closed form (bfloat16 products) is the chain of steps (float32), for names of any length."""
    names = ["get_name", "x", "setSize", "readers_name"]
    table = PieceTable([*names, *NAMES], PIECES)
    length = int(table.length[: len(names)].max())
    recent = np.tile(np.arange(len(names), len(names) + 4, dtype=np.int32), (len(names), 1))
    state = torch.linspace(-1, 1, SMALL.state).expand(len(names), -1)
    target = torch.from_numpy(table.piece[: len(names), :length].astype(np.int64))
    real = torch.arange(length)[None] < torch.from_numpy(table.length[: len(names)])[:, None]
    with torch.no_grad():
        log_p = network.log_likelihood(state, target, real, memory_of(recent, table, SMALL.parts))
        row = real.nonzero()[:, 0]
        for number, name in enumerate(names):
            g, last, total = torch.zeros(1, SMALL.hidden), END, 0.0
            for at, piece in enumerate([*PIECES.split(name), END]):
                best, order, _, g = SpellerStep(network, len(PIECES))(
                    *arguments(network, NAMES[:4], last, g, float(at == 0))
                )
                total += float(best[0, order[0] == piece].log())
                last = piece
            assert float(log_p[row == number].sum()) == pytest.approx(total, abs=0.02 * max(1.0, abs(total)))


@pytest.fixture(scope="module")
def bundle(network: Network, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    graph, golden = graph_of(network, 8)
    table = {"pieces": PIECES.texts[1:], "recent": 4, "parts": 3, "hidden": SMALL.hidden, "beam": 8, "steps": 6}
    encoder = (Path(__file__).parents[2] / "runtime" / "data" / "step.onnx").read_bytes()
    folder = tmp_path_factory.mktemp("speller") / "toy-python-1"
    files = {f"{GRAPH}.onnx": graph, ENCODER: encoder}
    plain = write_bundle(folder, family="toy", language="python", files=files, manifest={"version": "1"})
    table |= {"encoder": plain.manifest.files[ENCODER].sha256, "least": 0.0}
    packed = folder.parent / GOLDEN
    np.savez(packed, **golden)
    return write_bundle(
        folder,
        family="toy",
        language="python",
        files={**files, TABLE: json.dumps(table).encode(), GOLDEN: packed},
        manifest={"version": "1", "graphs": {GRAPH: {"file": f"{GRAPH}.onnx"}}, "optional": [f"{GRAPH}.onnx", TABLE]},
    )


def test_onnx_says_what_torch_says(network: Network, bundle: Bundle) -> None:
    session: GraphSession = open_sessions(bundle, ON_CPU)[GRAPH]
    names = ["piece", "g", "first", "state", "memory", "before", "rank", "filled", "allowed"]
    g, last = torch.zeros(1, SMALL.hidden), END
    for at, piece in enumerate([*PIECES.split("get_readers"), END]):
        feeds = arguments(network, NAMES, last, g, float(at == 0))
        wanted = SpellerStep(network, 8)(*feeds)
        found = session.run(None, {name: value.numpy() for name, value in zip(names, feeds, strict=True)})
        for mine, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(mine, theirs.detach().numpy(), atol=1e-4)
        g, last = wanted[3].detach(), piece


STATE = np.linspace(-1, 1, SMALL.state, dtype=np.float32)[None]


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(NAMES), max_size=6, unique=True),
    st.one_of(st.just(""), st.sampled_from([name[:n] for name in NAMES for n in range(1, 5)])),
)
def test_every_spelled_name_is_an_identifier_that_begins_as_typed(
    bundle: Bundle, names: list[str], prefix: str
) -> None:
    found = Speller(bundle, ON_CPU).spell(STATE, names, prefix)
    assert found.names
    assert all(name.isidentifier() and name.startswith(prefix) for name in found.names)
    assert all(p > 0 for p in found.names.values())
    assert sum(found.names.values()) <= found.begins + 1e-5
    assert found.begins <= 1.0


def test_a_typed_letter_keeps_the_probability_of_the_names_that_have_it(bundle: Bundle) -> None:
    speller = Speller(bundle, ON_CPU)
    free = speller.spell(STATE, NAMES)
    for name, p in free.names.items():
        assert speller.spell(STATE, NAMES, name[0]).names.get(name, 0.0) == pytest.approx(p, rel=1e-3), name
    letters = [speller.spell(STATE, NAMES, letter).begins for letter in ALPHABET if not letter.isdigit()]
    digits = speller.spell(STATE, NAMES, "g0").begins
    assert 0.2 < sum(letters) <= 1.0
    assert digits < speller.spell(STATE, NAMES, "g").begins


def test_a_piece_may_reach_beyond_what_is_typed(bundle: Bundle) -> None:
    speller = Speller(bundle, ON_CPU)
    for prefix in ("ge", "get_na", "rea"):
        assert any(len(name) > len(prefix) for name in speller.spell(STATE, NAMES, prefix).names)
    assert all(name.startswith("zqzq") for name in speller.spell(STATE, [], "zqzq").names)
    assert speller.spell(STATE, [], "ä").names == {}


def test_pieces_are_learnt_from_words() -> None:
    pieces = learn_pieces(["get_user", "get_name", "set_name", "UserName"] * 30, 160)
    assert [pieces.texts[piece] for piece in pieces.split("get_name")] == ["get", "_name"]
    assert {"get", "name", "_name", "User"} <= set(pieces.texts)
    assert "get_name" not in pieces.texts


SOURCE = """class Zeppelin{n}:
    def fetch_cargo_{n}(self, cargo_weight, ballast):
        self.cargo_weight = cargo_weight
        return cargo_ballast_{n}(ballast)

    def winch_hangar_rope(self):
        winch_mooring_mast()
"""


def repository(folder: Path, numbers: range) -> None:
    folder.mkdir(parents=True)
    (folder / "LICENSE").write_text("Permission is hereby granted, free of charge, to any person obtaining a copy")
    for n in numbers:
        (folder / f"balloon{n}.py").write_text(SOURCE.replace("{n}", f"{n}"))
    identity = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "first")):
        subprocess.run(["git", *command], cwd=folder, check=True)


def test_from_a_repository_to_a_bundle(tmp_path: Path) -> None:
    """Collect with the shipped model, train, stop, go on, attach, measure."""
    repository(tmp_path / "mirror" / "pallets" / "click", range(40))
    repository(tmp_path / "mirror" / "tqdm" / "tqdm", range(50, 56))
    shipped = next(path for path in find_bundles() if path.name.startswith("spn-python"))
    folder = tmp_path / shipped.name
    shutil.copytree(shipped, folder)
    counted = collect(folder, tmp_path / "mirror", tmp_path / "data", tokens=10**6, dev_tokens=10**6)
    assert counted["train"] >= 120
    examples, names = load(tmp_path / "data", "train"), load_names(tmp_path / "data")
    said = [names[n] for n in examples.name.tolist()]
    assert any(name.startswith("fetch_cargo_") for name in said)
    assert "self" not in said
    row = next(n for n, name in enumerate(said) if name.startswith("fetch_cargo_"))
    recent = [names[n] for n in examples.recent[row].tolist() if n >= 0]
    assert recent[0].startswith("Zeppelin")
    recipe = SpellerRecipe(pieces=200, epochs=1, size=16, learning_rate=5e-3, checkpoint_every_s=0, log_every=1)
    config = SpellerConfig(embedding=24, hidden=24, attention=8)
    first = train(tmp_path / "data", tmp_path / "run", recipe, config)
    again = train(tmp_path / "data", tmp_path / "run", replace(recipe, epochs=6), config)
    steps = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    numbers = [entry["step"] for entry in steps if "bits" in entry]
    assert numbers == list(range(1, len(numbers) + 1))  # it went on where it stopped
    assert again["bits a name"] < first["bits a name"]
    made = attach(tmp_path / "run", tmp_path / "data", folder, beam=4, steps=6, least=0.0)
    assert {f"{GRAPH}.onnx", TABLE} <= made.manifest.optional
    model = LanguageModel(load_bundle(made.path), ON_CPU)
    assert model.problems == ()
    figures = spelling_figures(folder, tmp_path / "data", 20, 1)
    assert figures["names"] > 10
    assert figures["3 typed/first 5"] > 0.1  # those that every file says; the others hold the file's own number
    twice = attach(tmp_path / "run", tmp_path / "data", folder, beam=4, steps=6, least=0.0)
    assert twice.manifest.files.keys() == made.manifest.files.keys()


def test_columns_of_a_softmax_without_the_matrix() -> None:
    torch.manual_seed(0)
    x, weight, bias = torch.randn(300, 8), torch.randn(40, 8) * 0.3, torch.randn(40)
    column = torch.randint(0, 40, (300, 5))  # some twice in a row
    plain = [value.clone().requires_grad_() for value in (x, weight, bias)]
    mine = [value.clone().requires_grad_() for value in (x, weight, bias)]
    pull = torch.randn(300, 5)
    wanted = torch.log_softmax(plain[0] @ plain[1].t() + plain[2], 1).gather(1, column)
    found = log_softmax_columns(mine[0], mine[1], mine[2], column)
    (wanted * pull).sum().backward()
    (found * pull).sum().backward()
    torch.testing.assert_close(found, wanted, atol=0.03, rtol=0.01)  # products in bfloat16
    for one, other in zip(mine, plain, strict=True):
        assert one.grad is not None
        assert other.grad is not None
        assert float((one.grad - other.grad).norm() / other.grad.norm()) < 0.02


def test_bits_do_not_depend_on_the_batch(network: Network) -> None:
    table = PieceTable(NAMES, PIECES)
    n = len(NAMES)
    examples = Spellings(
        np.zeros((n, SMALL.state), np.float16),
        np.arange(n, dtype=np.int32),
        np.stack([np.roll(np.arange(n, dtype=np.int32), k)[:4] for k in range(n)]),
        np.zeros(n, np.int8),
        np.ones(n, np.bool_),
        np.zeros(n, np.int16),
    )
    whole = bits_per_name(network, examples, np.arange(n), table)["bits a name"]
    single = [bits_per_name(network, examples, np.array([k]), table)["bits a name"] for k in range(n)]
    assert math.isclose(whole, sum(single) / n, rel_tol=1e-3)
