"""Functions mined as pairs, their arrays, and a model that learns them."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from editahead.encode.tree_generation.description import description_of
from editahead.grammar.tree import GrammarError
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead_models.run_folder import RunFolder
from editahead_models.treegen.functions.arrays import Cutoffs, arrays_of, example_of, load_arrays, load_vocabulary
from editahead_models.treegen.functions.mine import from_json, to_json
from editahead_models.treegen.functions.pairs import FunctionLimits, Pair, functions_of
from editahead_models.treegen.functions.prepare import prepare
from editahead_models.treegen.functions.train import FunctionRecipe, FunctionRun, likelihood
from editahead_models.treegen.network.batches import IGNORED, collate, make_row
from editahead_models.treegen.network.config import TreeGenConfig
from editahead_models.treegen.network.model import TreeGen

from tests.models.fake_device import DEVICE, NAME, FakeDevice

SOURCE = '''
class Shape:
    def __init__(self, width, height):
        self._width = width
        self._height = height

    @property
    def width(self):
        """How wide it is."""
        return self._width

    @property
    def height(self):
        """How high it is."""
        return self._height

    def area(self):
        return self._width * self._height

    def draw(self, pen):
        ...

    def wait(self):
        raise NotImplementedError

    def nested(self):
        def inner():
            return 1
        return inner

    @overload
    def scale(self, by: int) -> None: ...


def outer(shape):
    a = shape.width
    b = shape.height
    c = a + b
    d = c * 2
    return d
'''
TINY = TreeGenConfig(16, heads=2, nl_blocks=1, ast_blocks=1, decoder_blocks=1, dropout=0.0)
EVERYTHING = Cutoffs(terminal=1, symbol=1, word=1, letter=1)


def mined(limits: FunctionLimits | None = None) -> tuple[list[Pair], Counter[str]]:
    counts: Counter[str] = Counter()
    return list(functions_of(SOURCE, limits or FunctionLimits(unwritten=0.0), random.Random(1), counts)), counts


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    pairs = mined()[0]
    prepare({"train": {"a": pairs}, "look": {"b": pairs[:2]}}, tmp_path, EVERYTHING)
    return tmp_path


def test_what_is_kept_and_why_the_rest_is_not() -> None:
    pairs, counts = mined()
    assert [pair.name for pair in pairs] == ["__init__", "width", "height", "area"]
    assert [pair.documented for pair in pairs] == [False, True, True, False]
    assert pairs[1].body == "return self._width"
    assert counts == {
        "functions": 9, "pairs": 4, "no body": 1, "not implemented": 1, "definitions inside": 1, "overload": 1,
        "too many statements": 1,
    }  # fmt: skip


def test_every_body_is_kept_where_nobody_knows_how_long_it_becomes() -> None:
    pairs, _ = mined(FunctionLimits(unwritten=0.0, every=True))
    assert [pair.name for pair in pairs if not pair.short] == ["nested", "outer"]
    assert [from_json(json.loads(json.dumps(to_json(pair)))) for pair in pairs] == pairs


def test_the_body_is_cut_out_and_serving_sees_what_mining_saw() -> None:
    language = by_id("python")
    assert language is not None
    for pair in mined()[0]:
        data = SOURCE.encode()
        left = data[: pair.cut.start] + pair.cut.left.encode() + data[pair.cut.end :]
        served = SyntaxSnapshot.open(Buffer(left), language)
        assert description_of(served, pair.cut.def_byte) == pair.description
        if pair.name == "area":
            assert b"self._width * self._height" not in left


def test_arrays_give_the_batches_that_rows_give(prepared: Path) -> None:
    vocabulary = load_vocabulary(prepared)
    rows = [make_row(vocabulary, example_of(pair)) for pair in mined()[0]]
    arrays = load_arrays(prepared / "train.npz")
    ours, theirs = arrays.batch([2, 0]), collate([rows[2], rows[0]])
    for mine, other in ((ours.words, theirs.words), (ours.rules, theirs.rules)):
        assert all(torch.equal(a, b) for a, b in zip(mine, other, strict=True))
    assert torch.equal(ours.target_BT, theirs.target_BT)
    assert torch.equal(ours.right_BTL, theirs.right_BTL)
    groups = list(arrays.groups(3, random.Random(1)))
    assert sorted(n for group in groups for n in group) == list(range(len(rows)))


def test_a_function_that_needs_an_unknown_text_is_left_out(tmp_path: Path) -> None:
    pairs = mined()[0]
    strange = pairs[1]._replace(body="return surprise(self._width)")
    report = prepare({"train": {"a": [*pairs, pairs[0]]}, "look": {"b": [strange]}}, tmp_path, EVERYTHING)
    assert report["train"] == {"pairs": 4, "near duplicates": 1, "kept": 4, "of them with a text that is not learnt": 0}
    assert report["look"]["needs unknown texts"] == 1
    assert not len(load_arrays(tmp_path / "look.npz"))
    one = [*pairs[:1], strange]
    strict = Cutoffs(terminal=2, symbol=1, word=1, letter=1, unknown=1)
    report = prepare({"train": {"a": pairs[:2], "b": one}, "look": {}}, tmp_path, strict)
    assert report["train"]["of them with a text that is not learnt"] == 1
    arrays = load_arrays(tmp_path / "train.npz")
    assert (arrays.target_T == IGNORED).sum() == 1


def test_likelihood_by_parts_is_that_of_the_model(prepared: Path) -> None:
    vocabulary = load_vocabulary(prepared)
    torch.manual_seed(3)
    model = TreeGen(TINY, vocabulary).eval()
    batch = load_arrays(prepared / "train.npz").batch([0, 1, 2, 3])
    ours = likelihood(model, len(vocabulary.grammar.rules), batch)
    assert torch.allclose(ours.sort().values, model.log_likelihood(batch).sort().values, atol=1e-5)


@pytest.mark.slow
def test_a_run_learns_and_goes_on_where_it_stopped(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()  # an update takes a second, however fast the machine is
    monkeypatch.setattr("time.process_time", lambda: float(next(ticks)))
    recipe = FunctionRecipe(batch=4, rate=1e-2, minutes=0.5, look=0.25, warm=2)
    run = FunctionRun(tmp_path / "run", prepared, TINY, recipe)
    last = run.fit()
    log = RunFolder(tmp_path / "run").log()
    assert log[-1] == last
    assert len(log) == 2
    assert last["train"] < log[0]["train"]
    again = FunctionRun(tmp_path / "run", prepared, TINY, recipe)
    assert again.state == run.state
    assert again.fit() == last
    with pytest.raises(ValueError, match="other settings"):
        FunctionRun(tmp_path / "run", prepared, TINY, FunctionRecipe(batch=3))


def test_only_rules_that_a_search_may_use_are_mined() -> None:
    counts: Counter[str] = Counter()
    list(functions_of("def f(x):\n    return x\n", FunctionLimits(), random.Random(1), counts))
    assert counts["pairs"] == 1
    with pytest.raises((SyntaxError, GrammarError)):
        list(functions_of("def f(x:\n", FunctionLimits(), random.Random(1), counts))


def test_no_arrays_of_nothing_are_mixed_up() -> None:
    vocabulary_pairs = mined()[0][:1]
    example = example_of(vocabulary_pairs[0])
    from editahead_models.treegen.functions.arrays import vocabulary_of

    row = make_row(vocabulary_of([[example]], EVERYTHING), example)
    arrays = arrays_of([row, row])
    assert len(arrays) == 2
    assert arrays.sizes[0].tolist() == arrays.sizes[1].tolist() == [len(row.targets), len(row.words)]


def test_a_run_keeps_to_its_device(prepared: Path, tmp_path: Path) -> None:
    with FakeDevice() as gpu:
        run = FunctionRun(tmp_path / "run", prepared, TINY, FunctionRecipe(batch=4, minutes=1e-4, look=1), NAME)
        run.fit()
        assert {parameter.device for parameter in run.model.parameters()} == {DEVICE}
    assert gpu.calls > 100
