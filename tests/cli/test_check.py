"""`editahead check`: exit codes, the three forms of output, and errors of one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import editahead
import pytest
from editahead.check.git import CheckedRepository
from editahead.cli.errors import ExitCode
from editahead.settings import SECRETS

from tests.check.repos import Repo, bundle

Cli = Callable[..., Any]
CALLS = "def use():\n\ta = load(1)\n\té = '[b]'; b = load(2)\n\tc = load(3)\n"
DONE = (("load(1)", "load(1, now)"), ("load(3)", "load(3, now)"))


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository in which two of three calls were changed; the third stands in a folder with a blank in its name."""
    made = Repo(tmp_path / "repo")
    made.put("a b/é.py", CALLS).put("other.py", "x = 1\n").commit()
    made.change("a b/é.py", *DONE)
    monkeypatch.chdir(made.root)
    monkeypatch.setattr("editahead.check.leftover.left_rate", lambda kind: 0.0)  # these texts declare nothing
    return made


@pytest.fixture
def ask(cli: Cli, tmp_path: Path) -> Cli:
    folder = bundle(tmp_path).path
    return lambda *arguments: cli("check", "--bundle", folder, *arguments)


def test_text_names_the_place_what_it_becomes_and_the_examples(repo: Repo, ask: Cli) -> None:
    result = ask()
    assert (result.code, result.err) == (1, "")
    assert result.out.splitlines() == [
        "a b/é.py:3:23: changed at 2 of 3 places, not here (95 %)",
        "  -     é = '[b]'; b = load(2)",
        "  +     é = '[b]'; b = load(2, now)",
        "    like a b/é.py:2, a b/é.py:4",
        "",
        "1 place probably missed (1 repeated edit in 1 changed file)",
    ]
    assert ask().out == result.out


def test_nothing_forgotten_is_exit_code_0_in_every_form(repo: Repo, ask: Cli) -> None:
    repo.change("a b/é.py", ("load(2)", "load(2, now)"))
    result = ask()
    assert (result.code, result.out) == (0, "no missed places (1 repeated edit in 1 changed file)\n")
    assert json.loads(ask("--format", "json").out)["missed"] == []
    assert json.loads(ask("--format", "sarif").out)["runs"][0]["results"] == []
    repo.commit()
    assert ask().out == "no missed places (0 repeated edits in 0 changed files)\n"
    assert ask("--base", "HEAD~1").code == 0


def test_paths_and_precision_bound_what_is_reported(repo: Repo, ask: Cli) -> None:
    assert (ask("other.py").code, ask("a b").code, ask("other.py", "a b/é.py").code) == (0, 1, 1)
    assert (ask("--precision", "0.96").code, ask("--precision", "0.95").code) == (0, 1)


def test_a_path_counts_from_where_the_user_stands(repo: Repo, ask: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.root / "a b")
    assert (ask("é.py").code, ask(".").code, ask("../other.py").code, ask().code) == (1, 1, 0, 1)


def test_json(repo: Repo, ask: Cli) -> None:
    result = ask("--format", "json")
    answer = json.loads(result.out)
    (one,) = answer.pop("missed")
    assert answer == {
        "version": 1, "root": str(repo.root), "base": repo.git("rev-parse", "HEAD"), "head": None, "precision": 0.8,
        "files": 1, "edits": 1, "leftovers": [], "notes": [],
    }  # fmt: skip
    assert one.pop("probability") == pytest.approx(0.9526, abs=1e-4)
    assert one.pop("group").startswith("repeat-")
    assert one == {
        "path": "a b/é.py",
        "range": {"start": {"line": 3, "column": 23}, "end": {"line": 3, "column": 23}},
        "newText": ", now",
        "message": "changed at 2 of 3 places, not here",
        "before": ["\té = '[b]'; b = load(2)"],
        "after": ["\té = '[b]'; b = load(2, now)"],
        "remaining": 1,
        "examples": [{"path": "a b/é.py", "line": 2}, {"path": "a b/é.py", "line": 4}],
    }
    assert result.code == 1


