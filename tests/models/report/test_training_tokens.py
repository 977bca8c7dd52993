"""The table of training tokens in docs/models.md says what the manifests say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("rich")

from editahead_models.report import training_tokens

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_has_the_table_of_the_bundles() -> None:
    text = (ROOT / training_tokens.PAGE).read_text(encoding="utf-8")
    assert training_tokens.with_block(text, ROOT / training_tokens.BUNDLES) == text, "run `editahead-models report`"
    rows = text.split(training_tokens.BEGIN)[1].split(training_tokens.END)[0].strip().split("\n")[2:]
    assert len(rows) == len(list((ROOT / training_tokens.BUNDLES).glob("spn-*")))


def test_a_row_counts_the_tokens_of_all_projects(tmp_path: Path) -> None:
    bundle = tmp_path / training_tokens.BUNDLES / "spn-go-1"
    bundle.mkdir(parents=True)
    licences = [{"project": "a/b", "tokens": 3_100_000}, {"project": "c/d", "tokens": 900_000}]
    manifest = {"family": "spn", "language": "go", "licences": licences, "recipe": {"training": {"tokens": 10_000_000}}}
    (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    page = tmp_path / training_tokens.PAGE
    page.write_text(f"head\n{training_tokens.BEGIN}\nold\n{training_tokens.END}\ntail\n", encoding="utf-8")
    assert training_tokens.write(tmp_path) == page
    text = page.read_text(encoding="utf-8")
    assert "\n| Go | 2 | 4.0 | 10.0 | 2.5 |\n" in text
    assert (text[:5], text[-6:], "\nold\n" in text) == ("head\n", "\ntail\n", False)


def test_a_page_without_a_place_for_the_table_is_named() -> None:
    with pytest.raises(ValueError, match=r"^docs/models\.md: no place for the table"):
        training_tokens.with_block("head\n", ROOT / training_tokens.BUNDLES)
