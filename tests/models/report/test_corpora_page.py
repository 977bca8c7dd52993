"""docs/results/corpora.md says what its data says."""

from __future__ import annotations

from pathlib import Path

from editahead_models.report import corpora

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_written_from_its_data(tmp_path: Path) -> None:
    made = corpora.write(tmp_path, ROOT / "models" / "results")
    assert made is not None
    assert made.read_text(encoding="utf-8") == (ROOT / "docs" / "results" / made.name).read_text(encoding="utf-8")


def test_without_data_no_page_is_written(tmp_path: Path) -> None:
    assert corpora.write(tmp_path, tmp_path) is None
