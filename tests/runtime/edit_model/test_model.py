"""The edit model in ONNX Runtime.

The cached pass equals torch's full pass, decoder states are values, contents can be written.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from editahead.encode.edit_model.sequences import EditState, displacement_bins  # noqa: E402
from editahead.encode.edit_model.tokens import (  # noqa: E402
    SPECIALS,
    EditToken,
    EditVocab,
)
from editahead.encode.edit_model.window import END, SENTINELS, START, Window  # noqa: E402
from editahead.runtime.bundle import Bundle, BundleError, load_bundle  # noqa: E402
from editahead.runtime.edit_model.model import EditModel  # noqa: E402
from editahead.runtime.edit_model.states import DecoderState  # noqa: E402
from editahead.runtime.ort import Cancel, Cancelled, select_providers  # noqa: E402
from editahead_models.export.edits import export  # noqa: E402
from editahead_models.families.implicit_attention import ImplicitAttention  # noqa: E402
from editahead_models.families.implicit_config import ImplicitConfig  # noqa: E402

WORDS = ["self", "(", ")", ".", ",", "=", "\n+0", "\n+4", "\n-4", "return", "def", ":", "x", "y", "print"]


OPTIONS = {
    "shipped": {},
    "other-sizes": {"identities": 700, "max_state": 80},
}


@pytest.fixture(scope="module", params=list(OPTIONS))
def torch_model(request: pytest.FixtureRequest) -> ImplicitAttention:
    torch.manual_seed(3)
    torch.set_num_threads(1)
    vocab = EditVocab([*SPECIALS, *WORDS])
    model = ImplicitAttention(ImplicitConfig.product(len(vocab), 32, **OPTIONS[request.param])).eval()
    with torch.no_grad():
        for table in (model.position_replay.same.weight, model.content_replay.table.weight, model.stop_key):
            table.normal_()
    return model


@pytest.fixture(scope="module")
def bundle(torch_model: ImplicitAttention, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    folder = tmp_path_factory.mktemp("bundles")
    return export(
        torch_model, [*SPECIALS, *WORDS], folder, version="0", manifest={"limits": {"window": 64, "max_edits": 128}}
    )


@pytest.fixture(scope="module")
def model(bundle: Bundle) -> EditModel:
    return EditModel(bundle, select_providers("cpu"))


def window(size: int, seed: int = 0) -> Window:
    rng = random.Random(seed)
    names = [*WORDS, "unlisted", "otherName", "value_2"]
    keys = (START, EditToken("\n+0", 0), *(EditToken(rng.choice(names), rng.randrange(2)) for _ in range(size)), END)
    return Window((), keys, {})


def random_edits(n0: int, count: int, seed: int) -> list[tuple[int, EditToken | None, bool]]:
    rng = random.Random(seed)
    state = EditState(n0)
    edits: list[tuple[int, EditToken | None, bool]] = []
    for _ in range(count):
        delete = rng.random() < 0.4 and len(state.names) > 4
        name = rng.choice(state.names[1:-1] if delete else state.names[:-1])
        key = None if delete else EditToken(rng.choice([*WORDS, "freshName", "unlisted"]), rng.randrange(3))
        state.apply(name, key)
        if key is not None and key.text.startswith("\n"):
            key = EditToken(key.text, 0)  # blanks never stand before a line end
        edits.append((name, key, rng.random() < 0.3))
    return edits


def follow(
    model: EditModel, decoder: DecoderState, edits: list[tuple[int, EditToken | None, bool]]
) -> list[DecoderState]:
    decoders = [decoder]
    for name, key, start in edits:
        decoders.append(model.append(decoders[-1], name, key, start=start))
    return decoders


def full_pass(
    network: ImplicitAttention,
    model: EditModel,
    decoders: list[DecoderState],
    edits: list[tuple[int, EditToken | None, bool]],
) -> dict[str, torch.Tensor]:
    """The same sequence through torch at once."""
    last, encoded = decoders[-1], decoders[0].encoded
    n, t = encoded.size, len(edits)
    vocab = model.vocab
    tok, sub = vocab.features(key.text for key in encoded.window.keys)
    contents = [
        (vocab.features([key.text]) if key else (np.asarray([1]), np.zeros((1, 4), dtype=np.int64)))
        for _, key, _ in edits
    ]
    live = np.zeros((t + 1, n + t + 1), dtype=bool)
    bins = np.zeros((t + 1, n + t), dtype=np.int64)
    for time, decoder in enumerate(decoders):
        live[time, decoder.state.names] = True
        live[time, [n - 1, -1]] = [False, True]
        bins[time] = displacement_bins(
            np.asarray(decoder.state.names), n + t, decoder.edits[-1] if decoder.edits else None
        )
    arrays = {
        "tok": tok,
        "sub": sub,
        "lid": encoded.lid,
        "gap": np.asarray([key.gap for key in encoded.window.keys]),
        "state_mask": np.ones(n, dtype=bool),
        "c_tok": np.concatenate([ids for ids, _ in contents]),
        "c_sub": np.concatenate([parts for _, parts in contents]),
        "c_lid": np.asarray([last.lids[key.text] if key else 0 for _, key, _ in edits]),
        "c_gap": np.asarray([key.gap if key else 0 for _, key, _ in edits]),
        "name": np.asarray([name for name, _, _ in edits]),
        "root": np.asarray([edit.root for edit in last.edits]),
        "index": np.asarray([edit.at for edit in last.edits]),
        "start": np.asarray([int(start) for _, _, start in edits]),
        "edit_mask": np.ones(t, dtype=bool),
        "live": live,
        "bins": bins,
    }
    with torch.no_grad():
        return network({key: torch.from_numpy(np.asarray(value))[None] for key, value in arrays.items()})


def content_logp(model: EditModel, decoder: DecoderState, name: int, key: EditToken | None) -> float:
    return model.logp(model.score_contents(decoder, [name]), 0, key)


@pytest.mark.slow
def test_cached_rows_equal_the_full_pass_over_a_hundred_edits(torch_model: ImplicitAttention, model: EditModel) -> None:
    start = model.begin(model.encode(window(40)))
    edits = random_edits(start.encoded.size, 100, seed=4)
    decoders = follow(model, start, edits)
    out = full_pass(torch_model, model, decoders, edits)
    for time, decoder in enumerate(decoders[1:], start=1):
        wanted = out["position"][0, time].numpy()
        columns = [*range(decoder.encoded.size + time), -1]
        assert decoder.position is not None
        possible = wanted[columns] > -1e8
        np.testing.assert_allclose(decoder.position[possible], wanted[columns][possible], atol=1e-4)
        assert (decoder.position[~possible] < -1e8).all()
        if time < len(edits):
            name, key, _ = edits[time]
            if key is not None and key.text not in model.vocab.tokens and key.text not in decoder.lids:
                continue  # torch scores the class "new", the product offers only what it can write
            gap = 0.0 if key is None or key.text.startswith("\n") else float(out["gap"][0, time, key.gap])
            assert content_logp(model, decoder, name, key) == pytest.approx(
                float(out["content"][0, time]) + gap, abs=1e-4
            )


def test_golden_values_and_size(bundle: Bundle) -> None:
    assert set(bundle.manifest.graphs) == {"encode", "step", "what", "gap"}
    assert "golden.npz" in bundle.manifest.files


def test_a_trail_is_a_value(model: EditModel) -> None:
    start = model.begin(model.encode(window(20)))
    one = model.append(start, 3, EditToken("x", 1), start=True)
    left = model.append(one, 5, None, start=True)
    right = model.append(one, one.encoded.size, EditToken("y", 0), start=False)
    again = model.append(one, 5, None, start=True)
    assert one.state.steps == 1
    assert left.position is not None
    assert again.position is not None
    np.testing.assert_array_equal(left.position, again.position)
    assert right.state.names != left.state.names
    assert start.position is None


def test_positions_are_live_and_sum_to_one(model: EditModel) -> None:
    decoder = follow(model, model.begin(model.encode(window(30))), random_edits(33, 20, seed=8))[-1]
    assert decoder.position is not None
    shares = np.exp(decoder.position)
    assert shares.sum() == pytest.approx(1.0, abs=1e-4)
    dead = set(range(len(shares) - 1)) - set(decoder.state.names) | {decoder.encoded.size - 1}
    assert shares[sorted(dead)].max() == 0.0
    with pytest.raises(ValueError, match="not in list"):
        model.append(decoder, next(name for name in dead if name != decoder.encoded.size - 1), None, start=True)


def test_contents_can_be_written(model: EditModel) -> None:
    decoder = model.append(model.begin(model.encode(window(30))), 4, EditToken("unlisted", 1), start=True)
    names = decoder.state.names[1:6]
    for name, offered in zip(names, model.contents(decoder, names, 6), strict=True):
        assert [content.logp for content in offered] == sorted((c.logp for c in offered), reverse=True) or len(
            offered
        ) > 1
        assert sum(np.exp(content.logp) for content in offered) <= 1.0 + 1e-5
        for content in offered:
            assert content.key is None or (content.key not in SENTINELS and content.key.text not in SPECIALS)
            assert content.logp == pytest.approx(content_logp(model, decoder, name, content.key), abs=1e-4)
    with pytest.raises(ValueError, match="need an edit"):
        model.contents(model.begin(decoder.encoded), [2])


def test_a_token_seen_nowhere_has_no_share(model: EditModel) -> None:
    decoder = model.append(model.begin(model.encode(window(30))), 4, None, start=True)
    assert content_logp(model, decoder, 6, EditToken("neverSeen", 0)) < -20


def test_a_cancelled_request_stops(model: EditModel) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        model.encode(window(10), cancel)


def test_a_bundle_without_its_graphs_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    copy = tmp_path / bundle.path.name
    copy.mkdir()
    for file in bundle.path.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    (copy / "what.onnx").write_bytes(b"\0" * bundle.manifest.files["what.onnx"].bytes)
    with pytest.raises(BundleError, match="SHA-256"):
        load_bundle(copy)
    with pytest.raises(BundleError, match="opens"):
        EditModel(load_bundle(copy, verify=False), select_providers("cpu"))


def test_a_step_has_few_operators_since_it_costs_their_number(bundle: Bundle, tmp_path: Path) -> None:
    onnx, ort = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    options = ort.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "step.onnx")
    options.log_severity_level = 4  # such a file is for this machine alone
    ort.InferenceSession(str(bundle.file(bundle.manifest.graphs["step"].file)), options)
    assert len(onnx.load(str(tmp_path / "step.onnx")).graph.node) <= 270
