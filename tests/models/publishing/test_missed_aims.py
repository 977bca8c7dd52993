"""No aim is missed in silence: each has a reason and five tried ideas, and each idea a section of the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("rich")

from editahead_models.publishing.claims import CLAIMS
from editahead_models.publishing.measured_aims import AIMS, JudgedAim, MeasuredAim, judged_aims
from editahead_models.publishing.missed_aims import ENOUGH, Idea, Missed, missed_claims, page, read_missed

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "models/results"
STORED = json.loads((DATA / "product.json").read_text(encoding="utf-8"))
MEASURED = judged_aims(DATA)
REASONS = read_missed()


def test_every_missed_claim_has_a_reason_and_enough_tried_ideas() -> None:
    explained = {text: reason for reason in REASONS for text in reason.claims}
    for text, languages in missed_claims(STORED).items():
        assert text in explained, f"{text} is missed in {languages}, and nothing says what was tried"
        assert len({idea.idea for idea in explained[text].ideas}) >= ENOUGH, text
    for aim, figure in (one for one in MEASURED if one.missed):
        assert aim.text in explained, f"{aim.text} is missed ({figure:.3g}), and nothing says what was tried"
        assert len({idea.idea for idea in explained[aim.text].ideas}) >= ENOUGH, aim.text


def test_every_measured_aim_has_a_stored_figure_and_a_text_of_its_own() -> None:
    assert [one.aim.text for one in MEASURED if one.figure is None] == []
    assert len({claim.text for claim in CLAIMS} | {aim.text for aim in AIMS}) == len(CLAIMS) + len(AIMS)


def test_reasons_name_claims_and_sections_that_exist() -> None:
    sections = {line.removeprefix("## ") for line in (ROOT / "models/LOG.md").read_text(encoding="utf-8").splitlines()}
    assert {text for reason in REASONS for text in reason.claims} <= {one.text for one in (*CLAIMS, *AIMS)}
    assert {idea.log for reason in REASONS for idea in reason.ideas} <= sections


def test_the_page_says_what_is_stored() -> None:
    assert "\n".join(page(STORED, REASONS, MEASURED)) + "\n" == (ROOT / "docs/results/missed-aims.md").read_text(
        encoding="utf-8"
    )


def test_reasons_of_aims_that_are_met_are_left_out() -> None:
    share = {"share": 0.9, "interval": [0.88, 0.92], "n": 500, "projects": 8}
    found = {"languages": {"go": {"tables": {"ghost-text": {"0.8": {"shown": share}}}}}}
    met = Missed("Ghost text", ("ghost text at 0.8: places where it is shown",), "", (Idea("An idea.", "No.", "x"),))
    assert "An idea." not in "\n".join(page(found, [met]))


@pytest.mark.parametrize(("bound", "at_most", "missed"), [(5, True, True), (7, True, False), (7, False, True)])
def test_a_measured_aim_is_judged_by_its_stored_figure(
    tmp_path: Path, bound: float, at_most: bool, missed: bool
) -> None:
    (tmp_path / "times.json").write_text('{"aims": [{"name": "other"}, {"name": "p50", "value": 6.17}]}')
    aim = MeasuredAim("completion p50", "times", ("aims", "p50", "value"), bound, "ms", at_most)
    [one] = judged_aims(tmp_path, [aim])
    assert (one.figure, one.missed) == (6.17, missed)
    reason = Missed("Times", ("completion p50",), "", (Idea("An idea.", "No.", "x"),))
    lines = "\n".join(page({"languages": {}}, [reason], [one]))
    assert ("Missed completion p50: 6.17 ms." in lines) == ("**6.17 ms**" in lines) == ("An idea." in lines) == missed


def test_a_share_is_read_in_percent_and_a_run_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text('{"runs": [{"run": "a", "acc": 0.5}, {"run": "b", "acc": 0.71}]}')
    aim = MeasuredAim("tokens", "runs", ("runs", "b", "acc"), 72, "%", at_most=False, scale=100)
    [one] = judged_aims(tmp_path, [aim])
    assert (round(one.figure or 0.0, 6), one.missed) == (71, True)
    assert judged_aims(tmp_path, [aim._replace(path=("runs", "c", "acc"))])[0].figure is None


@pytest.mark.parametrize("stored", [None, "{}", '{"aims": []}', '{"aims": [{"name": "p50", "value": NaN}]}'])
def test_an_aim_without_a_figure_is_neither_met_nor_missed(tmp_path: Path, stored: str | None) -> None:
    if stored is not None:
        (tmp_path / "times.json").write_text(stored)
    aim = MeasuredAim("completion p50", "times", ("aims", "p50", "value"), 2, "ms")
    assert judged_aims(tmp_path, [aim]) == [JudgedAim(aim, None)]
    assert "| completion p50 | at most 2 ms | – |" in "\n".join(
        page({"languages": {}}, [], judged_aims(tmp_path, [aim]))
    )


def test_a_file_of_another_form_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "missed.toml"
    wrong.write_text('[[missed]]\ntitle = "x"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"missed\.toml"):
        read_missed(wrong)
