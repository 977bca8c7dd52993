"""The page of the synthetic suite: figures beside the paper's, claims from figures alone, pictures drawn alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from editahead_models.data.synthetic.tasks import MAIN_TASKS, MULTI_TASK, PATTERN_TASKS
from editahead_models.report import edit_models


def cell(
    task: str, family: str, joint: float, *, dev: float = 0.5, stopped: str = "patience", seed: int = 1, **more: float
) -> dict[str, Any]:
    test = {"joint": joint, "position": joint, "content": 1.0, "after_first": joint / 2, **more}
    return {
        "task": task, "family": family, "finished": stopped != "minutes", "stopped": stopped, "seed": seed,
        "dev": {"joint": dev}, "test": test,
        "hidden": 128, "rate": 0.001, "steps_done": 10, "best_step": 5, "minutes": 1.5,
        "commit": "abc1234",
    }  # fmt: skip


def point(family: str, insertions: int, seconds: float) -> dict[str, Any]:
    return {
        "family": family, "insertions": insertions, "hidden": 128, "batch": 64, "steps": 9, "seconds_per_128": seconds,
        "ratio": seconds / 2, "threads": 1, "device": "cpu", "clock": "CPU",
    }  # fmt: skip


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A runs folder with a few made-up cells."""
    cells = [
        cell("MetaFlip11", "IA-ag", 0.9, seed=1),
        cell("MetaFlip11", "IA-ag", 0.95, dev=0.4, seed=2),
        cell("MetaFlip11", "IR", 0.11),
        cell("Flip33", "IA-ag", 0.5, stopped="minutes"),
        cell("Flip33", "E", 0.55),
        cell("Flip33", "POMP", 0.118),
        cell("Append3", "IA-ag", 0.875),
        cell("MultiTask", "IA-ag", 0.5, mean_of_tasks=0.25),
        cell("MultiTask", "IR", 0.4),
        cell("MetaReplace2", "IA-ag", 0.99),
        cell("MetaReplace2", "IR", 0.77, stopped="steps"),
    ]
    for number, found in enumerate(cells):
        folder = tmp_path / "runs" / "cells" / found["task"] / found["family"] / str(number)
        folder.mkdir(parents=True)
        (folder / "metrics.json").write_text(json.dumps(found))
    points = [point("E", 10, 6.0), point("IR", 10, 1.0), point("IA-ag", 10, 2.0)]
    (tmp_path / "runs" / "scaling.json").write_text(json.dumps(points))
    return tmp_path / "runs"


def row(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"| {start} "))


def test_measured_stands_beside_published(runs: Path) -> None:
    text = edit_models.markdown(runs)

    def starts(name: str, cells: str) -> None:
        assert row(text, name).startswith(f"| {name} | {cells} | ")

    starts("MetaFlip11", "- / 100 | - / 99.1 | 11.0 / 10 | 90.0 / 92.4")  # best on dev
    starts("Flip33", "11.8 / 11.8 | 55.0 / 98.7 | - / 76.8 | 50.0* / 98.3")
    starts("MetaReplace2", "- / 100 | - / 99.8 | 77.0† / 93.7 | 99.0 / 98.5")
    starts("over edits", "- / - | - / 50 | 40.0 / 43.2 | 50.0 / 53.7")
    starts("over tasks", "- / - | - / 50 | - / 43.2 | 25.0 / 53.7")
    starts("Append3", "- / 100 | - / 100 | - / 99.9 | 87.5 / 100")
    assert "IA-ag 25.0." in text  # after the first replacement


def test_a_row_says_whether_it_decides(runs: Path) -> None:
    text = edit_models.markdown(runs)

    def told(task: str) -> str:
        return row(text, task).split(" | ")[-1].removesuffix(" |")

    assert told("MetaFlip11") == "decides, because IR and IA-ag ended at rest or after enough updates; absent: POMP, E"
    assert told("Flip33") == "thin, because IA-ag had 10 updates; absent: IR"
    assert told("MetaReplace2") == "thin, because IR had 10 updates; absent: POMP, E"
    assert told("Delete2") == "absent, because nothing was run"


def test_claims_follow_the_figures(runs: Path) -> None:
    found = dict(edit_models.claims(edit_models.read_runs(runs)))
    assert list(found.values()) == [
        "1 of 3 tasks measured", "1 of 1 tasks measured; 1 left out: one of the two had a fixed number of updates",
        "1 of 1 tasks measured", "0 of 1 tasks measured", "1 of 1 sizes", "0 of 1 sizes",
    ]  # fmt: skip
    sure = [point("IR", 10, 2.1) | {"error_per_128": 0.01}, point("E", 10, 6.0), point("IA-ag", 10, 2.0)]
    unsure = [sure[0] | {"error_per_128": 0.1}, *sure[1:]]
    told = [list(edit_models.claims({"cells": [], "scaling": points}))[-1][1] for points in (sure, unsure)]
    assert told == ["1 of 1 sizes", "0 of 1 sizes"]  # a tenth of a second is five errors, or one
    nothing = dict(edit_models.claims({"cells": [], "scaling": []}))
    assert set(nothing.values()) == {"not measured"}


def test_the_page_is_written_from_saved_figures(runs: Path, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    assert edit_models.write(docs, docs / "data") is None
    assert edit_models.take_in(runs, docs / "data") == 11
    page = edit_models.write(docs, docs / "data")
    assert page is not None
    assert page.read_text() == edit_models.markdown(runs)
    pictures = {name: (docs / name).read_bytes() for name in ("edit-accuracy.svg", "edit-scaling.svg")}
    assert b"MetaFlip11" in pictures["edit-accuracy.svg"]
    edit_models.write(docs, docs / "data")
    assert pictures == {name: (docs / name).read_bytes() for name in pictures}
    for name in pictures:
        assert f"]({name})" in page.read_text()


def test_cells_of_the_queue_join_those_that_were_saved(runs: Path, tmp_path: Path) -> None:
    data, queue = tmp_path / "data", tmp_path / "queue"
    edit_models.take_in(runs, data)
    before = json.loads((data / "edit-models.json").read_text())
    old = before["cells"][0]
    again = {**old, "dev": {**old["dev"], "joint": 0.123}}
    other = {**old, "seed": 77}
    for folder, cell in (("a", again), ("b", other)):
        path = queue / folder / "cells/T/F/S/metrics.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(cell))
    assert edit_models.take_in(queue, data) == 2
    after = json.loads((data / "edit-models.json").read_text())
    assert after["cells"] == [again, *before["cells"][1:], other]
    assert after["scaling"] == before["scaling"]


def test_published_tables_name_the_tasks_of_the_suite() -> None:
    tables = edit_models.published()
    assert set(tables["main"]["rows"]) == {*MAIN_TASKS, MULTI_TASK}
    assert set(tables["variants"]["rows"]) == set(PATTERN_TASKS)
    for task, values in tables["variants"]["rows"].items():  # the two tables agree where they meet
        if task in tables["main"]["rows"]:
            assert values[-1] == tables["main"]["rows"][task][-1]
