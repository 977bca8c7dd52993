"""Commits with one of several equal edits left out: what is found, fitted, counted and kept."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from editahead.check import leftover as leftover_module
from editahead.check.search import CHECK_FEATURES
from editahead.runtime.bundle import load_bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead_models.evaluate.check import command as check_command
from editahead_models.evaluate.check import data as check_data
from editahead_models.evaluate.check.cases import CheckCase, HunkCase, cases_of
from editahead_models.evaluate.check.data import CheckCases, project_cases
from editahead_models.evaluate.check.fit import SHARE, fit, fit_weights, odds
from editahead_models.evaluate.check.left_fit import DISTURBED, left_rates, thresholds_by_disturbance
from editahead_models.evaluate.check.shares import shares, shares_at
from editahead_models.evaluate.fitting import project_files
from editahead_models.publishing.ledger import digest
from editahead_models.report.pages import page as check_page

from tests.check.repos import Repo, bundle


@pytest.fixture
def rates_file(tmp_path: Path) -> Iterator[Path]:
    """A file for rates that are read once a process."""
    leftover_module.left_rates.cache_clear()
    yield tmp_path / "rates.json"
    leftover_module.left_rates.cache_clear()


CALLS = "".join(f"a{n} = load({n})\n\n" for n in range(5))


def repository(folder: Path) -> Repo:
    """Five calls; a commit changes four of them, in two files, and leaves a sixth one in a third file alone."""
    made = Repo(folder)
    made.put("a.py", CALLS).put("b.py", "x = load(8)\ny = 2\n").put("c.py", "z = load(9)\n").commit()
    made.change("a.py", *((f"load({n})", f"load({n}, now)") for n in range(3)))
    made.change("b.py", ("load(8)", "load(8, now)"), ("y = 2", "y = 3"))
    made.commit()
    return made


def every(repo: Repo, commit: str = "HEAD", seed: int = 1) -> list[CheckCase | HunkCase]:
    return list(cases_of(repo.root, "a/b", repo.git("rev-parse", commit), random.Random(seed)))


def found(repo: Repo, commit: str = "HEAD", seed: int = 1) -> list[CheckCase]:
    return [case for case in every(repo, commit, seed) if isinstance(case, CheckCase)]


@pytest.mark.parametrize("seed", range(4))
def test_a_commit_is_read_whole_and_with_a_place_left_out(tmp_path: Path, seed: int) -> None:
    whole, left_out = found(repository(tmp_path), seed=seed)
    assert (whole.forgotten, whole.examples, whole.right.tolist()) == (False, 4, [False] * 3)
    assert (left_out.forgotten, left_out.examples) == (True, 3)
    assert sorted(left_out.right.tolist()) == [False, False, False, True]
    assert left_out.features.shape == (4, len(CHECK_FEATURES))


def test_a_commit_that_repeats_nothing_has_no_case(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    repo.change("b.py", ("y = 3", "y = 4")).commit()
    assert found(repo) == []
    names = [repo.git("rev-parse", name) for name in ("HEAD", "HEAD~1", "HEAD~2")]
    drawn = project_cases(repo.root, "a/b", ".py", commits=9, seed=1)  # the first commit has nothing before it
    assert {case.commit for case in drawn.edits} == {names[1]}
    assert {case.commit for case in drawn.hunks} == set(names[:2])


def test_a_bare_mirror_has_the_cases_of_its_clone(tmp_path: Path) -> None:
    repo = repository(tmp_path / "clone")
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "mirror.git"))
    drawn = project_cases(tmp_path / "mirror.git", "a/b", ".py", commits=9, seed=1)
    assert [case.commit for case in drawn.edits] == [case.commit for case in found(repo)]


def test_a_hunk_that_is_left_out_is_told_by_what_no_longer_fits(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.put("a.py", "x = 1\n\n\ndef f(a):\n    return a\n\n\ny = f(x)\n").commit()
    repo.put("a.py", "import os\nx = 1\n\n\ndef f(a):\n    return os.sep\n\n\ny = f(x)\n").commit()
    whole, *hunks = (case for case in every(repo) if isinstance(case, HunkCase))
    assert (whole.hunk, whole.kinds) == (False, ())
    assert sorted(case.kinds for case in hunks) == [("undefined-name",), ("unused-new-import",)]
    assert all(case.there == () for case in hunks)
    table = left_rates([whole, *hunks])
    assert set(table) == {"undefined-name", "unused-new-import"}
    assert table["undefined-name"]["probability"] == 1.0
    rates = {kind: row["probability"] for kind, row in table.items()}
    step = shares(CheckCases([], [whole, *hunks]), {}, Calibration(), rates)["steps"]["0.8"]
    assert (step["hunks"]["share"], step["all"]["share"]) == (1.0, 0.0)
    wrong = HunkCase("a", "b", False, ("undefined-name",))
    assert left_rates([whole, wrong, *hunks])["undefined-name"]["probability"] < 0.8


def whole(cases: Sequence[CheckCase]) -> list[HunkCase]:
    """The whole commits of some cases."""
    names = dict.fromkeys((case.project, case.commit) for case in cases if not case.forgotten)
    return [HunkCase(project, commit, False, ()) for project, commit in names]


def test_a_threshold_is_accepted_while_few_enough_finished_commits_are_disturbed() -> None:
    cases = [*both("a", 1), *both("b", 3)]
    values = [np.where(case.right, 0.9, 0.1) if case.forgotten else np.full(3, 0.02) for case in cases]
    finished = [at for at, case in enumerate(cases) if not case.forgotten]
    for at, high in zip(finished[:8], np.linspace(0.3, 0.95, 8), strict=True):
        values[at] = np.asarray([high, 0.1, 0.1])
    table = dict(thresholds_by_disturbance(cases, values, whole(cases), {}))
    for target, share in DISTURBED.items():
        least = table[target]
        assert least is not None
        assert sum(bool((values[at] >= least).any()) for at in finished) <= share * len(finished)
    known = [replace(case, kinds=("call",)) for case in whole(cases)]  # all of them are disturbed anyhow
    assert set(dict(thresholds_by_disturbance(cases, values, known, {"call": 0.95})).values()) == {None}


def made_up(count: int, seed: int, project: str, *, forgotten: bool) -> list[CheckCase]:
    """Cases in which the feature `right` tells the place that was left out."""
    rng = np.random.default_rng(seed)
    result = []
    for number in range(count):
        x = rng.random((3, len(CHECK_FEATURES)))
        x[:, 0] = 1.0
        right = np.asarray([forgotten, False, False])
        x[:, CHECK_FEATURES.index("right")] = right + 0.2 * rng.random(3)
        result.append(CheckCase(project, f"{project}{number}", 3, forgotten, x, right))
    return result


def both(project: str, seed: int, count: int = 60) -> list[CheckCase]:
    return [*made_up(count, seed, project, forgotten=False), *made_up(count // 2, seed + 1, project, forgotten=True)]


def test_commits_that_forgot_a_place_count_their_share() -> None:
    cases = both("a", 1)
    assert odds(cases) * 30 / (odds(cases) * 30 + 60) == pytest.approx(SHARE)
    twice = [*cases, *made_up(10, 7, "a", forgotten=False)]  # further edits of the same commits
    assert odds(twice) == odds(cases)


def test_fitting_finds_what_decides_and_its_calibration_is_never_certain() -> None:
    cases = [*both("a", 1), *both("b", 3)]
    weights, calibration = fit(cases, whole(cases), {})
    assert weights == fit_weights(cases)
    assert max((name for name in weights if name != "bias"), key=lambda name: abs(weights[name])) == "right"
    told = shares(CheckCases(both("c", 5), []), weights, calibration, {})["steps"]["0.8"]
    assert [(told[name]["share"], told[name]["n"]) for name in ("found", "repeating")] == [(1.0, 30), (0.0, 60)]
    assert calibration.apply(1.0) <= 0.99


def test_shares_count_what_is_reported() -> None:
    x = np.zeros((2, len(CHECK_FEATURES)))
    x[:, CHECK_FEATURES.index("right")] = [1.0, -1.0]
    yes, no = np.asarray([True, False]), np.asarray([False, False])
    nothing = CheckCase("a", "2", 0, True, x[:0], yes[:0])
    cases = [
        CheckCase("a", "1", 3, False, x, no), CheckCase("a", "2", 3, False, x[1:], no[1:]),
        CheckCase("a", "1", 2, True, x, yes), nothing,
        CheckCase("a", "2", 2, True, x[:, ::1] * [-1.0], yes),
    ]  # fmt: skip
    told = shares_at(shares(CheckCases(cases, []), {"right": 1000.0}, Calibration(), {}), 0.8)
    assert (told["found"], told["found of"]) == (pytest.approx(1 / 3, abs=1e-4), 3)
    assert (told["repeating"], told["repeating of"]) == (0.5, 2)


def test_the_commands_store_and_measure_the_model(
    tmp_path: Path, rates_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mixed = [*both("a", 1), *both("b", 3)]
    kept = {"fit": CheckCases(mixed, whole(mixed)), "dev": CheckCases(both("c", 5), [])}
    monkeypatch.setattr(check_command, "collect", lambda mirror, out, split, commits, languages: kept[split])
    monkeypatch.setattr(leftover_module, "FILE", rates_file)
    path = bundle(tmp_path).path
    check_command.calibrate(path, tmp_path, tmp_path)
    stored = load_bundle(path)
    model = PatternScorer.of_check(stored, CHECK_FEATURES)
    assert model is not None
    assert PatternScorer.of_bundle(stored, CHECK_FEATURES) is not None  # what was there stays
    assert capsys.readouterr().out.startswith("check")
    monkeypatch.setattr(check_command, "STORED", tmp_path / "check.json")
    head = repository(tmp_path / "c").git("rev-parse", "HEAD")
    check_command.evaluate(path, tmp_path, tmp_path, language=["python"], store=True)
    told = json.loads(capsys.readouterr().out)
    assert told["python"] == stored.manifest["metrics"]["check"]
    assert told["python"]["found"] == 1.0
    stored_python = json.loads((tmp_path / "check.json").read_text())["languages"]["python"]
    assert stored_python["projects"] == {"c": head[:10]}
    (page,) = check_page.write(tmp_path, tmp_path)
    assert f"| c | {head[:10]} |" in page.read_text()
    assert f"`{digest(stored)}`, on dev" in page.read_text()
    share = stored_python["steps"]["0.8"]["found"]
    assert (share["share"], share["n"], share["projects"]) == (1.0, 30, 1)
    assert "| 0.8 | 100.0 % of 30 |" in page.read_text()


def test_shares_count_commits_once_and_leftovers_as_reports() -> None:
    edits, hunks = both("a", 2), [HunkCase("a", "x", True, ("call",)), HunkCase("a", "y", True, ("odd",))]
    hunks += [HunkCase("a", "x", False, ("call",)), HunkCase("a", "y", False, ()), HunkCase("a", "y", False, ())]
    never = Calibration("identity", thresholds=((0.5, None), (0.7, None), (0.8, None), (0.9, None)))
    found = shares(CheckCases(edits, hunks), {}, never, {"call": 0.95, "odd": 0.2})
    step = found["steps"]["0.8"]
    assert (step["hunks"]["share"], step["hunks"]["n"]) == (0.5, 2)
    assert (step["all"]["share"], step["all"]["n"]) == (0.5, 2)
    assert found["kinds"] == {"call": {"hunks": 1, "commits": 1}, "odd": {"hunks": 1, "commits": 0}}


def test_finished_projects_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = repository(tmp_path / "mirror" / "a+b" / "repo")
    licence = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
    repo.put("LICENSE", licence).commit()
    lists = {"python": ("a/b", "not/there"), "java": ()}
    monkeypatch.setattr(project_files, "projects_of", lambda split, language: lists.get(language, ()))
    first = check_data.collect(tmp_path / "mirror", tmp_path / "out", "dev", commits=5)
    assert [case.forgotten for case in first.edits] == [False, True]
    monkeypatch.setattr(check_data, "project_cases", lambda *a, **k: pytest.fail("read again"))
    assert len(check_data.collect(tmp_path / "mirror", tmp_path / "out", "dev", commits=5).edits) == 2
