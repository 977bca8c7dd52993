"""Repeated edits in commits: replayed, judged, fitted, and stored in a bundle."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rich")

from editahead.runtime.bundle import load_bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.syntax.language import by_id
from editahead_models.data.mining.commits import Commit, commits_of
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.evaluate.repeats import command as repeat_command
from editahead_models.evaluate.repeats.cases import Case, Replay, cases, token_distance
from editahead_models.evaluate.repeats.fit import figures, fit, fit_weights, part_of
from editahead_models.export.bundle_writer import write_bundle
from hypothesis import given
from hypothesis import strategies as st

BEFORE = """import log

def run(items):
    log.info("start", items)
    for item in items:
        log.info("item", item)
    log.info("end", items)
    print("done")
"""
AFTER = BEFORE.replace('log.info("start"', 'log.debug("start"').replace('log.info("item"', 'log.debug("item"')
LEFT = AFTER.replace('log.info("end"', 'log.debug("end"')


class NoShuffle(random.Random):
    """Draws, but leaves an order as it is."""

    def random(self) -> float:
        return 0.9


def found(commit: Commit, seed: int = 1) -> list[Case]:
    language = by_id("python")
    assert language is not None
    return list(cases(commit, "a/b", language, NoShuffle(seed)))


def commit(before: str, after: str, beside: Sequence[tuple[str, str]] = ()) -> Commit:
    return Commit("c", (FileChange("a.py", before, after),), tuple(beside))


def test_a_place_is_right_when_the_commit_went_on_there() -> None:
    one, two = sorted(found(commit(BEFORE, LEFT)), key=lambda case: case.examples)
    assert (one.examples, two.examples) == (1, 2)
    assert (one.right.tolist(), two.right.tolist()) == ([True, True], [True])
    assert (one.expected, two.expected) == (2, 1)
    assert sorted(one.reached.tolist()) == [0, 1]
    assert one.features.shape == (2, len(FEATURES))


def test_a_place_that_the_commit_left_alone_is_wrong() -> None:
    after = AFTER.replace('print("done")', 'print("over")')
    (two,) = [case for case in found(commit(BEFORE, after)) if case.examples == 2]
    assert two.right.tolist() == [False]
    assert two.reached.tolist() == [-1]
    assert two.expected == 0


def test_files_beside_the_changed_ones_are_open_too() -> None:
    beside = [("b.py", 'log.info("other", 1)\n'), ("c.py", "x = 1\n")]
    (two,) = [case for case in found(commit(BEFORE, LEFT, beside)) if case.examples == 2]
    assert two.right.tolist() == [True, False]
    assert two.elsewhere.tolist() == [False, True]
    assert two.expected_elsewhere == 0


def test_a_replay_ends_at_the_committed_text_in_any_order() -> None:
    language = by_id("python")
    assert language is not None
    for seed in range(8):
        replay = Replay(
            commit(BEFORE, LEFT.replace("import log", "import logging as log")), language, random.Random(seed)
        )
        for number in range(len(replay.events)):
            replay.step(number)
        assert replay.files[0].buffer.text == LEFT.replace("import log", "import logging as log")


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_token_distance_is_what_insertions_and_deletions_cost(one: list[str], two: list[str]) -> None:
    table = [[i + j for j in range(len(two) + 1)] for i in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(two, 1):
            table[i][j] = table[i - 1][j - 1] if a == b else 1 + min(table[i - 1][j], table[i][j - 1])
    assert token_distance(one, two) == table[-1][-1]


def made_up(count: int, seed: int, examples: int, project: str) -> list[Case]:
    """Cases in which the feature `right` decides alone."""
    rng = np.random.default_rng(seed)
    result = []
    for _ in range(count):
        x = rng.random((4, len(FEATURES)))
        x[:, 0] = 1.0
        right = rng.random(4) < 1 / (1 + np.exp(-(8 * x[:, FEATURES.index("right")] - 4)))
        reached = np.where(right, np.arange(4), -1)
        result.append(Case(project, "python", examples, x, right, np.arange(4) > 2, reached, 4, 1))
    return result


def test_fitting_finds_what_decides() -> None:
    weights = fit_weights(made_up(500, 1, 2, "a"))
    strongest = max((name for name in FEATURES if name != "bias"), key=lambda name: abs(weights[name]))
    assert strongest == "right"
    assert weights["right"] == pytest.approx(8.0, abs=1.5)


def test_figures_count_shown_places_and_places_that_were_missed() -> None:
    case = made_up(1, 3, 2, "a")[0]
    weights = {"bias": 0.0, "right": 1000.0}
    x = case.features.copy()
    x[:, FEATURES.index("right")] = [1.0, 1.0, -1.0, -1.0]
    sure = Case(
        "a", "python", 2, x, np.asarray([True, False, True, False]), np.asarray([False, False, False, True]),
        np.asarray([0, -1, 1, -1]), 4, 1,
    )  # fmt: skip
    found = figures([sure], weights, Calibration())
    assert found["places"] == 4
    assert found["right"] == 0.5
    assert found["listed"] == 0.5
    assert (found["shown_80"], found["precision_80"], found["recall_80"]) == (0.5, 0.5, 0.25)
    assert found["calibration_error"] == 0.5


def test_parts_are_fitted_apart_and_measured_on_dev() -> None:
    train = [*made_up(60, 1, 1, "a"), *made_up(60, 2, 1, "b"), *made_up(60, 3, 3, "a"), *made_up(60, 4, 2, "b")]
    dev = [*made_up(40, 5, 1, "c"), *made_up(40, 6, 2, "c")]
    assert len(part_of(train, "many")) == 120
    entry, calibrations, metrics = fit(train, dev)
    assert set(entry) == {"one", "many"}
    assert set(metrics) == {"repeat_one", "repeat_many"}
    assert set(calibrations) == set(metrics)
    assert all(calibration.apply(1.0) <= 0.99 for calibration in calibrations.values())
    assert metrics["repeat_many"]["cases"] == 40


def repository(folder: Path, line_end: str = "\n") -> Path:
    """Three commits of Python files; one of them changes two files at once."""

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)

    folder.mkdir(parents=True)
    git("init", "-q", "-b", "main")
    states = [
        {"p/a.py": BEFORE, "p/b.py": BEFORE, "p/c.py": "x = 1\n"},
        {"p/a.py": AFTER, "p/b.py": AFTER},
        {"p/a.py": LEFT},
        {"p/notes.txt": "no code"},
    ]
    for number, files in enumerate(states):
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.replace("\n", line_end).encode())
        git("add", ".")
        git("commit", "-q", "-m", str(number))
    return folder


def test_commits_come_with_all_their_files_and_some_beside(tmp_path: Path) -> None:
    drawn = list(commits_of(repository(tmp_path / "r"), ".py", newest=10, limit=10, seed=1))
    by_size = sorted(drawn, key=lambda one: len(one.changes))
    assert [[change.path for change in one.changes] for one in by_size] == [["p/a.py"], ["p/a.py", "p/b.py"]]
    assert by_size[1].changes[0] == FileChange("p/a.py", BEFORE, AFTER)
    assert by_size[1].beside == (("p/c.py", "x = 1\n"),)
    assert {path for path, _ in by_size[0].beside} == {"p/b.py", "p/c.py"}


def test_commits_of_files_with_the_line_ends_of_windows_are_those_of_unix(tmp_path: Path) -> None:
    unix, windows = (
        list(commits_of(repository(tmp_path / name, line_end), ".py", newest=10, limit=10, seed=1))
        for name, line_end in (("u", "\n"), ("w", "\r\n"))
    )
    assert [one.changes for one in windows] == [one.changes for one in unix]
    assert [dict(one.beside) for one in windows] == [dict(one.beside) for one in unix]


def test_of_a_commit_that_changes_the_line_ends_of_a_file_only_its_edits_count(tmp_path: Path) -> None:
    folder = repository(tmp_path / "r")
    (folder / "p/a.py").write_bytes(LEFT.replace("\n", "\r\n").encode())
    (folder / "p/b.py").write_bytes(LEFT.replace("\n", "\r\n").encode())
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "core.autocrlf=false")
    subprocess.run(["git", *identity, "commit", "-qam", "line ends"], cwd=folder, check=True)
    drawn = list(commits_of(folder, ".py", newest=1, limit=10, seed=1))
    assert [one.changes for one in drawn] == [(FileChange("p/b.py", AFTER, LEFT),)]


def test_from_a_repository_to_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = write_bundle(
        tmp_path / "toy-any-1", family="toy", language="any", files={"vocab.json": b"{}"},
        manifest={"version": "1", "graphs": {}, "metrics": {"old": 1}},
    )  # fmt: skip
    made = {"fit": [*made_up(50, 1, 1, "a"), *made_up(50, 2, 2, "a"), *made_up(50, 7, 1, "b"), *made_up(50, 8, 2, "b")]}
    made["dev"] = [*made_up(30, 3, 1, "c"), *made_up(30, 4, 2, "c")]
    monkeypatch.setattr(repeat_command, "collect", lambda mirror, out, split, commits: made[split])
    repeat_command.calibrate(bundle.path, tmp_path, tmp_path)
    assert "repeat_many: n 400" in capsys.readouterr().out
    stored = load_bundle(bundle.path)
    model = PatternScorer.of_bundle(stored, FEATURES)
    assert model is not None
    assert stored.manifest.metrics["old"] == 1
    assert stored.manifest.metrics["repeat_one"]["cases"] == 30
