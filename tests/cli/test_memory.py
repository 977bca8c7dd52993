"""`editahead memory` and `editahead stats`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.index.stored_files import Fingerprint, StoredFile
from editahead.learning.database import KindChange, MemoryDatabase
from editahead.learning.rejected_kinds import RejectedKind
from editahead.learning.scoreboard import CountKey
from editahead.learning.stored_index import StoredIndex, StoredProject

from .conftest import Result

Cli = Callable[..., Result]
PATTERN = "0123456789abcdef"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "editahead" / "memory"


@pytest.fixture
def database(folder: Path, tmp_path: Path) -> MemoryDatabase:
    database = MemoryDatabase(folder)
    project = str(tmp_path / "okapi")
    database.begin_session([project])
    counts = {"offered": 30, "shown": 20, "accepted": 16, "rejected": 3, "undone": 1, "saved keys": 90}
    keys = {CountKey(project, "python", "inline", 8, event): count for event, count in counts.items()}
    kind = RejectedKind(project, PATTERN, "python", "inline", "", "return")
    typed = {CountKey(project, "", "", 0, "typed keys"): 910, CountKey("", "", "inline", 2, "answered"): 7}
    database.add({**keys, **typed}, [KindChange(kind, True)] * 3)
    return database


def test_without_a_memory_each_command_says_so_in_one_line_and_writes_nothing(cli: Cli, folder: Path) -> None:
    for arguments in (
        ["stats"],
        ["memory", "show"],
        ["memory", "export", "x.json"],
        ["memory", "forget", "--kind", "a"],
    ):
        result = cli(*arguments)
        assert result.code == 1
        assert result.out == ""
        assert len(result.err.splitlines()) == 1
    assert "editahead.memory is off" in cli("stats").err
    assert not folder.exists()


def test_the_scoreboard(cli: Cli, database: MemoryDatabase) -> None:
    out = cli("stats").out
    assert "Keys saved: 90 beside 910 typed, 9 % of all" in out
    assert "ghost text  python            20        16 (80 %)         3       1              0" in out
    assert "of 20 shown at 80 to 90 %, 80 % were accepted" in out
    assert "ghost text  50 % within 20 ms, 95 % within 20 ms" in out
    assert f"{PATTERN}  python, ghost text, line of return: rejected 3 times, not shown now" in out
    values = json.loads(cli("stats", "--json").out)
    assert values["rejected"][0]["pattern"] == PATTERN
    assert {"language": "python", "kind": "inline", "bucket": 8, "accepted": 16, "offered": 30, "rejected": 3,
            "saved keys": 90, "shown": 20, "undone": 1} in values["counts"]  # fmt: skip


def test_show_names_the_file(cli: Cli, database: MemoryDatabase) -> None:
    assert cli("memory", "show").out.startswith(f"{database.path}: 1 sessions in 1 projects\n")


def test_export_import_and_forget(cli: Cli, database: MemoryDatabase, tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    assert cli("memory", "export", file).code == 0
    assert "okapi" not in file.read_text()
    again = cli("memory", "export", file)
    assert again.code == 2
    assert again.err.endswith("file exists\n")
    assert cli("memory", "forget", "--kind", PATTERN).out == "1 entries deleted\n"
    assert cli("memory", "forget", "--project", tmp_path / "okapi").code == 0
    assert database.read().counts == {CountKey("", "", "inline", 2, "answered"): 7}
    assert cli("memory", "forget", "--project", tmp_path / "okapi").code == 1
    assert cli("memory", "import", file).out == "8 counts and 1 rejected kinds of edits imported\n"
    assert "Keys saved: 90" in cli("stats").out
    assert cli("memory", "forget").code == 0
    assert not database.has_file
    file.write_text("{}")
    wrong = cli("memory", "import", file)
    assert (wrong.code, len(wrong.err.splitlines())) == (2, 1)


def test_the_stored_index_is_shown_and_forgotten_but_not_exported(
    cli: Cli, database: MemoryDatabase, tmp_path: Path
) -> None:
    for name in ("okapi", "zebra"):
        project = StoredProject(tmp_path / name, print, StoredIndex(database.folder))
        project.put("a.py", StoredFile(Fingerprint(1, 2, 3, b"digest"), b"quagga"))
        project.flush()
    index = StoredIndex(database.folder)
    shown = [line for line in cli("memory", "show").out.splitlines() if str(index.path) in line]
    assert len(shown) == 2
    assert all(": 1 files of project " in line for line in shown)
    stored = json.loads(cli("memory", "show", "--json").out)["index"]
    assert [(each["files"], each["bytes"]) for each in stored] == [(1, 6), (1, 6)]
    file = tmp_path / "memory.json"
    assert cli("memory", "export", file).code == 0
    assert "quagga" not in file.read_text()
    assert not any(each["project"] in file.read_text() for each in stored)
    assert cli("memory", "forget", "--project", tmp_path / "okapi").code == 0
    assert len(index.sizes()) == 1
    assert cli("memory", "forget", "--project", tmp_path / "okapi").code == 1
    assert cli("memory", "forget").code == 0
    assert list(database.folder.iterdir()) == []
