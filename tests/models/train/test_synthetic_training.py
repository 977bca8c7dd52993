"""Training on the synthetic suite: resumable to the bit, a table that goes on where it was, and its commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from editahead_models.__main__ import run_verb  # noqa: E402
from editahead_models.data.synthetic.instances import read_instances, write_instances  # noqa: E402
from editahead_models.data.synthetic.prepare import prepare  # noqa: E402
from editahead_models.data.synthetic.tasks import MAIN_TASKS  # noqa: E402
from editahead_models.evaluate.edit_models.synthetic_file import figures  # noqa: E402
from editahead_models.evaluate.edit_models.synthetic_scaling import with_ratios  # noqa: E402
from editahead_models.families.pomp import Pomp  # noqa: E402
from editahead_models.train.synthetic import SyntheticRecipe, load_model, train  # noqa: E402
from editahead_models.train.synthetic_table import Budget, run_table  # noqa: E402

SIZES = {"train": 40, "dev": 8, "test": 8}
DEBUG = SyntheticRecipe("IA-ag", hidden=16, batch=8, steps=8, evaluate_every=3)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    prepare("MetaContextAppend11", folder, SIZES, 1)
    return folder


def weights(run: Path) -> dict[str, torch.Tensor]:
    found: dict[str, torch.Tensor] = torch.load(run / "last.pt", weights_only=True)["model"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("family", ["E", "IR", "IA-ag"])
def test_a_stopped_run_goes_on_to_the_same_weights(family: str, data: Path, tmp_path: Path) -> None:
    recipe = replace(DEBUG, family=family)
    at_once = train(data, tmp_path / "once", recipe)
    train(data, tmp_path / "twice", replace(recipe, steps=4))
    in_two = train(data, tmp_path / "twice", recipe)
    first, second = weights(tmp_path / "once"), weights(tmp_path / "twice")
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert at_once["steps_done"] == in_two["steps_done"] == 8
    assert at_once["epochs"] == in_two["epochs"] == pytest.approx(1.6)
    other = train(data, tmp_path / "other", replace(recipe, seed=2))
    assert other["dev"] != at_once["dev"]


_AGAIN = """
import sys
from pathlib import Path
import torch
from editahead_models.train.synthetic import SyntheticRecipe, train
torch.set_num_threads(1)
train(Path(sys.argv[1]), Path(sys.argv[2]), SyntheticRecipe("IR", hidden=16, batch=8, steps=8, evaluate_every=3))
"""


@pytest.mark.slow
def test_another_process_learns_the_same_bytes(data: Path, tmp_path: Path) -> None:
    train(data, tmp_path / "here", replace(DEBUG, family="IR"))
    command = [sys.executable, "-c", _AGAIN, str(data), str(tmp_path / "there")]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    first, second = weights(tmp_path / "here"), weights(tmp_path / "there")
    assert all(first[name].numpy().tobytes() == second[name].numpy().tobytes() for name in first)


def test_time_that_is_over_keeps_a_run_that_can_be_measured(data: Path, tmp_path: Path) -> None:
    cut = train(data, tmp_path, DEBUG, minutes=0)
    assert (cut["stopped"], cut["finished"], cut["steps_done"]) == ("minutes", False, 0)
    whole = train(data, tmp_path, DEBUG)
    assert (whole["stopped"], whole["finished"], whole["steps_done"]) == ("steps", True, 8)
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [record["step"] for record in logged] == [0, 3, 6, 8]
    best = max(logged, key=lambda record: record["dev"]["joint"])
    assert whole["best_step"] == best["step"]
    assert whole["dev"] == best["dev"]
    with pytest.raises(ValueError, match="other settings"):
        train(data, tmp_path, replace(DEBUG, rate=0.1))


def test_patience_ends_a_run_that_learns_nothing(data: Path, tmp_path: Path) -> None:
    done = train(data, tmp_path, replace(DEBUG, rate=0.0, steps=1000, evaluate_every=1, patience=2))
    assert (done["stopped"], done["steps_done"], done["best_step"]) == ("patience", 3, 1)


@pytest.mark.slow
def test_a_table_goes_on_where_it_was(tmp_path: Path) -> None:
    recipes = [replace(DEBUG, family=name, steps=2) for name in ("IA-v", "IR", "POMP")]
    tasks = ["Append1", "MultiTask"]

    def again(recipes: list[SyntheticRecipe], budget: Budget | None = None) -> list[tuple[str, str, bool]]:
        table = run_table(tmp_path, tasks, recipes, budget or Budget(), sizes=SIZES)
        return [(cell["task"], cell["family"], cell["finished"]) for cell in table]

    assert again(recipes, Budget(total=0)) == []
    assert again(recipes[:1], Budget(cell=0)) == [("Append1", "IA-v", False), ("MultiTask", "IA-v", False)]
    assert again(recipes) == [(task, name, True) for task in tasks for name in ("IA-v", "IR", "POMP")]
    assert again(recipes) == []
    assert again([replace(recipes[0], steps=3)]) == [("Append1", "IA-v", True), ("MultiTask", "IA-v", True)]
    metrics = json.loads((tmp_path / "cells/Append1/IR/h16-r0.001-s1/metrics.json").read_text())
    assert metrics["data"] == json.loads((tmp_path / "data/Append1/task.json").read_text())["data"]
    assert {"seed", "threads", "instructions", "torch", "commit", "minutes", "parameters"} <= set(metrics)
    pomp = json.loads((tmp_path / "cells/MultiTask/POMP/all/metrics.json").read_text())["test"]
    assert pomp["mean_of_tasks"] == pytest.approx(sum(pomp["by_task"].values()) / len(pomp["by_task"]), abs=1e-5)
    assert pomp["by_task"].keys() <= set(MAIN_TASKS)
    with pytest.raises(ValueError, match="other settings"):
        list(run_table(tmp_path, tasks, [replace(recipes[0], seed=5)], Budget(), sizes=SIZES | {"dev": 9}))


@pytest.mark.slow
def test_the_minutes_of_a_cell_are_those_of_all_calls(tmp_path: Path) -> None:
    long = replace(DEBUG, steps=10_000, evaluate_every=20, patience=10_000)

    def trained(minutes: float) -> list[int]:
        table = run_table(tmp_path, ["Append1"], [long], Budget(cell=minutes), sizes=SIZES)
        return [int(cell["steps_done"]) for cell in table]

    (first,) = trained(0.02)
    assert first > 0
    assert trained(0.02) == []
    (more,) = trained(0.04)
    assert more > first


@pytest.mark.slow
def test_cells_of_an_earlier_folder_are_not_run_again(tmp_path: Path) -> None:
    recipe = replace(DEBUG, steps=2)

    def trained(folder: str, recipe: SyntheticRecipe, stored: list[dict[str, Any]]) -> list[dict[str, Any]]:
        tasks = ["Append1", "Delete2"]
        return list(run_table(tmp_path / folder, tasks, [recipe], Budget(), sizes=SIZES, stored=stored))

    cells = trained("first", recipe, [])
    assert [cell["task"] for cell in trained("second", recipe, cells[:1])] == ["Delete2"]
    assert trained("third", recipe, cells) == []
    assert len(trained("more steps", replace(recipe, steps=3), cells)) == 2
    assert len(trained("other seed", replace(recipe, seed=2), cells)) == 2


def test_a_run_is_scored_on_any_file(data: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    done = train(data, run, DEBUG)
    found = figures(run, data / "test.jsonl")
    assert {name: round(value, 5) for name, value in found.items()} == done["test"]
    longer = prepare("Surround33", tmp_path / "longer", {"test": 4}, 1)
    assert figures(run, tmp_path / "longer" / "test.jsonl")["edits"] > 200, longer
    plain = [i._replace(task="", matched=(), replacements=()) for i in read_instances(data / "test.jsonl")]
    write_instances(tmp_path / "plain.jsonl", plain)
    assert figures(run, tmp_path / "plain.jsonl")["joint"] == found["joint"]
    Pomp(frozenset(), 11).save(tmp_path / "pomp.json")
    assert figures(tmp_path, data / "test.jsonl") == {"joint": pytest.approx(1 / 11)}


def test_unfit_runs_and_files_are_one_line(data: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "other.jsonl").write_text('{"initial": ["A", "?"], "edits": [[1, 1, "A"]]}\n')
    train(data, tmp_path / "IR", replace(DEBUG, family="IR", steps=1))
    prepare("Surround33", tmp_path / "longer", {"test": 2}, 1)
    for run, file, fault in [
        ("IR", "empty.jsonl", "holds no instances"),
        ("IR", "other.jsonl", "not among the 10"),
        ("IR", "longer/test.jsonl", "learns a row per position"),
        ("none", "other.jsonl", "is no cell of"),
    ]:
        with pytest.raises(ValueError, match=fault):
            figures(tmp_path / run, tmp_path / file)
    with pytest.raises(ValueError, match="learns a row per position"):
        load_model(tmp_path / "IR", read_instances(tmp_path / "longer" / "test.jsonl"))


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """prepare synthetic, train synthetic and evaluate, as a person calls them."""

    def call(line: str) -> tuple[int, str]:
        verb, *arguments = line.split()
        with pytest.raises(SystemExit) as ended:
            run_verb(verb, arguments)
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out + shown.err

    for line in (f"--task Delete2 --out {tmp_path}/a --train 3 --dev 2 --test 2", f"--task Flip99 --out {tmp_path}/b"):
        code, shown = call(f"prepare synthetic {line}")
        assert (code, "unknown task 'Flip99'" in shown) == ((0, False) if "Delete2" in line else (2, True))
    small = f"--out {tmp_path}/runs --train-size 16 --held-out 4 --hidden 16 --steps 2"
    code, shown = call(f"train synthetic {small} --tasks Append1,MetaAppend1 --families IA-a,POMP")
    assert code == 0
    cells = [json.loads(line) for line in shown.splitlines()]
    assert [(cell["task"], cell["family"]) for cell in cells] == [
        (task, family) for task in ("Append1", "MetaAppend1") for family in ("IA-a", "POMP")
    ]
    run = next((tmp_path / "runs/cells/Append1/IA-a").iterdir())
    code, shown = call(f"evaluate {run} --task {tmp_path}/runs/data/Append1/test.jsonl")
    assert (code, json.loads(shown)["joint"]) == (0, pytest.approx(cells[0]["test"]["joint"], abs=1e-5))
    code, shown = call(f"evaluate {tmp_path} --task {tmp_path}/runs/data/Append1/test.jsonl")
    words = " ".join(shown.replace("│", " ").split())  # the message breaks where the screen ends
    assert (code, "is no cell" in words) == (2, True)
    for wrong in ("--tasks Append9", "--families IB", "--families ,"):
        code, shown = call(f"train synthetic {small} {wrong}")
        assert (code, "unknown" in shown) == (2, True)


def test_scaling_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One point a family and number of insertions; ratios are against IA-ag at the same size."""
    line = f"scaling --out {tmp_path} --hidden 8 --families IR,IA-ag --steps 1 --batch 2"
    with pytest.raises(SystemExit) as ended:
        run_verb("evaluate", line.split())
    assert not ended.value.code
    points = json.loads((tmp_path / "scaling.json").read_text())
    assert [(point["family"], point["insertions"]) for point in points] == [
        (family, count) for count in (10, 50, 100) for family in ("IR", "IA-ag")
    ]
    assert all(point["seconds_per_128"] > 0 and point["steps"] == 1 and point["clock"] == "CPU" for point in points)
    assert not any("error_per_128" in point for point in points)  # of one update there is none
    with pytest.raises(SystemExit):
        run_verb("evaluate", f"scaling --out {tmp_path} --hidden 8 --families IR,E --steps 2 --batch 2".split())
    again = json.loads((tmp_path / "scaling.json").read_text())
    assert again[: len(points)] == points  # an interrupted run goes on: what was measured stays
    assert [(point["family"], point["error_per_128"] > 0) for point in again[len(points) :]] == [("E", True)] * 3
    plain = [
        {"family": family, "hidden": 8, "insertions": 10, "device": "cpu", "seconds_per_128": seconds}
        for family, seconds in (("E", 6.0), ("IA-ag", 2.0))
    ]
    assert [point["ratio"] for point in with_ratios(plain)] == [3.0, 1.0]
    assert with_ratios(plain[:1]) == plain[:1]