def test_sarif_has_the_shape_of_the_standard(repo: Repo, ask: Cli) -> None:
    result = ask("--format", "sarif")
    log = json.loads(result.out)
    assert result.code == 1
    assert (log["version"], log["$schema"].endswith("sarif-2.1.0.json")) == ("2.1.0", True)
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("editahead", editahead.__version__)
    rule, leftover = driver["rules"]
    assert leftover["id"] == "leftover"
    (found,) = run["results"]
    assert found["ruleId"] == rule["id"] == "missed-edit"
    assert run["tool"]["driver"]["rules"][found["ruleIndex"]] is rule
    assert found["level"] in ("none", "note", "warning", "error")
    assert 0.0 <= found["rank"] <= 100.0
    (location,) = found["locations"]
    where = location["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "a%20b/%C3%A9.py"
    assert where["region"] == {"startLine": 3, "startColumn": 23, "endLine": 3, "endColumn": 23}
    assert run["columnKind"] == "unicodeCodePoints"
    (fix,) = found["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == where["artifactLocation"]
    assert change["replacements"] == [{"deletedRegion": where["region"], "insertedContent": {"text": ", now"}}]
    assert [one["physicalLocation"]["region"]["startLine"] for one in found["relatedLocations"]] == [2, 4]
    assert all(isinstance(text, str) for text in found["partialFingerprints"].values())
    every = [found["message"], fix["description"], *(rule[key] for key in ("shortDescription", "fullDescription"))]
    assert all(message["text"].strip() for message in every)


@pytest.fixture
def caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository in which a function takes another argument, and its call stays as it was."""
    made = Repo(tmp_path / "calls")
    made.put("lib.py", "def load(path):\n    return path\n").put("use.py", "from lib import load\n\nload(1)\n").commit()
    made.change("lib.py", ("(path)", "(path, mode)"))
    monkeypatch.chdir(made.root)
    monkeypatch.setattr("editahead.check.leftover.left_rate", lambda kind: 0.9)
    return made


def test_what_a_change_left_behind_has_its_reason_in_every_form(caller: Repo, ask: Cli) -> None:
    result = ask()
    assert (result.code, result.err) == (1, "")
    assert result.out.splitlines() == [
        "use.py:3:1: calls `load` without its new argument `mode` (90 %)",
        "    load(1)",
        "    since lib.py:1",
        "",
        "no missed places, 1 left behind (0 repeated edits in 1 changed file)",
    ]
    answer = json.loads(ask("--json").out)
    assert answer["missed"] == []
    assert answer["leftovers"] == [
        {
            "path": "use.py",
            "range": {"start": {"line": 3, "column": 1}, "end": {"line": 3, "column": 5}},
            "kind": "call-elsewhere",
            "name": "load",
            "probability": 0.9,
            "message": "calls `load` without its new argument `mode`",
            "before": ["load(1)"],
            "cause": {"path": "lib.py", "line": 1},
        }
    ]
    (found,) = json.loads(ask("--format", "sarif").out)["runs"][0]["results"]
    assert (found["ruleId"], found["ruleIndex"], found["rank"]) == ("leftover", 1, 90)
    assert found["message"]["text"] == answer["leftovers"][0]["message"]
    assert found["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "lib.py"
    assert (ask("lib.py").code, ask("--precision", "0.95").code) == (0, 0)
    caller.change("use.py", ("load(1)", "load(1, 2)"))
    assert (ask().code, ask("--format", "json").code) == (0, 0)


def test_a_line_is_reported_once(repo: Repo, ask: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("editahead.check.leftover.left_rate", lambda kind: 0.9)
    text = "def load(a):\n    return a\n\nload(1)\nload(2)\nload(3)\n"
    repo.commit()
    repo.put("once.py", text).commit()
    repo.change("once.py", ("load(a)", "load(a, b)"), ("load(1)", "load(1, 0)"), ("load(2)", "load(2, 0)"))
    answer = json.loads(ask("--json", "once.py").out)
    assert [one["before"] for one in answer["missed"]] == [["load(3)"]]
    assert answer["leftovers"] == []


def test_a_fingerprint_stays_when_other_lines_move(repo: Repo, ask: Cli) -> None:
    def prints() -> list[Any]:
        results = json.loads(ask("--format", "sarif").out)["runs"][0]["results"]
        return [found["partialFingerprints"] for found in results]

    first = prints()
    repo.change("a b/é.py", ("def use", "import os\n\n\ndef use"))
    assert prints() == first
    repo.change("a b/é.py", ("load(2)", "load(20)"))
    assert prints() != first


def test_equal_lines_have_fingerprints_of_their_own(repo: Repo, ask: Cli) -> None:
    repo.put("twice.py", "go(1)\ngo(2)\ngo(3)\ngo(3)\n").commit()
    repo.change("twice.py", ("go(1)", "go(1, now)"), ("go(2)", "go(2, now)"))
    results = json.loads(ask("--format", "sarif", "twice.py").out)["runs"][0]["results"]
    assert len(results) == len({found["partialFingerprints"]["missedEdit/v1"] for found in results}) == 2


def test_leftovers_of_equal_lines_have_fingerprints_of_their_own(caller: Repo, ask: Cli) -> None:
    caller.put("use.py", "from lib import load\n\nload(1, 2)\nload(1, 2)\nload(1, 2); load(1, 2)\n").commit()
    caller.change("lib.py", ("mode", "mode, more"))
    results = json.loads(ask("--format", "sarif").out)["runs"][0]["results"]
    assert len(results) == len({found["partialFingerprints"]["missedEdit/v1"] for found in results}) == 4


def test_a_new_line_is_shown_behind_the_one_that_it_follows(repo: Repo, ask: Cli) -> None:
    text = "".join(f"x{n} = [\n    start(),\n]\n" for n in range(3))
    repo.put("lines.py", text).commit()
    repo.put("lines.py", text.replace("    start(),\n", "    start(),\n    more(),\n", 2))
    (one,) = json.loads(ask("--format", "json").out)["missed"]
    assert (one["before"], one["after"]) == (["    start(),"], ["    start(),", "    more(),"])
    assert one["range"]["start"]["line"] == 10


def test_code_never_reaches_the_terminal_as_markup_or_control(repo: Repo, ask: Cli) -> None:
    text = "".join(f"a{n} = load({n}) # [bold]\x1b[31m\n" for n in range(3))
    repo.put("raw.py", text).commit()
    repo.put("raw.py", text.replace("load(0)", "load(0, now)").replace("load(1)", "load(1, now)"))
    out = ask().out
    assert "\x1b" not in out
    assert "a2 = load(2, now) # [bold]\ufffd[31m" in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--base", "nope"), "there is no revision nope here: see git log, or fetch it (in CI: fetch-depth: 0)"),
        (("gone.py",), "gone.py does not exist: name a file or folder of the repository"),
        (("--precision", "2"), "--precision 2 is out of range: give a number from 0 to 1"),
    ],
)
def test_why_it_cannot_run_is_one_line(repo: Repo, ask: Cli, arguments: tuple[str, ...], problem: str) -> None:
    result = ask(*arguments)
    assert (result.code, result.out, result.err) == (ExitCode.USAGE, "", f"editahead: {problem}\n")


def test_outside_a_repository_and_with_a_wrong_form_it_cannot_run(
    ask: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ask()
    assert result.code == ExitCode.USAGE
    assert result.err == f"editahead: {tmp_path} is in no git repository: run this inside one\n"
    assert ask("--format", "xml").code == ExitCode.USAGE


def test_without_a_model_it_cannot_run(cli: Cli, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("editahead.check.run.find_bundles", list)
    result = cli("check")
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    assert result.err.startswith("editahead: no model of repeated edits is installed: install a bundle")
    (tmp_path / "broken").mkdir()
    broken = cli("check", "--bundle", tmp_path / "broken")
    assert broken.code == ExitCode.USAGE
    assert "manifest.json: expected a readable file" in broken.err
    assert broken.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [("--base", "^HEAD"), ("--base", "-x"), ("n" * 300,), ("loop",)])
def test_what_cannot_be_meant_is_exit_code_2_and_one_line(repo: Repo, ask: Cli, arguments: tuple[str, ...]) -> None:
    (repo.root / "loop").symlink_to("loop")
    result = ask(*arguments)
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    assert result.err.count("\n") == 1


def test_a_path_cannot_steer_the_terminal(monkeypatch: pytest.MonkeyPatch, repo: Repo, ask: Cli) -> None:
    monkeypatch.setattr(CheckedRepository, "conflicts", lambda self, span: {"a\x1b[31m\nb.py"})
    assert "note: a\ufffd[31m\ufffdb.py is left out: it has a merge conflict\n" in ask().out


def test_files_that_may_hold_secrets_are_not_even_searched(repo: Repo) -> None:
    repo.put("my_Secret.py", CALLS).put(".env.py", CALLS).put(".aws/x.py", CALLS).put("seen.py", CALLS)
    repository = CheckedRepository.around(repo.root)
    span = repository.span("HEAD")
    assert {"my_Secret.py", ".env.py", ".aws/x.py", "seen.py"} <= set(repository.holding(["load"], span))
    assert set(repository.holding(["load"], span, SECRETS)) == {"a b/é.py", "seen.py"}
