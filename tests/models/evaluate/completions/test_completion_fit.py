"""From projects and a bundle to fitted weights and calibrations in its manifest, and what the fits are given."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.language_model.mixture import GATE_FEATURES, NAME_FEATURES, NONE_FEATURES
from editahead.runtime.language_model.ngrams import LINE_END
from editahead.suggest.engine import Engine
from editahead.syntax.language import by_id
from editahead_models.evaluate import calibrate
from editahead_models.evaluate.completions.completion_fit import (
    Answer,
    fit_calibrations,
    folds,
    name_choice,
)
from editahead_models.evaluate.fitting.calibration_fit import reliability
from editahead_models.evaluate.places import evidence
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import Sample

PYTHON = by_id("python")
FILES = {
    "shop/cart.py": """class ShoppingCart:
    def __init__(self, customer_key, warehouse):
        self.customer_key = customer_key
        self.warehouse = warehouse
        self.cart_lines = []

    def add_line(self, cart_line):
        self.cart_lines.append(cart_line)
        return self.warehouse.reserve_stock(cart_line)
""",
    "shop/stock.py": """from shop.cart import ShoppingCart


def reserve_all(warehouse, cart_lines):
    shopping = ShoppingCart(None, warehouse)
    for cart_line in cart_lines:
        shopping.add_line(cart_line)
    return shopping
