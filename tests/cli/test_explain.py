"""`explain`: every candidate and every token of ghost text with its probability, its source and its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from editahead.cli.errors import ExitCode
from editahead.runtime.ort import CPU, Selection
from editahead.suggest.types import (
    Completion,
    Completions,
    Explanation,
    GateReading,
    GhostToken,
    InlineSuggestion,
    Reason,
    Shown,
    Suppressed,
)

from .conftest import Result

Cli = Callable[..., Result]
SOURCE = "class Folder:\n    def __init__(self, suffix):\n        self.su\n"
AT = len(SOURCE) - 1
COMMON = GateReading(Reason.COMMENT_OR_STRING, True, "cursor in code")
BAR = GateReading(Reason.LOW_PROBABILITY, True, "0.850 of at least 0.610")
ITEMS = (
    Completion("suffix", 0.87, "parameter", "pointer", 1),
    Completion("[bold]submit[/]", 0.06, "name", "project", 1, "tools/util.py"),
    Completion("suit", 0.03, "name", "open", 4, "file:///gone.py"),
    Completion("sum", 0.02, "function", "vocabulary"),
)
TOKENS = (
    GhostToken("suffix", 0.99, "pointer", 1, None, 0.36),
    GhostToken(" =", 0.78, "vocabulary", None, None, 0.02),
    GhostToken("\n        ", 0.9, "cache"),
)
GHOST = Shown(InlineSuggestion("ffix =\n        ", AT, AT, TOKENS), 0.85, (COMMON, BAR))


@pytest.fixture
def ask(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Result]:
    """Explains the end of SOURCE, with a given answer for ghost text."""
    path = tmp_path / "folder.py"
    path.write_text(SOURCE, encoding="utf-8")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "util.py").write_text("import os\ndef submit(form): ...\n", encoding="utf-8")

    def run(*arguments: str, inline: Any = GHOST, unsure: Any = None, width: int = 120) -> Result:
        surfaces: dict[str, Any] = {
            "completion": Shown(Completions(ITEMS, AT - 2, AT, False, 0.63), 0.87, (COMMON,)),
            "inline": inline,
            "next_edit": Suppressed(Reason.EMPTY, "no edit yet", (COMMON,)),
        }
        answer = Explanation("python", ("toy-python-1",), (COMMON,), surfaces, unsure)
        report = SimpleNamespace(failures=(), selection=Selection("auto", CPU, ""))
        fake = SimpleNamespace(explain=lambda *_: answer, report=lambda: report)
        monkeypatch.setattr("editahead.cli.question.asking.load_engine", lambda bundles, device: fake)
        monkeypatch.setenv("COLUMNS", str(width))
        return cli("explain", f"{path}:3:16", *arguments)

    return run


def row(result: Result, text: str) -> str:
    """The one line of the output that holds a text."""
    (line,) = (line for line in result.out.splitlines() if text in line)
    return line


def test_each_candidate_has_its_source_and_the_line_that_it_comes_from(ask: Callable[..., Result]) -> None:
    result = ask()
    assert result.code == ExitCode.ANSWERED
    assert "has read: 63 %" in row(result, "copies a name")
    best = row(result, "87 %").split()
    assert best[:2] == ["1", "suffix"]
    assert best[-6:] == ["parameter", "copied", "2", "def", "__init__(self,", "suffix):"]
    assert "the project" in row(result, "[bold]submit[/]")  # never read as markup
    assert "tools/util.py:2" in row(result, "[bold]submit[/]")
    assert "def submit(form): ..." in row(result, "[bold]submit[/]")
    assert "another open file" in row(result, "suit")
    assert "vocabulary" in row(result, "sum")


def test_each_token_of_ghost_text_has_its_chance_and_the_pointers_share(ask: Callable[..., Result]) -> None:
    result = ask()
    assert "    3 │         self.suffix =" in result.out
    copied = row(result, "99 %")
    for text in ("suffix", "36 %", "copied", "def __init__(self, suffix):"):
        assert text in copied
    assert "vocabulary" in row(result, "78 %")
    assert "↵ 8" in row(result, "words of this file")
    assert "calibrated probability 85 %" in result.out


def test_gates_that_all_surfaces_share_are_told_once(ask: Callable[..., Result]) -> None:
    result = ask()
    assert result.out.count("cursor in code") == 1
    assert result.out.count("0.850 of at least 0.610") == 1


def test_what_a_lower_precision_would_show_is_shown(ask: Callable[..., Result]) -> None:
    quiet = Suppressed(Reason.LOW_PROBABILITY, "0.412 of at least 0.610", (COMMON,))
    result = ask(inline=quiet, unsure=(0.5, GHOST))
    assert "nothing to suggest (low-probability: 0.412 of at least 0.610)" in result.out
    assert "with editahead.precision at 0.5 this would be shown:" in result.out
    assert "self.suffix =" in result.out
    answer = json.loads(ask("--json", inline=quiet, unsure=(0.5, GHOST)).out)
    assert answer["surfaces"]["inline"]["shown"] is False
    assert (answer["unsure"]["precision"], answer["unsure"]["insert"]) == (0.5, "ffix =\n        ")


def test_json_has_every_candidate_and_token_with_its_origin(ask: Callable[..., Result]) -> None:
    answer = json.loads(ask("--json").out)
    completion = answer["surfaces"]["completion"]
    assert completion["copyShare"] == 0.63
    assert completion["items"][0] == {
        "label": "suffix", "probability": 0.87, "kind": "parameter", "source": "pointer",
        "originLine": 2, "originWhere": None, "originText": "def __init__(self, suffix):",
    }  # fmt: skip
    assert completion["items"][1]["originWhere"] == "tools/util.py"
    assert completion["items"][1]["originText"] == "def submit(form): ..."
    assert completion["items"][2]["originText"] is None  # that file is not there
    assert completion["items"][3]["originLine"] is None
    tokens = answer["surfaces"]["inline"]["tokens"]
    assert tokens[0] == {
        "text": "suffix", "probability": 0.99, "copyShare": 0.36, "source": "pointer",
        "originLine": 2, "originWhere": None, "originText": "def __init__(self, suffix):",
    }  # fmt: skip
    assert [token["source"] for token in tokens] == ["pointer", "vocabulary", "cache"]
    assert answer["unsure"] is None


def test_a_narrow_screen_cuts_the_lines_and_not_the_numbers(ask: Callable[..., Result]) -> None:
    result = ask(width=80)
    assert all(len(line) <= 80 for line in result.out.splitlines())
    assert "87 %" in result.out
    assert "copied" in row(result, "87 %")
