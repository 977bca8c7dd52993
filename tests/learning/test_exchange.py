"""Export and import of the memory: nothing of the code is in it, and a stranger's file is bounded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from editahead.learning.database import KindChange, MemoryDatabase
from editahead.learning.exchange import ExchangeError, export_text, import_file
from editahead.learning.rejected_kinds import DAY, MAX_WEIGHT, RejectedKind
from editahead.learning.scoreboard import CountKey

TODAY = 20_000
KEY = CountKey("/home/zoe/okapi", "python", "inline", 8, "accepted")
KIND = RejectedKind("/home/zoe/okapi", "0123456789abcdef", "python", "next_edit", "rename", "return")


@pytest.fixture
def database(tmp_path: Path) -> MemoryDatabase:
    database = MemoryDatabase(tmp_path / "memory", lambda: TODAY * DAY)
    database.begin_session([KEY.project])
    database.add({KEY: 3, KEY._replace(project="/home/zoe/tapir"): 4}, [KindChange(KIND, True)])
    return database


def exported(database: MemoryDatabase, path: Path) -> Path:
    path.write_text(export_text(database.read(by_project=True)), encoding="utf-8")
    return path


def test_what_is_exported_is_imported_once(database: MemoryDatabase, tmp_path: Path) -> None:
    file = exported(database, tmp_path / "memory.json")
    other = MemoryDatabase(tmp_path / "other", lambda: TODAY * DAY)
    for _ in range(2):
        other.merge(*import_file(file, TODAY))
    contents = other.read(by_project=True)
    assert sorted(contents.counts.values()) == [3, 4]
    assert len({key.project for key in contents.counts}) == 2
    assert [(kind.pattern, kind.weight, kind.count) for kind in contents.kinds] == [(KIND.pattern, 1.0, 1)]
    database.merge(*import_file(file, TODAY))
    assert sum(database.read().counts.values()) == 14, "what was there stays"


def test_neither_projects_nor_their_hashes_are_exported(database: MemoryDatabase) -> None:
    contents = database.read(by_project=True)
    text = export_text(contents)
    assert not any(word in text for word in ("okapi", "zoe", "tapir"))
    assert not any(project and project in text for project in contents.sessions)
    assert json.loads(text)["counts"][0][0] in (1, 2)


GOOD: dict[str, Any] = {
    "title": "editahead memory",
    "format": 1,
    "counts": [[1, "python", "inline", 8, "accepted", 3]],
    "rejected": [[1, "0123456789abcdef", "python", "inline", "", "other", 1.0, 1, 20_000]],
}


@pytest.mark.parametrize(
    "change",
    [
        {"title": "other"}, {"format": 2}, {"counts": None}, {"counts": [[1]]}, {"rejected": "x"},
        {"counts": [[1, "python", "inline", 10, "accepted", 3]]},
        {"counts": [[1, "python", "inline", 8, "accepted", -3]]},
        {"counts": [[1, "python", "inline", 8, "accepted", 10**12]]},
        {"counts": [[1, "python", "inline", 8, "eager", 3]]},
        {"counts": [[1, "import os; os.system('x')", "inline", 8, "accepted", 3]]},
        {"counts": [[1, "python", "x" * 31, 8, "accepted", 3]]},
        {"rejected": [[1, "zz", "python", "inline", "", "other", 1.0, 1, 20_000]]},
        {"rejected": [[1, "0123456789abcdef", "python", "inline", "\u001b[2J", "other", 1.0, 1, 20_000]]},
        {"rejected": [GOOD["rejected"][0]] * 2001},
    ],
)  # fmt: skip
def test_a_wrong_value_is_an_error_of_one_line(tmp_path: Path, change: dict[str, Any]) -> None:
    file = tmp_path / "memory.json"
    file.write_text(json.dumps({**GOOD, **change}), encoding="utf-8")
    with pytest.raises(ExchangeError) as caught:
        import_file(file, TODAY)
    assert str(file) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert "\u001b" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"[" * 100_000, b"null", b'{"title": NaN}', b" " * 20_000_001])
def test_rubbish_is_an_error_of_one_line(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "memory.json"
    file.write_bytes(data)
    with pytest.raises(ExchangeError) as caught:
        import_file(file, TODAY)
    assert len(str(caught.value).splitlines()) == 1


def test_weights_and_days_of_a_stranger_are_bounded(tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    row = [1, "0123456789abcdef", "python", "inline", "", "other", 1e300, 1, 10_000_000]
    file.write_text(json.dumps({**GOOD, "rejected": [row, [*row[:6], -5.0, 1, 7]]}), encoding="utf-8")
    _, kinds, _ = import_file(file, TODAY)
    assert [(kind.weight, kind.day) for kind in kinds] == [(MAX_WEIGHT, TODAY), (0.0, 7)]
