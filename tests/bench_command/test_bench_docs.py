"""docs/commands/bench.md names every figure, and its session can be read."""

from __future__ import annotations

import re
from pathlib import Path

from editahead.bench.figures import FIGURES, PROCESS_TITLES
from editahead.recording.session_file import RecordedChange, read_session

PAGE = (Path(__file__).parents[2] / "docs" / "commands" / "bench.md").read_text(encoding="utf-8")


def test_every_figure_is_explained() -> None:
    surfaces = "completion|inline|next_edit"
    keys = [figure.key for figure in FIGURES if not re.fullmatch(rf"({surfaces})_p\d\d", figure.key)]
    assert [key for key in (*keys, *PROCESS_TITLES) if f"`{key}`" not in PAGE] == []


def test_the_session_of_the_page_is_one(tmp_path: Path) -> None:
    found = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert found
    path = tmp_path / "session.jsonl"
    path.write_text(found.group(1), encoding="utf-8")
    events = read_session(path)
    assert [type(event).__name__ for event in events] == ["Open", "RecordedChange", "Close"]
    assert isinstance(events[1], RecordedChange)
    assert events[1].edits[0].new == b"p"
