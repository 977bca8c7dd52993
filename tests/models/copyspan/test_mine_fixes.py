"""Small repairs out of a history as pairs of regions, and what a fix's probability is fitted to."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from editahead.encode.span_copying.tokens import RegionTokens
from editahead.suggest.fixes.fixes import FEATURES
from editahead.syntax.language import by_id
from editahead_models.copyspan.corpora import mine_fixes
from editahead_models.copyspan.corpora.mine_fixes import FixLimits, mine_project, pairs_of, writable
from editahead_models.copyspan.corpora.pairs import read_pairs
from editahead_models.copyspan.network.batches import Pair
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.evaluate.code_actions.fixes import Case, fit

BEFORE = """import os


def first(x):
    if x == None:
        return 1
    return 2


def second(y):
    for item in y:
        print(item)


def third(z):
    return z + 1
"""
AFTER = BEFORE.replace("x == None", "x is None")
PYTHON = by_id("python")


def texts(lines: str) -> tuple[str, ...]:
    return RegionTokens.of(lines.split("\n")).texts


def test_a_repair_is_the_function_before_and_after() -> None:
    assert PYTHON is not None
    change = FileChange("a.py", BEFORE, AFTER)
    (pair,) = pairs_of(change, PYTHON, FixLimits(unchanged=0.0), random.Random(1))
    function = BEFORE[BEFORE.index("def first") : BEFORE.index("\n\n\ndef second")]
    assert pair.source == texts(function)
    assert pair.target == texts(function.replace("==", "is"))


def test_now_and_then_a_region_stays() -> None:
    assert PYTHON is not None
    change = FileChange("a.py", BEFORE, AFTER)
    drawn = (pairs_of(change, PYTHON, FixLimits(unchanged=0.5), random.Random(seed)) for seed in range(40))
    found = [pair for some in drawn for pair in some]
    same = [pair for pair in found if pair.source == pair.target]
    assert 5 < len(same) < 40
    assert not any(" ==" in pair.source for pair in same)


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (BEFORE, "nothing changed"),
        (BEFORE.replace("def second", "def other\n" * 200 + "def second"), "the rewriting is too long"),
        ("\n".join(line + "!" * (n % 2) for n, line in enumerate(BEFORE.split("\n"))), "too many hunks"),
    ],
)
def test_what_is_no_small_repair_is_left_out(after: str, why: str) -> None:
    assert PYTHON is not None
    limits = FixLimits(unchanged=0.0, hunks=3, tokens=40, after=50)
    found = list(pairs_of(FileChange("a.py", BEFORE, after), PYTHON, limits, random.Random(1)))
    assert found == [], why


def test_what_can_be_written_is_known_or_stands_there() -> None:
    assert writable(Pair(("a", "b"), ("b", "a", "a")), ())
    assert writable(Pair(("a",), ("a", "known")), ("known",))
    assert not writable(Pair(("a",), ("a", "odd")), ("known",))


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_only_commits_that_speak_of_a_repair_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, offset in (("one", 0), ("two", 1)):
        folder = tmp_path / owner / "project"
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main")
        (folder / "LICENSE").write_text("Permission is hereby granted, free of charge, to any person obtaining a copy")
        added = AFTER.replace("z + 1", f"z + {offset + 2}")
        for text, message in ((BEFORE, "start"), (AFTER, "Fix comparison"), (added, "prefix the result")):
            (folder / "a.py").write_text(text.replace("import os", f"import os{offset}"))
            git(folder, "add", ".")
            git(folder, "commit", "-q", "-m", message)
    assert PYTHON is not None
    limits = FixLimits(unchanged=0.0)
    pairs, record = mine_project(tmp_path, "one/project", "python", limits, changes=9, commits=9, seed=1)
    assert [" is" in pair.target for pair in pairs] == [True]
    assert (record["pairs"], record["changed"], record["licence"]) == (1, 1, "MIT")
    lists = {"train": ("one/project", "no/such"), "fit": (), "dev": ("two/project",)}
    monkeypatch.setattr(mine_fixes, "projects_of", lambda split, language: lists[split])
    out = tmp_path / "out"
    report = mine_fixes.mine_fixes(tmp_path, out, "python", limits, changes=9, commits=9, seed=1)
    assert [one.get("skipped") for one in report["projects"]] == [None, None, "not in the mirror"]
    assert len(read_pairs(out / "dev.source.jsonl", out / "dev.target.jsonl")) == 1
    assert json.loads((out / "dev.projects.json").read_text()) == ["two/project"]
    assert not (out / "train.source.jsonl").read_text()  # the same repair is in no two splits


def test_languages_of_one_model_are_mined_together_each_by_its_own_grammar(tmp_path: Path) -> None:
    folder = tmp_path / "one" / "project"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "LICENSE").write_text("Permission is hereby granted, free of charge, to any person obtaining a copy")
    sources = {
        "typed.ts": "export function first(size: number): boolean {\n  return size = 1;\n}\n",
        "plain.js": "export function second(size) {\n  return size = 2;\n}\n",
        "view.tsx": "export function Third({ size }: Props) {\n  return <b>{size = 3}</b>;\n}\n",
        "notes.md": "size = 4\n",
    }
    for sign, message in (("=", "start"), ("===", "Fix a wrong comparison")):
        for name, text in sources.items():
            (folder / name).write_text(text.replace("size =", f"size {sign}"))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", message)
    pairs, record = mine_project(
        tmp_path, "one/project", "typescript", FixLimits(unchanged=0.0), changes=9, commits=9, seed=1
    )
    assert record["changed"] == 3
    assert {pair.target[3] for pair in pairs} == {" first", " second", " Third"}  # whole functions in each of them


def test_the_fit_tells_sure_alternatives_from_doubtful_ones() -> None:
    rng = np.random.default_rng(5)
    found = []
    for number in range(400):
        share = float(rng.uniform(0.01, 0.9))
        rows = np.asarray([[1.0, np.log(share), np.log(0.1), np.log(0.2), rank] for rank in range(2)])
        right = np.asarray([rng.random() < share, False])
        found.append(Case(f"p{number % 4}", rows, right, "slip", 0.1))
    weights, calibration, metrics = fit(found)
    assert weights.keys() == set(FEATURES)
    assert weights["ln_p"] > 0.5
    assert weights["rank"] < 0
    assert metrics["calibration_error"] < 0.1
    assert metrics["right_0.5"] > 0.5 > metrics["slip_first_right"] - 0.2
    assert calibration.apply(0.99) > calibration.apply(0.01)


def test_figures_count_the_rows_that_they_name() -> None:
    rng = np.random.default_rng(3)

    def case(project: str, alternatives: int) -> Case:
        share = float(rng.uniform(0.3, 0.9))
        rows = np.asarray([[1.0, np.log(share / 9**rank), -2.0, -2.0, rank] for rank in range(alternatives)])
        return Case(project, rows, np.asarray([True] + [False] * (alternatives - 1)), "slip", 0.1)

    found = [case("a", 3) for _ in range(40)] + [case("b", 1) for _ in range(90)]
    _, _, metrics = fit(found)
    assert metrics["slip_first_right"] == 1.0
    assert metrics["right_0.05"] == 1.0  # the first alternative is always right, the others are not counted
    assert metrics["slip_shown_0.05"] > 0.5
    assert metrics["same_regions"] == 0.0
