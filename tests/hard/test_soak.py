"""What `make soak` makes of its measurements."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hard.soak import Soaked, type_on
from tests.hard.soak_page import keep


def test_growth_is_counted_once_memory_is_warm() -> None:
    memory = [(keys, 100.0 + min(keys, 200) / 10) for keys in range(10, 1001, 10)]
    assert Soaked(keys=1000, memory=memory).growth_mb() == pytest.approx(0.0)
    leaking = [(keys, size + keys / 100) for keys, size in memory]
    assert Soaked(keys=1000, memory=leaking).growth_mb() == pytest.approx(7.0, abs=0.2)


def test_the_rows_of_other_languages_stay(tmp_path: Path) -> None:
    row = {"edits": 10, "shown": 1_000, "judged": 9, "broken": 0, "commit": "abc"}
    about = {"dial": 0.3, "files": "files", "seed": 1}
    keep(tmp_path, "edits", {"rows": [{"language": "go", **row}, {"language": "java", **row, "broken": 2}], **about})
    keep(tmp_path, "edits", {"rows": [{"language": "java", **row}], **about})
    page = (tmp_path / "soak.md").read_text(encoding="utf-8")
    assert "| go | 10 | 1,000 | 9 | 0 | 0.30 | abc |" in page
    assert "| java | 10 | 1,000 | 9 | 0 | 0.30 | abc |" in page
    assert "| all | 20 | 2,000 | 18 | 0 | 0.15 |  |" in page


@pytest.mark.slow
def test_a_short_soak_is_answered_and_kept_beside_the_other_half(tmp_path: Path) -> None:
    done = type_on(300, ask_every=20)
    assert done.keys >= 300
    assert done.answers == done.keys // 20
    keep(tmp_path, "steps", {"steps": 123_456, "seconds": 600.0})
    keys = {"keys": done.keys, "answers": done.answers, "shown": done.shown, "seconds": 1.0}
    keep(tmp_path, "keys", {**keys, "memory": done.memory, "growth_mb": 0.5})
    keep(tmp_path, "typed", {"rows": [{"editor": "Neovim", "language": "go", "lines": 250, "wrong": 0, "menus": 77}]})
    keep(tmp_path, "fuzz", {"seconds": 60, "door": {"runs": 7, "edges": 8}, "bundle": {"runs": 9, "edges": 10}})
    kept = json.loads((tmp_path / "data" / "soak.json").read_text(encoding="utf-8"))
    assert set(kept) == {"keys", "steps", "typed", "fuzz"}
    page = (tmp_path / "soak.md").read_text(encoding="utf-8")
    assert f"{done.keys:,} keystrokes" in page
    assert "123,456 steps" in page
    assert "| go | 250 | 0 | 77 |" in page
    assert "7 runs of the message handler (8 edges" in page
    assert (tmp_path / "soak-memory.svg").exists()
