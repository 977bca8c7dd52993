"""The page of missed aims: its bounds are judged by stored figures, and its ideas stand in the log."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("rich")

from editahead_models.publishing.page import derive
from editahead_models.report.pages import page
from editahead_models.report.pages.stored import Group, groups_of
from editahead_models.report.pages.tables import tables

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "models/results"
PAGE = (ROOT / "docs/results/missed-aims.md").read_text(encoding="utf-8")
ENOUGH = 5
"""Ideas that must have been tried before an aim counts as missed for a reason."""


def test_the_page_says_what_is_stored() -> None:
    spec = page.read_spec("missed-aims")
    groups = groups_of(spec["source"], DATA)
    derive(groups)
    assert page.page_text("missed-aims", spec, groups) == PAGE, "run `editahead-models report`"
    aims = next(part["table"] for part in spec["part"] if part.get("table", {}).get("group") == "aims")
    for line in "\n".join(tables(aims, groups)).splitlines()[2:]:
        assert "| - |" not in line, f"an aim without a stored figure: {line}"


def test_each_reason_has_enough_tried_ideas_with_a_section_of_the_log() -> None:
    sections = {line.removeprefix("## ") for line in (ROOT / "models/LOG.md").read_text(encoding="utf-8").splitlines()}
    for reason in PAGE.split("\n## ")[1:]:
        logs = re.findall(r"\(Log: \*(.+?)\*\)$", reason, re.MULTILINE)
        assert len(logs) >= ENOUGH, reason.splitlines()[0]
        assert {*logs} <= sections


@pytest.mark.parametrize(("bound", "said"), [({"most": 5}, "**no**"), ({"most": 7}, "yes"), ({"least": 7}, "**no**")])
def test_an_aim_is_judged_by_its_stored_figure(bound: dict[str, float], said: str) -> None:
    columns = [{"title": "measured", "key": "times"}, {"title": "reached", "key": "times", "reached": True}]
    spec = {"group": "aims", "columns": columns}
    entry = {"label": "p50", "file": "times", "path": "aims:p50:value", "unit": " ms", "digits": 2, **bound}
    rows = {"times": {"aims": [{"name": "other"}, {"name": "p50", "value": 6.17}]}}
    (table,) = tables({**spec, "rows": [entry]}, {"aims": Group("aims", "aims", rows)})
    assert f"| p50 | 6.17 ms | {said} |" in table
    (table,) = tables({**spec, "rows": [{**entry, "path": "aims:p99:value"}]}, {"aims": Group("aims", "aims", rows)})
    assert "| p50 | - | - |" in table
