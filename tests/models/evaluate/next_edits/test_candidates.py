"""Judged moments of replayed commits, the scorer that is fitted on them, and the shares of what is shown."""

from __future__ import annotations

import random
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rich")

from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.syntax.language import by_id
from editahead.text.edits import ByteEdit
from editahead_models.data.corpus.source_files import main_language
from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.data.projects import Project
from editahead_models.evaluate.fitting import project_files
from editahead_models.evaluate.next_edits import candidate_fit
from editahead_models.evaluate.next_edits.candidate_decision import (
    Shown,
    disturbed,
    fitted_decision,
    place_thresholds,
    quiet_thresholds,
    shown_first,
)
from editahead_models.evaluate.next_edits.candidate_fit import calibrated, tops
from editahead_models.evaluate.next_edits.candidate_moments import Judged, Moment, Setting, hunks_of, moments
from editahead_models.evaluate.next_edits.candidate_report import figures, shares
from editahead_models.evaluate.next_edits.consequence_moments import consequence_moments
from editahead_models.evaluate.repeats.cases import Replay, is_right
from editahead_models.evaluate.repeats.last_edit import repeat_last_edit

BEFORE = "".join(f"def f{n}(x):\n    log.warn('{n}', x)\n    return x\n\n\n" for n in range(5))
AFTER = BEFORE.replace("log.warn(", "log.warning(")
ODDS = FEATURES.index("odds_repeat_often")


@pytest.fixture(scope="module")
def setting() -> Setting:
    language = by_id("python")
    assert language is not None
    return Setting(Engine.load(find_bundles(), "cpu", lambda text, share: None), "toy/toy", language, (0.8,))


def commit(before: str, after: str) -> Commit:
    return Commit("c0ffee", (FileChange("a.py", before, after),), ())


def test_edits_of_neighbouring_lines_are_one_hunk() -> None:
    language = by_id("python")
    assert language is not None
    before = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\ng = 7\n"
    after = before.replace("1", "10").replace("2", "20").replace("5", "50").replace("7", "70")
    replay = Replay(commit(before, after), language, random.Random(0))
    assert [len(part) for part in hunks_of(replay.files[0])] == [2, 1, 1]


@pytest.mark.parametrize(("at", "new"), [(5, b"\nb = 2"), (6, b"b = 2\n")])
def test_a_line_that_comes_is_right_behind_the_line_before_and_before_the_line_behind(at: int, new: bytes) -> None:
    language = by_id("python")
    assert language is not None
    for before, after in (("a = 1\nc = 3\n", "a = 1\nb = 2\nc = 3\n"), ("a = 1\n\nc = 3\n", "a = 1\nb = 2\n\nc = 3\n")):
        file = Replay(commit(before, after), language, random.Random(0)).files[0]
        assert is_right(file, ByteEdit(at, at, new))
        assert not is_right(file, ByteEdit(at, at, new.replace(b"2", b"3")))
        assert not is_right(file, ByteEdit(0, 0, b"b = 2\n"))


@pytest.mark.slow
def test_a_replayed_commit_gives_moments_with_right_candidates_and_quiet_ones(setting: Setting) -> None:
    found = [one for seed in range(6) for one in moments(setting, commit(BEFORE, AFTER), random.Random(seed))]
    assert {"between", "finished"} <= {one.kind for one in found}
    due = [one for one in found if one.kind == "between" and one.coming]
    assert all(one.category == "same" for one in due)
    assert sum(bool(one.right.any()) for one in due) >= 0.8 * len(due)
    for one in found:
        assert one.features.shape == (len(one.sources), len(FEATURES))
        assert not one.right.any() or one.coming
        assert one.kind != "finished" or (one.coming, one.elsewhere) == (0, 0)
        assert len(one.answers) == 1


