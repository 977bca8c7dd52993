"""`editahead next-edit --all`: every remaining place of a repeated edit, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editahead.cli.errors import ExitCode
from editahead.suggest.types import Document, NextEdits, QueuedEdit, Reason, Shown, Suppressed
from editahead.text.edits import ByteEdit

Cli = Callable[..., Any]
BEFORE = "a = old(1)\nb = old(2)\né = old(3)\nd = old(4)\n"
AFTER = BEFORE.replace("old(1)", "new(1)").replace("old(2)", "new(2)")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(BEFORE, encoding="utf-8")
    after.write_text(AFTER, encoding="utf-8")
    return before, after


def queue(document: Document, byte: int, cancel: object) -> Any:
    """The two places that are left, one of them unsure."""
    data = document.syntax.buffer.data
    places = [data.index(b"old(3)"), data.index(b"old(4)")]
    items = tuple(
        QueuedEdit(document.uri, 1, ByteEdit(at, at + 3, b"new"), p, "repeat-7", 2, line, 1, "k", "old -> new", p > 0.8)
        for at, p, line in zip(places, (0.91, 0.4), (2, 3), strict=True)
    )
    return Shown(NextEdits(items), 0.91)


def test_places_are_printed_with_their_probability(cli: Cli, engine: Any, files: tuple[Path, Path]) -> None:
    engine.next_edits = queue
    result = cli("next-edit", "--all", *files)
    assert result.code == ExitCode.ANSWERED
    lines = result.out.splitlines()
    joined = result.out.replace("\n", "")
    assert f"{files[1]}:3:5  91 %" in joined
    assert f"{files[1]}:4:5  40 %  (not sure)" in joined
    assert [line for line in lines if line[:1] in "-+"] == [
        "-é = old(3)",
        "+é = new(3)",
        "-d = old(4)",
        "+d = new(4)",
    ]


def test_places_as_json(cli: Cli, engine: Any, files: tuple[Path, Path]) -> None:
    engine.next_edits = queue
    answer = json.loads(cli("next-edit", "--all", "--json", *files).out)
    assert (answer["shown"], answer["probability"], len(answer["items"])) == (True, 0.91, 2)
    assert answer["items"][0] == {
        "range": {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 8}},
        "newText": "new",
        "probability": 0.91,
        "sure": True,
        "group": "repeat-7",
        "examples": 2,
    }


def test_an_empty_queue_says_why(cli: Cli, engine: Any, files: tuple[Path, Path]) -> None:
    engine.next_edits = lambda *asked: Suppressed(Reason.EMPTY, "no edit is repeated that could go on elsewhere")
    result = cli("next-edit", "--all", *files)
    assert result.code == ExitCode.QUIET
    assert "no edit is repeated" in result.out
