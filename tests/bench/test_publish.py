"""The tables of times in README.md and docs/figures.md say what models/results/times.json says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.bench.measure import COMPLETION, INLINE, NEXT_EDIT
from tests.bench.publish import BEGIN, DATA, END, PAGES, ROOT, block, block_of, publish, with_block


def figures() -> dict[str, Any]:
    """Of two languages at two lengths; a row of the server under load has no completions of its own."""
    rows = [
        {
            "language_id": language,
            "lines": lines,
            "rss_mb": 100.0 + lines,
            "times": {name: {"p50": p50 + lines, "p99": 30.0} for name in (COMPLETION, INLINE, NEXT_EDIT)},
        }
        for language, p50 in (("python", 1.0), ("java", 2.0))
        for lines in (5, 50)
    ]
    machine = {"processor": "a chip", "cores": 2, "load": "0.5", "commit": "abc"}
    loaded = {"language_id": "java", "lines": 50, "rss_mb": 9000.0, "times": {"beside others": {"p50": 99, "p99": 99}}}
    return {"machine": machine, "start_ms": {"python": 640.0, "java": 700.0}, "results": [*rows, loaded]}


def test_each_cell_is_the_worst_of_the_languages_alone() -> None:
    lines = list(block(figures()))
    assert "a chip, 2 cores, load 0.5, commit abc; the worst of Python, Java" in lines[0]
    assert "0.7 s" in lines[1]
    assert lines[3] == "| | 5 lines | 50 lines |"
    assert lines[5] == "| completion, p50 / p99 | 7 / 30 | 52 / 30 |"
    assert lines[-1] == "| resident memory, MB | 105 | 150 |"
    found = figures()
    lines = list(block({**found, "beside": {"name": "0.1.0", "results": found["results"][:2]}}))
    assert lines[-2] == "| completion of 0.1.0, in the same run | 6 / 30 | 51 / 30 |"
    assert lines[-1] == "| resident memory of 0.1.0, MB | 105 | 150 |"
    assert "0.1.0" not in "".join(block_of(Path("README.md"), {**found, "beside": {"name": "0.1.0"}}))


def test_pages_are_renewed_between_the_markers_or_not_at_all(tmp_path: Path) -> None:
    for page in (*PAGES, DATA):
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / PAGES[0]).write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    (tmp_path / PAGES[1]).write_text("no markers\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no place for the times"):
        publish(tmp_path, figures())
    assert "old" in (tmp_path / PAGES[0]).read_text(encoding="utf-8")
    assert not (tmp_path / DATA).exists()
    (tmp_path / PAGES[1]).write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    publish(tmp_path, figures())
    text = (tmp_path / PAGES[0]).read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert json.loads((tmp_path / DATA).read_text(encoding="utf-8")) == figures()


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_pages_say_what_was_measured(page: Path) -> None:
    found = json.loads((ROOT / DATA).read_text(encoding="utf-8"))
    text = (ROOT / page).read_text(encoding="utf-8")
    assert with_block(text, block_of(page, found)) == text
