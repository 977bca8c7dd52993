"""No aim is missed in silence: each has a reason and five tried ideas, and each idea a section of the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("rich")

from editahead_models.publishing.claims import CLAIMS
from editahead_models.publishing.missed_aims import ENOUGH, Idea, Missed, missed_claims, page, read_missed

ROOT = Path(__file__).resolve().parents[3]
STORED = json.loads((ROOT / "docs/results/data/product.json").read_text(encoding="utf-8"))
REASONS = read_missed()


def test_every_missed_claim_has_a_reason_and_enough_tried_ideas() -> None:
    explained = {text: reason for reason in REASONS for text in reason.claims}
    for text, languages in missed_claims(STORED).items():
        assert text in explained, f"{text} is missed in {languages}, and nothing says what was tried"
        assert len({idea.idea for idea in explained[text].ideas}) >= ENOUGH, text


def test_reasons_name_claims_and_sections_that_exist() -> None:
    sections = {line.removeprefix("## ") for line in (ROOT / "models/LOG.md").read_text(encoding="utf-8").splitlines()}
    assert {text for reason in REASONS for text in reason.claims} <= {claim.text for claim in CLAIMS}
    assert {idea.log for reason in REASONS for idea in reason.ideas} <= sections


def test_the_page_says_what_is_stored() -> None:
    assert "\n".join(page(STORED, REASONS)) + "\n" == (ROOT / "docs/results/missed-aims.md").read_text(encoding="utf-8")


def test_reasons_of_aims_that_are_met_are_left_out() -> None:
    share = {"share": 0.9, "interval": [0.88, 0.92], "n": 500, "projects": 8}
    found = {"languages": {"go": {"tables": {"ghost-text": {"0.8": {"shown": share}}}}}}
    met = Missed("Ghost text", ("ghost text at 0.8: places where it is shown",), "", (Idea("An idea.", "No.", "x"),))
    assert "An idea." not in "\n".join(page(found, [met]))


def test_a_file_of_another_form_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "missed.toml"
    wrong.write_text('[[missed]]\ntitle = "x"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"missed\.toml"):
        read_missed(wrong)