""",
}


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mirror")
    for name in ("davidhalter/jedi", "tqdm/tqdm", "pypa/hatch", "optuna/optuna"):
        folder = root / name
        for path, text in FILES.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            other = text.replace("warehouse", "depot")
            (folder / path).write_text(text if name in ("tqdm/tqdm", "pypa/hatch") else other)
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "first")):
            subprocess.run(["git", *command], cwd=folder, check=True)
    return root


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shipped = next(path for path in find_bundles() if path.name.startswith("spn-python-"))
    return Path(shutil.copytree(shipped, tmp_path_factory.mktemp("bundles") / shipped.name))


@pytest.fixture(scope="module")
def engine(bundle: Path) -> Engine:
    return Engine.load([bundle], "cpu", lambda text, share: None)


def samples(path: str, word: str) -> list[Sample]:
    content = FILES[path].encode()
    at = content.rindex(word.encode())
    return [Sample("tqdm/tqdm", content, at, at + len(word), True, path)]


def test_a_neighbourhood_leaves_the_file_itself_out() -> None:
    assert PYTHON is not None
    around = Neighbourhood([(path, text.encode()) for path, text in FILES.items()], PYTHON)
    found = around.around("shop/stock.py").names("re")
    assert set(found) == {"reserve_stock"}
    assert (found["reserve_stock"].where, found["reserve_stock"].files) == ("shop/cart.py", 1)
    assert set(around.around("shop/cart.py").names("re")) == {"reserve_all"}  # and the first file is back
    assert around.around("shop/cart.py", opened=1).names("re")["reserve_all"].source == "open"


def test_a_name_is_asked_for_with_none_to_three_letters_in_cut_and_whole_files(engine: Engine, mirror: Path) -> None:
    assert PYTHON is not None
    model = engine.language_model("python")
    assert model is not None
    around = evidence.neighbourhoods(PYTHON, mirror, "dev")
    asked = list(evidence.ask(model, samples("shop/stock.py", "add_line"), PYTHON, around, 1, typed=True))
    assert [one.letters for one in asked][:4] == [0, 0, 1, 1]
    assert {one.whole for one in asked} == {False, True}
    assert all(one.truth == "add_line" for one in asked)
    cut = next(one for one in asked if not one.whole and one.letters == 1)
    choice = name_choice(model, cut)
    assert choice is None or choice.right is None or list(cut.evidence.outside.origins)[choice.right] == "add_line"
    for one in asked:
        row = evidence.gate_row(model, one)
        if row is not None:
            features, own, said = row
            assert len(features) == len(GATE_FEATURES)
            assert 0 <= own <= 1 + 1e-9
            assert 0 <= said <= 1 + 1e-9


def test_a_line_start_asks_what_comes_where_the_line_before_ends(engine: Engine, mirror: Path) -> None:
    assert PYTHON is not None
    model = engine.language_model("python")
    assert model is not None
    content = FILES["shop/stock.py"].encode()
    at = content.index(b"    return")
    start = [Sample("tqdm/tqdm", content, at, at + 4, False, "shop/stock.py")]
    asked = list(evidence.ask(model, start, PYTHON, evidence.neighbourhoods(PYTHON, mirror, "dev"), 1, typed=False))
    assert len(asked) == 2
    for one in asked:
        assert one.truth == LINE_END
        assert [token.text for token in one.evidence.cursor.lines[-1]][-2:] == ["cart_line", ")"]


@pytest.mark.slow
def test_a_bundle_is_fitted_and_loads(bundle: Path, mirror: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calibrate.main(bundle, mirror, None, 30, 3)
    fitted = load_bundle(bundle)
    assert set(fitted.manifest.limits["cache_gate"]) == set(GATE_FEATURES)
    assert set(fitted.manifest.limits["elsewhere"]) == {*NAME_FEATURES, *NONE_FEATURES}
    assert "cache_weights" not in fitted.manifest.limits
    surfaces = {"completion", "completion_next", "completion_typed", "completion_typed_next"}
    assert surfaces <= set(fitted.manifest.calibrations)
    assert fitted.manifest.metrics["calibration/crossed/n"] > 0
    assert "crossed/ECE" in capsys.readouterr().out
    assert json.loads((bundle / "manifest.json").read_text())["limits"]["slots"] == fitted.manifest.limits["slots"]
    engine = Engine.load([bundle], "cpu", lambda text, share: None)
    model = engine.language_model("python")
    assert model is not None, engine.report().failures
    assert model.gate.weights


@pytest.mark.slow
def test_ghost_text_is_fitted_again_without_asking_again(
    bundle: Path, mirror: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, kept = load_bundle(bundle).manifest, tmp_path / "kept.json"
    calibrate.main(bundle, mirror, None, 40, 3, ghost_text_only=True, kept=kept)
    first = load_bundle(bundle).manifest
    calibrate.main(bundle, tmp_path / "nothing", None, 40, 3, ghost_text_only=True, kept=kept)
    again = load_bundle(bundle).manifest
    assert again.calibrations == first.calibrations
    assert again["ghost_text"] == first["ghost_text"]
    assert {"inline", "inline_typed"} <= set(first.calibrations)
    completions = {name for name in before.calibrations if name.startswith("completion")}
    assert {name: first.calibrations[name] for name in completions} == {
        name: before.calibrations[name] for name in completions
    }
    assert "inline at 0.8, crossed by project" in capsys.readouterr().out


def test_first_choices_and_those_behind_them_are_calibrated_apart() -> None:
    lists = [Answer("a", typed, (0.5, 0.3), right) for typed in (False, True) for right in (0, 0, 1, None)]
    fitted = fit_calibrations(lists)
    assert fitted["completion"].apply(0.5) == pytest.approx(0.5)
    assert fitted["completion_next"].apply(0.3) == pytest.approx(0.25)


def test_each_project_is_held_out_once() -> None:
    parts = folds(["a", "b", "c", "d", "e"])
    assert sorted(name for part in parts for name in part) == ["a", "b", "c", "d", "e"]
    assert len(parts) == 4
    assert folds(["a"]) == []


def test_reliability_knows_what_chance_alone_would_show() -> None:
    few = reliability([(0.5, n % 2 == 0) for n in range(20)])
    many = reliability([(0.5, n % 2 == 0) for n in range(2000)])
    assert few["ECE"] == many["ECE"] == 0
    assert many["ECE by chance"] < few["ECE by chance"]
