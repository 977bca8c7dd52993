"""From git repositories to a calibrated bundle: mining, preparing, training, figures."""

from __future__ import annotations

import json
import subprocess
from itertools import count
from pathlib import Path

import pytest

pytest.importorskip("torch")

import numpy as np
from editahead.runtime.bundle import load_bundle
from editahead.runtime.ort import select_providers
from editahead.runtime.tree_generation.model import FEATURES, ProgramModel
from editahead_models.evaluate.code_actions.functions import Case, fit, same_body, served, sure_thresholds
from editahead_models.evaluate.code_actions.functions_command import counted, release
from editahead_models.treegen.functions.arrays import Cutoffs
from editahead_models.treegen.functions.mine import from_json, mine, read_project
from editahead_models.treegen.functions.pairs import FunctionLimits
from editahead_models.treegen.functions.prepare import prepare
from editahead_models.treegen.functions.train import FunctionRecipe, FunctionRun
from editahead_models.treegen.network.config import TreeGenConfig

TINY = TreeGenConfig(16, heads=2, nl_blocks=1, ast_blocks=1, decoder_blocks=1, dropout=0.0)
MIT = "Permission is hereby granted, free of charge, to any person\n"


def source(names: list[str]) -> str:
    getters = "".join(
        f"    @property\n    def {name}(self):\n        '''The {name} of it.'''\n        return self._{name}\n\n"
        for name in names
    )
    init = "".join(f"        self._{name} = {name}\n" for name in names[:3])
    long = "".join(f"        x{n} = {n}\n" for n in range(6))
    return (
        f"class Thing:\n    def __init__(self, {', '.join(names[:3])}):\n{init}\n{getters}    def long(self):\n{long}"
    )


