"""The part of the page about real edits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from editahead_models.report import edit_models, mined_edits

KINDS = (
    "insertions", "first of a hunk", "insertions of what stands in the state",
    "insertions of what was inserted before alone", "insertions of what is new",
)  # fmt: skip


def run(family: str, joint: float, minutes: float = 3.0) -> dict[str, Any]:
    part = {"instances": 10, "projects": 2, "edits": 1300, "mean edits": 30.2, "mean initial sub-words": 295.8}
    return {
        "family": family, "minutes": minutes, "instances": 900, "epochs": 0.5, "steps_done": 70,
        "batch": 16, "best_step": 60, "parameters": 1000, "commit": "abc1234", "hidden": 128, "rate": 0.001, "seed": 1,
        "device": "CPU", "threads": 1, "data": "feed",
        "corpus": {"subwords": 4096, "settings": {"tokens": 400, "edits": 50}, "splits": {"train": part, "test": part}},
        "test": {
            "live": {"joint": joint + 0.05, "position": 0.6},
            "instances": 9, "joint": joint, "position": 0.6, "content": 0.5, "token": joint / 2, "rolled": 200,
            "edit_calibration_error": 0.05, "token_calibration_error": 0.1,
            "kinds": {kind: {"edits": 50, "joint": joint, "position": 0.5} for kind in KINDS},
            "curve": [{"percentile": q, "n": 200 - 2 * q, "right": joint + q / 1000} for q in (0, 50, 90)],
        },
    }  # fmt: skip


RUNS = [run("IA-ag", 0.25), run("IA-ag", 0.4, 6.0), run("E", 0.2)]


def row(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"| {start} |"))


def test_runs_of_one_budget_stand_beside_the_paper() -> None:
    text = "\n".join(mined_edits.sections({"mined": RUNS}))
    assert row(text, "IA-ag").startswith("| IA-ag | 61.1 | 25.0 |")  # E had three minutes as well, not six
    text = "\n".join(mined_edits.sections({"mined": [*RUNS, run("E", 0.2, 6.0)]}))
    assert row(text, "E") == "| E | 51.0 | 20.0 | 60.0 | 50.0 | 10.0 | 0.050 | 0.100 |"
    assert row(text, "IA-ag").startswith("| IA-ag | 61.1 | 40.0 |")
    assert row(text, "insertions") == "| insertions | 50 | 20.0 | 40.0 |"
    assert "1,300 edits" in text
    assert row(text, "3") == "| 3 | 20.0 | - | 25.0 |"
    assert "this alone makes of IA-ag 40.0 to 45.0 %." in text


def test_pages_and_pictures_from_a_runs_folder(tmp_path: Path) -> None:
    for number, found in enumerate(RUNS):
        folder = tmp_path / "runs" / "mined" / str(number)
        folder.mkdir(parents=True)
        (folder / "metrics.json").write_text(json.dumps(found))
    docs = tmp_path / "docs"
    edit_models.take_in(tmp_path / "runs", docs / "data")
    page = edit_models.write(docs, docs / "data")
    assert page is not None
    text = page.read_text()
    assert "](edit-confidence.svg)" in text
    picture = (docs / "edit-confidence.svg").read_bytes()
    assert b"percentile of confidence" in picture
    edit_models.write(docs, docs / "data")
    assert (docs / "edit-confidence.svg").read_bytes() == picture


def test_runs_on_other_data_are_kept_and_not_shown() -> None:
    old = [run("IA-ag", 0.2), run("IR", 0.21)]
    new = [one | {"data": "beef"} for one in (run("IA-ag", 0.4, 54.0), run("E", 0.3, 54.0))]
    runs = mined_edits.with_others(new, old)
    assert mined_edits.newest(runs) == new
    assert mined_edits.with_others([old[0] | {"minutes": 4.0}], runs) == [old[0] | {"minutes": 4.0}, *new]
    text = "\n".join(mined_edits.sections({"mined": runs}))
    assert row(text, "IA-ag").startswith("| IA-ag | 61.1 | 40.0 |")
    assert "21.0" not in text


def test_the_page_says_whether_dev_still_rose_at_the_end() -> None:
    curve = [{"step": step, "dev": dev} for step, dev in ((20, 0.3), (40, 0.41), (60, 0.42), (70, 0.4))]
    rising = run("IA-ag", 0.4) | {"curve": curve}
    text = "\n".join(mined_edits.sections({"mined": [rising, run("E", 0.2)]}))
    assert "| 60 | +1.0 | 1,000 |" in text
    assert "| 60 | - | 1,000 |" in text  # whose curve nobody knows
