"""docs/results/next-edits.md, consequences.md and corpora.md say what their data says."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("rich")

from editahead_models.report import consequences, corpora, next_edits

ROOT = Path(__file__).resolve().parents[3]
RESULTS, DATA = ROOT / "docs" / "results", ROOT / "models" / "results"


@pytest.mark.parametrize("report", [next_edits, consequences, corpora])
def test_the_page_is_written_from_its_data(report: ModuleType, tmp_path: Path) -> None:
    made = report.write(tmp_path, DATA)
    assert made is not None
    assert made.read_text(encoding="utf-8") == (RESULTS / made.name).read_text(encoding="utf-8")


@pytest.mark.parametrize("report", [next_edits, consequences, corpora])
def test_without_data_no_page_is_written(report: ModuleType, tmp_path: Path) -> None:
    assert report.write(tmp_path, tmp_path) is None