def repository(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True)
    (folder / "LICENSE").write_text(MIT)
    (folder / "thing.py").write_text(source(names))
    (folder / "test_thing.py").write_text(source(["hidden"]))
    for command in (
        ["init", "-q"], ["add", "."],
        ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "all"],
    ):  # fmt: skip
        subprocess.run(["git", *command], cwd=folder, check=True)


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    mirror, out = tmp_path_factory.mktemp("mirror"), tmp_path_factory.mktemp("out")
    repository(mirror / "scrapy/scrapy", ["width", "height", "depth", "colour", "weight"])
    repository(mirror / "pallets/click", ["width", "length", "depth"])
    repository(mirror / "pypa/hatch", ["height", "weight", "length"])
    repository(mirror / "optuna/optuna", ["colour", "width", "depth"])
    repository(mirror / "tqdm/tqdm", ["height", "colour", "depth"])
    repository(mirror / "matplotlib/cycler", ["weight", "length", "height"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("editahead_models.treegen.functions.mine._library", list)
        mine(mirror, out / "pairs", FunctionLimits(), 100, 7)
    return mirror, out


def test_mining_keeps_projects_apart_and_tests_out(mined: tuple[Path, Path]) -> None:
    mirror, out = mined
    report = json.loads((out / "pairs" / "functions.json").read_text())
    assert counted(report)["dev"] == {
        "projects": 2, "functions": 10, "pairs": 10, "too many statements": 2
    }  # fmt: skip
    names = [row["name"] for row in read_project(out / "pairs", "scrapy/scrapy")]
    assert names == ["__init__", "width", "height", "depth", "colour", "weight"]
    held = list(served(mirror, out / "pairs", "tqdm/tqdm"))
    assert [pair.short for pair, _ in held] == [True, True, True, True, False]
    for pair, syntax in held:
        assert syntax.buffer.data.decode().count("self._") == source(["height", "colour", "depth"]).count("self._") - (
            pair.body.count("self._")
        )
    with pytest.raises(ValueError, match="other settings"):
        mine(mirror, out / "pairs", FunctionLimits(steps=5), 100, 7)


@pytest.mark.slow
def test_a_run_becomes_a_calibrated_bundle(mined: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()  # an update takes a second, however fast the machine is
    monkeypatch.setattr("time.process_time", lambda: float(next(ticks)))
    mirror, out = mined
    pairs = {
        split: {name: [from_json(row) for row in read_project(out / "pairs", name) if row["short"]]}
        for split, name in (("train", "scrapy/scrapy"), ("look", "pallets/click"))
    }
    prepare(pairs, out / "data", Cutoffs(terminal=1, symbol=1, word=1, letter=1))
    FunctionRun(out / "run", out / "data", TINY, FunctionRecipe(batch=4, rate=1e-2, minutes=0.5, warm=5, look=1)).fit()
    bundle, found = release(out / "run", out / "pairs", out / "data", mirror, out / "bundles", version="0.0.1")
    assert bundle.path.name == "treegen-python-0.0.1"
    figures = found["figures"]
    assert figures["functions"] == 10
    assert figures["projects"] <= 2
    assert figures["short"] == 0.8
    again = load_bundle(bundle.path)
    assert again.manifest["dev_projects"] == ("tqdm/tqdm", "matplotlib/cycler")
    assert [one["project"] for one in again.manifest["licences"]] == ["scrapy/scrapy"]
    assert set(again.manifest["scorer"]) == set(FEATURES)
    assert again.calibration("describe").n > 0
    model = ProgramModel(again, select_providers("cpu"))
    assert model.how.budget == 64
    pair, _ = next(served(mirror, out / "pairs", "tqdm/tqdm"))
    assert all(body.logp <= 0.0 for body in model.write(pair.description))


def case(project: str, share: float, right: bool, short: bool = True) -> Case:
    features = np.asarray([[1.0, float(np.log(share)), float(np.log(1 - share)), 2.0, 0.0]])
    return Case(project, short, True, features, np.asarray([right]), 0, False)


def test_figures_are_of_projects_that_did_not_make_the_calibration() -> None:
    found = [case(name, 0.9, True) for name in "abc" for _ in range(40)]
    found += [case(name, 0.2, False, False) for name in "abc" for _ in range(60)]
    weights, calibration, figures = fit(found, "ab", "ab")
    assert figures["functions"] == 200
    assert figures["first_right"] == 0.4
    assert figures["first_right_short"] == 1.0
    assert figures["shown_0.9"] == 0.4
    assert figures["right_0.9"] == 1.0
    assert weights["ln_p"] > 0.0
    assert calibration.threshold(0.9) <= 0.99
    # one project whose likely bodies are all wrong spoils its own figures, and the others' calibration, not its own
    odd = [case("a", 0.9, False) for _ in range(40)] + found[40:]
    figures = fit(odd, "ab", "ab")[2]
    assert figures["right_0.65"] < 0.7
    with pytest.raises(ValueError, match="two projects"):
        fit(found[:40], "a", "a")


def test_a_threshold_is_sure_of_its_precision() -> None:
    p = np.repeat([0.9, 0.6, 0.3], 40)
    right = np.concatenate([np.arange(40) < 38, np.arange(40) < 24, np.arange(40) < 4])
    at = dict(sure_thresholds(p, right))
    assert at[0.8] == 0.9  # 38 of 40
    assert at[0.95] is None  # as often was seen, but of forty
    assert at[0.65] == 0.6  # 62 of 80, surely 65 %
    assert at[0.75] == 0.9  # 62 of 80 are more, but not surely
    assert [threshold or 1.0 for threshold in at.values()] == sorted(threshold or 1.0 for threshold in at.values())
    assert dict(sure_thresholds(p[:5], right[:5]))[0.5] == 0.9


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("return self.x", "return  (self.x)", True),
        ("a = f(x)\nreturn a", "b = f(x)\nreturn b", True),
        ("a = f(x)\nreturn a", "b = f(x)\nreturn x", False),
        ("return x", "return y", False),
        ("x = x or 1\nreturn x", "y = x or 1\nreturn y", False),
        ("return 'x'", 'return "x"', True),
        ("return x.a", "return x.b", False),
    ],
)
def test_bodies_are_one_when_only_local_names_differ(first: str, second: str, same: bool) -> None:
    assert same_body(first, second, ["self", "x", "y"]) is same