def test_without_candidates_the_answers_are_the_same_and_a_baseline_answers_beside_them(setting: Setting) -> None:
    rated = list(moments(setting, commit(BEFORE, AFTER), random.Random(1)))
    bare = replace(setting, rated=False, baseline=repeat_last_edit)
    found = list(moments(bare, commit(BEFORE, AFTER), random.Random(1)))
    assert [one.answers for one in found] == [one.answers for one in rated]
    assert all(one.sources == () and one.features.shape == (0, len(FEATURES)) for one in found)
    assert all(one.baseline is None for one in rated)
    due = [one.baseline for one in found if one.kind == "between" and one.coming]
    assert due == [Judged("baseline", True, True, True)] * len(due) != []
    assert all(one.baseline is None or not one.baseline.right for one in found if not one.coming)


def toy_moments(count: int, seed: int = 0) -> list[Moment]:
    """Moments of six projects with three candidates each; one feature tells which is right."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        features = np.zeros((3, len(FEATURES)))
        features[:, 0], features[:, ODDS] = 1.0, rng.normal(size=3)
        right = rng.random(3) < 1 / (1 + np.exp(-3 * features[:, ODDS]))
        found.append(
            Moment(
                f"p{number % 6}", "python", "c", "between", 1, 0, "same", ("repeat",) * 3, features, right, right,
                np.ones(3, np.bool_), np.zeros(3), ("g",) * 3, (Judged("repeat", True, True), None),
            )
        )  # fmt: skip
    return found


@pytest.mark.slow
def test_a_fitted_scorer_ranks_and_is_calibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_fit, "EPOCHS", 12)
    found = toy_moments(600)
    scorer = calibrated(found, found)
    others = toy_moments(600, seed=1)
    best = tops(others, [scorer.calibration.apply_many(scorer.raw(one.features)) for one in others])
    assert best.right.mean() > 0.8
    assert abs(best.score.mean() - best.right.mean()) < 0.05
    thresholds = [scorer.threshold(dial) for dial in (0.5, 0.8, 0.95)]
    assert thresholds == sorted(thresholds)


def test_the_layer_learns_from_what_is_likely_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A feature that tells right from wrong among likely candidates, and the opposite among the many unlikely ones."""
    rng = np.random.default_rng(1)
    moments, views = [], []
    touched = FEATURES.index("touched")
    for number in range(400):
        features = np.zeros((9, len(FEATURES)))
        features[:, touched] = rng.random(9) < 0.5
        likely = np.arange(9) == 0
        right = np.where(likely, features[:, touched] > 0, features[:, touched] == 0)
        one = toy_moments(1)[0]
        moments.append(
            replace(
                one, project=f"p{number % 6}", features=features, right=right, place=right, own=np.ones(9, np.bool_)
            )
        )
        views.append(((features, np.where(likely, 0.5, -5.0)),))
    layer = fitted_decision(moments, views)
    assert layer.weights[touched] > 0.5
    odds = layer.odds(*views[0][0])
    assert (odds[0] > 0) == moments[0].right[0]


def test_finished_commits_raise_thresholds_until_few_of_them_are_disturbed() -> None:
    done = np.linspace(0.0, 1.0, 1001)[:-1]
    quiet = dict(quiet_thresholds(done, ((0.5, 0.2), (0.8, 0.3), (0.9, 0.999), (0.95, None))))
    for dial in (0.5, 0.8, 0.9):
        low = quiet[dial]
        assert low is not None
        assert (done >= low).mean() <= disturbed(dial)
    assert quiet[0.5] == pytest.approx(1.0 - disturbed(0.5), abs=0.002)
    assert quiet[0.9] == 0.999
    assert quiet[0.95] is None
    assert dict(quiet_thresholds(np.zeros(0), ((0.8, 0.3),))) == {0.8: 0.3}


def test_what_may_disturb_falls_as_what_may_be_wrong_above_the_default() -> None:
    shares = [disturbed(dial) for dial in (0.5, 0.65, 0.8, 0.9, 0.95)]
    assert shares == pytest.approx([0.1875, 0.091875, 0.03, 0.015, 0.0075])


