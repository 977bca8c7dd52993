"""The tables of a read are made again from its rows; a row that is missing, or another read, is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from editahead_models.publishing.figures import TABLES
from editahead_models.publishing.tables_again import again
from editahead_models.replay.measured_rows import MeasuredRows

PROJECTS = ("a/a", "b/b")
GHOSTS = [{"situation": "line", "typed": False, "shown": [[4, True], [4, True], [3, False], None]}] * 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A work folder of the read `two`, with rows of ghost text."""
    rows = MeasuredRows(tmp_path / "python")
    for project in PROJECTS:
        rows.save(project, "ghost-text", GHOSTS)
    (rows.folder / "read.json").write_text(json.dumps({"id": "two"}), encoding="utf-8")
    return rows.folder


def entry() -> dict[str, Any]:
    """What is stored: completions of the read `one`, ghost text of the read `two`, in tables of old."""
    return {
        "read": "two", "date": "then", "projects": dict.fromkeys(PROJECTS, "1"),
        "rows": {"completions": 8, "ghost-text": 4}, "parts": {"completions": {"read": "one"}},
        "tables": {"completions": {"old": 1}, "ghost-text": {"old": 2}},
    }  # fmt: skip


def test_the_parts_of_the_read_get_new_tables_and_the_others_stay(folder: Path) -> None:
    made, parts = again(entry(), folder)
    assert parts == ["ghost-text"]
    expected = TABLES["ghost-text"]([{"project": project, **row} for project in PROJECTS for row in GHOSTS])
    assert made == entry() | {"tables": {"completions": {"old": 1}, "ghost-text": expected}}


def test_a_folder_of_another_read_is_refused(folder: Path) -> None:
    (folder / "read.json").write_text('{"id": "three"}', encoding="utf-8")
    for published in (entry(), None):
        with pytest.raises(ValueError, match=r"nothing that is published of python comes from its read three$"):
            again(published, folder)


def test_a_folder_that_lost_rows_is_refused(folder: Path) -> None:
    MeasuredRows(folder).path("b/b", "ghost-text").unlink()
    with pytest.raises(ValueError, match=r": 2 rows of ghost-text, and 4 were published$"):
        again(entry(), folder)