def test_thresholds_count_what_is_shown_first() -> None:
    """A candidate of another file counts only where the file of the cursor has none that is sure enough."""
    own = np.array([0.9] * 30 + [0.2] * 30)
    other = np.array([0.95] * 30 + [0.6] * 30)
    shown = Shown(own, np.array([1.0] * 30 + [0.0] * 30), other, np.zeros(60))
    found = dict(place_thresholds(shown, (0.5, 0.9)))
    assert found == {0.5: 0.2, 0.9: 0.9}
    one = toy_moments(1)[0]
    first = shown_first([replace(one, own=np.array([True, True, False]))], [np.array([0.1, 0.3, 0.8])])
    assert (first.own.tolist(), first.other.tolist()) == ([0.3], [0.8])
    assert shown_first([replace(one, right=one.right[:0], own=one.own[:0])], [np.zeros(0)]).own.tolist() == [0.0]


def test_shares_count_what_is_exact_in_place_and_wrong() -> None:
    answers = [Judged("a", True, True), Judged("a", False, True), Judged("a", False, False), None]
    found = shares(answers)
    assert (found["shown"], found["exact"]) == (0.75, 0.25)
    assert (found["in place of shown"], found["wrong of shown"]) == (0.6667, 0.3333)


def test_quiet_moments_stand_apart_in_the_figures() -> None:
    some = [replace(one, answers=(one.answers[0],) * 4) for one in toy_moments(4)]
    some.append(replace(some[0], kind="finished", coming=0, answers=(Judged("repeat", False, False),) + (None,) * 3))
    found = figures(some)
    assert (found["moments"], found["due"]) == (5, 4)
    assert found["dials"]["0.5"]["quiet"]["finished"] == {"moments": 1, "quiet": 0.0}
    assert found["dials"]["0.9"]["quiet"]["finished"] == {"moments": 1, "quiet": 1.0}
    assert found["dials"]["0.5"]["sources"]["repeat"]["where nothing is due"] == 1


def test_values_that_get_a_name_are_replayed_alone(setting: Setting) -> None:
    before = (
        "def load(o): pass\n\n\nasync def f(o):\n    check(o)\n    tell(o)\n    show(o.price * 2)\n    load(o)\n"
        "    return o.price * 2\n"
    )
    after = before.replace("(o)\n    tell", "(o)\n    cost = o.price * 2\n    tell").replace(
        "show(o.price * 2", "show(cost"
    )
    after = after.replace("return o.price * 2", "return cost")
    found = list(consequence_moments(setting, commit(before, after), random.Random(0)))
    sources = {source for one in found for source, right in zip(one.sources, one.right, strict=True) if right}
    assert "value" in sources


def test_of_each_language_so_many_projects_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_files, "EXTENSIONS", {"python": ".py", "java": ".java"})
    monkeypatch.setattr(project_files, "projects_of", lambda split, language: [f"{language}/{n}" for n in range(4)])
    for name in ("python+1", "python+2", "python+3", "java+0"):
        project_files.save_rows(tmp_path / "fit" / f"{name}.rows", [name])
    found = project_files.project_rows(tmp_path / "none", tmp_path, "fit", "x", lambda *_: [], most=2)
    assert [row for rows, _ in found for row in rows] == ["python+1", "python+2", "java+0"]


def test_only_projects_of_the_asked_languages_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_files, "projects_of", lambda split, language: [f"{language}/0"])
    for name in ("python+0", "go+0", "rust+0"):
        project_files.save_rows(tmp_path / "dev" / f"{name}.rows", [name])
    found = project_files.project_rows(tmp_path, tmp_path, "dev", "x", lambda *_: [], languages=("go", "rust"))
    assert list(found) == [(["go+0"], "go"), (["rust+0"], "rust")]


def test_a_project_is_read_in_its_commonest_language_of_those_that_share_a_model(tmp_path: Path) -> None:
    for name in ("a.js", "b.js", "c.ts", "dist/d.ts", "dist/e.ts", "dist/f.ts"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    for command in (["init"], ["add", "."], ["-c", "user.name=n", "-c", "user.email=n@example.org", "commit", "-m1"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True, capture_output=True)
    project = Project("toy/toy", tmp_path, "HEAD", "MIT")
    found = main_language(project, "typescript")
    assert found is not None
    assert (found[0], found[1].id) == (".js", "javascript")
    assert main_language(project, "go") is None
