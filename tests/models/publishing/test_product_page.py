"""docs/results/product.md and the blocks in README.md and docs/figures.md say what data/product.json says."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rich")

from editahead_models.publishing import ledger, stored, summary
from editahead_models.publishing.claims import judged
from editahead_models.publishing.figures import TABLES
from editahead_models.publishing.page import UNMEASURED_SERVERS, derive, kept
from editahead_models.replay.measured_rows import Row
from editahead_models.report.pages.page import page_text, read_spec
from editahead_models.report.pages.stored import Group, groups_of
from editahead_models.report.results import data_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "docs" / "results"
DATA = ROOT / "models" / "results"
STORED = DATA / "product.json"
NEAR = {"source": "unbound", "right": False, "place": True, "first": False}
ANSWER = {"source": "rename", "right": True, "place": True, "first": True}
WRONG = {"source": "lines", "right": False, "place": False, "first": False}


def rows(project: str) -> dict[str, list[Row]]:
    """Rows of every part."""
    completion = {"situation": "cut", "role": "import", "rank": [0, 0, 0], "words": [None, 7, 0], "foreign": False}
    completion |= {"longer": [0, 0, 0]}
    ghost = {"situation": "line", "typed": False, "shown": [[4, True], [4, True], [3, False], None]}
    edit = {"kind": "between", "coming": 1, "elsewhere": 0, "category": "same", "baseline": WRONG}
    rename = {"kind": "parameter", "places": 3, "offered": True, "steps": 2, "wrong": 0, "missed": 0, "half_typed": 0}
    found: dict[str, list[Row]] = {
        "completions": [completion, completion | {"rank": [4, 1, 0], "foreign": True, "situation": "line"}],
        "other-server": [{"server": "toyserver 3", "rank": [None, 2, 0]}, {"server": "toyserver 3", "rank": [0, 0, 0]}],
        "ghost-text": [ghost, ghost | {"shown": [None] * 4}],
        "next-edits": [
            edit | {"answers": [ANSWER, NEAR, WRONG, None]},
            edit | {"kind": "finished", "coming": 0, "category": "", "answers": [WRONG, None, None, None]},
        ],
        "renames": [rename | {"after": False}],
        "check": [
            {"commit": "c", "forgotten": True, "reported": 2, "found": True},
            {"commit": "c", "forgotten": False, "reported": 0, "found": False},
        ],
    }
    return {part: [{"project": project, **row} for row in some] for part, some in found.items()}


def entry() -> dict[str, Any]:
    """What is stored of a language with four equal projects."""
    names = ("a/a", "b/b", "c/c", "d/d")
    measured = {part: [row for name in names for row in rows(name)[part]] for part in TABLES}
    return {
        "commit": "c0ffee", "date": "today", "machine": "toy", "seed": 1, "sizes": {},
        "bundles": {"spn-python-1": "ff"}, "truth": "jedi",
        "projects": dict.fromkeys(names, "1"), "missing": ["e/e (not in the mirror)"],
        "rows": {part: len(some) for part, some in measured.items()},
        "tables": {part: TABLES[part](some) for part, some in measured.items()},
    }  # fmt: skip


def test_a_read_of_one_part_keeps_the_others_with_their_source() -> None:
    before = entry() | {"read": "one"}
    tables, rows = ({"next-edits": before[kind]["next-edits"]} for kind in ("tables", "rows"))
    now = before | {"read": "two", "commit": "decade", "bundles": {"spn-python-1": "ee"}, "truth": "", "missing": []}
    merged = stored.with_other_parts(before, now | {"tables": tables, "rows": rows})
    assert list(merged["tables"]) == list(TABLES)
    assert (merged["commit"], merged["truth"], merged["missing"]) == ("decade", "jedi", ["e/e (not in the mirror)"])
    assert {part: source["commit"] for part, source in merged["parts"].items()} == dict.fromkeys(
        [part for part in TABLES if part != "next-edits"], "c0ffee"
    )
    languages = Group("languages", "languages", {"python": merged})
    groups = {"languages": languages, "file": Group("file", "file", {"all": {"split": "test"}})}
    derive(groups)
    lines = page_text("product", read_spec("product"), groups)
    kept = "completions, the language's own server, ghost text, renames, the missed-edit check"
    assert f"- Measured at commit c0ffee, today, with spn-python-1 `ff`: {kept}" in lines
    third = stored.with_other_parts(merged, now | {"read": "three", "tables": tables, "rows": rows})
    assert third["parts"] == merged["parts"]


def test_a_read_of_the_languages_own_server_alone_stands_beside_that_of_ours() -> None:
    before = entry() | {"read": "one", "parts": {"check": {"read": "zero"}}}
    now = before | {"read": "two", "commit": "decade", "bundles": {}, "truth": "", "missing": []}
    part = {kind: {"other-server": before[kind]["other-server"]} for kind in ("tables", "rows")}
    part["tables"]["other-server"] = part["tables"]["other-server"] | {"server": "newer 2"}
    merged = stored.with_other_parts(before, now | part)
    assert (merged["read"], merged["commit"], merged["truth"]) == ("one", "c0ffee", "jedi")
    assert merged["tables"]["other-server"]["server"] == "newer 2"
    assert {name: source["read"] for name, source in merged["parts"].items()} == {
        "check": "zero",
        "other-server": "two",
    }
    failed = stored.with_other_parts(merged, now | {"tables": {}, "rows": {}, "missing": ["a/a (other-server: down)"]})
    assert [failed[name] for name in ("bundles", "tables", "parts")] == [
        merged[n] for n in ("bundles", "tables", "parts")
    ]
    assert failed["missing"][-1] == "a/a (other-server: down)"
    again = stored.with_other_parts(
        merged, before | {"read": "three"} | {k: {"check": before[k]["check"]} for k in part}
    )
    assert {name: source["read"] for name, source in again["parts"].items()}["other-server"] == "two"


def test_a_failure_is_told_until_its_part_is_measured() -> None:
    failed = ["e/e (not in the mirror)", "a/a (other-server: ServerError why)", "b/b (check: OSError (check: no))"]
    before = entry() | {"read": "one", "missing": failed}
    tables, rows = ({"other-server": before[kind]["other-server"]} for kind in ("tables", "rows"))
    merged = stored.with_other_parts(before, before | {"tables": tables, "rows": rows, "missing": []})
    assert merged["missing"] == [failed[0], failed[2]]


def test_parts_of_other_projects_do_not_stand_together() -> None:
    before = entry() | {"read": "one"}
    now = before | {"projects": {"a/a": "2"}}
    with pytest.raises(ValueError, match="were measured with other projects: measure all parts"):
        stored.check_alike(before, now, ["next-edits"])
    stored.check_alike(before, before, ["next-edits"])
    stored.check_alike(before, now, list(TABLES))
    stored.check_alike(None, now, ["next-edits"])


def test_parts_are_alike_in_the_sizes_that_they_depend_on() -> None:
    before = entry() | {
        "sizes": {"identifiers": 8, "ghost_places": 8, "requests": 8, "quiet": 8, "renames": 8, "check_commits": 8}
    }
    now = before | {"sizes": before["sizes"] | {"requests": 24}}
    stored.check_alike(before, now, ["next-edits"])
    with pytest.raises(ValueError, match=r"completions, .* were measured with other sizes: measure all parts"):
        stored.check_alike(before, before | {"sizes": before["sizes"] | {"identifiers": 9}}, ["next-edits"])
    part = {kind: {"next-edits": before[kind]["next-edits"]} for kind in ("tables", "rows")}
    merged = stored.with_other_parts(before | {"read": "one"}, now | part | {"read": "two"})
    assert merged["sizes"] == before["sizes"] | {"requests": 24}
    alone = {kind: {"renames": before[kind]["renames"]} for kind in ("tables", "rows")}
    assert stored.with_other_parts(merged, before | alone | {"read": "three"})["sizes"]["requests"] == 24


@pytest.mark.parametrize(("shown", "said"), [(0, "nothing shown"), (299, "undecided"), (300, "yes")])
def test_a_target_with_few_suggestions_is_undecided(shown: int, said: str) -> None:
    assert kept({"kept": True if shown else None, "precision": {"n": shown}}) == said


def test_tables_count_what_was_measured() -> None:
    tables = entry()["tables"]
    assert tables["completions"]["all"]["0"]["1"] == {"share": 0.5, "interval": [0.5, 0.5], "n": 8, "projects": 4}
    assert [tables["completions"]["all"][letters]["5"]["share"] for letters in "012"] == [1.0, 1.0, 1.0]
    assert [tables["completions"]["words"][letters]["5"]["share"] for letters in "012"] == [0.0, 0.0, 1.0]
    assert [tables["completions"]["longer"][letters]["1"]["share"] for letters in "012"] == [1.0, 1.0, 1.0]
    assert tables["completions"]["locals of other functions"]["share"] == 0.5
    assert [tables["ghost-text"][p]["shown"]["share"] for p in ("0.5", "0.8", "0.9")] == [0.5, 0.5, 0.0]
    assert [tables["ghost-text"][p]["kept"] for p in ("0.5", "0.8", "0.9")] == [True, False, None]
    assert tables["ghost-text"]["0.8"]["characters"]["share"] == 3.0
    at_half, default = (tables["next-edits"]["precisions"][p] for p in ("0.5", "0.8"))
    assert (at_half["exact"]["share"], at_half["exact next"]["share"], at_half["quiet"]["share"]) == (1.0, 1.0, 0.0)
    assert (at_half["precision"]["share"], at_half["precision"]["n"]) == (0.5, 8)  # one is shown where nothing comes
    near = tables["next-edits"]["precisions"]["0.65"]
    assert (near["kept"], near["precision"]["share"]) == (False, 0.0)
    assert (near["places"]["kept"], near["places"]["precision"]["share"]) == (True, 1.0)
    assert (at_half["places"]["kept"], at_half["places"]["precision"]["share"]) == (True, 0.5)
    assert (default["wrong of shown"]["share"], default["quiet"]["share"]) == (1.0, 1.0)
    assert tables["next-edits"]["baseline"]["wrong of shown"]["share"] == 1.0
    assert tables["renames"]["locals, parameters, imports"]["right"]["share"] == 1.0
    assert tables["check"]["right of reported"]["share"] == 0.5
    assert tables["check"]["finished commits"] == {"share": 0.0, "interval": [0.0, 0.0], "n": 4, "projects": 4}


def test_claims_are_judged_by_their_intervals() -> None:
    verdicts = {row.claim.text: row.verdict for row in judged(entry()["tables"])}
    assert verdicts["nothing typed: first choice"] == "yes"  # 50 % in every draw, the aim is 50 %
    assert verdicts["one letter typed: first choice"] == "no"
    assert verdicts["next edits at 0.8: wrong of those shown"] == "no"
    assert verdicts["check at 0.8: finished commits with a report"] == "yes"


def test_the_page_and_the_block_are_made_of_the_tables(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in summary.PAGES:
        (tmp_path / name).write_text(f"head\n{summary.BEGIN}\nold\n{summary.END}\ntail\n", encoding="utf-8")
    docs = tmp_path / "docs" / "results"
    stored.store(docs, "dev", "go", entry())
    stored.store(docs, "test", "java", entry())
    stored.store(docs, "test", "python", entry())
    product, missed = stored.write(docs, data_of(docs))
    assert "| nothing typed: first choice | at least 50.0 % |" in missed.read_text(encoding="utf-8")
    text = product.read_text(encoding="utf-8")
    assert "\n\n\n" not in text
    assert "No figure of the language's own server" not in text
    assert [line for line in text.split("\n") if line.startswith("## ")] == ["## Python", "## Java"]  # not that of dev
    assert "| nothing typed: first choice | at least 50.0 % | 50.0 % (50.0 to 50.0) | 8 | yes |" in text
    assert "| 0.8 | 50.0 % (50.0 to 50.0) | 0.0 % (0.0 to 0.0) of 4 | 3.0 | undecided |" in text
    for name, link in summary.PAGES.items():
        block = (tmp_path / name).read_text(encoding="utf-8")
        assert (block[:5], block[-6:]) == ("head\n", "\ntail\n")
        assert "\nold\n" not in block
        assert f"]({link}))" in block
        assert "\n| **ghost text**: places where it is shown | 50 (50 to 50) | 50 (50 to 50) |\n" in block
        assert "\n| **kept** target precisions with 300 shown, ghost text | none | none |\n" in block
        assert "\n| next edits, their places | none | none |\n" in block
        assert "\n| next edits, to the last character | none | none |\n" in block


@pytest.mark.parametrize("count", [3, 7])
def test_the_block_of_some_languages_leaves_the_readme_readable(count: int) -> None:
    """README.md may have 150 lines of 160 characters (tests/test_links.py), and 100 is the widest share."""
    names = ("python", "java", "typescript", "go", "rust", "cpp", "c_sharp")
    found = {"languages": dict.fromkeys(names[:count], entry())}
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    made = summary.with_block(text, summary.block(found, summary.PAGES["README.md"]), "README.md")
    assert len(made.splitlines()) <= 150
    assert max(map(len, made.splitlines())) <= 160


def test_a_page_without_markers_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("no place\n", encoding="utf-8")
    with pytest.raises(summary.MarkersMissingError, match=r"^README\.md: no place for the figures"):
        summary.write(tmp_path, {"languages": {"python": entry()}})


@pytest.mark.parametrize("name", summary.PAGES)
def test_pages_have_a_place_for_the_block(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text.count(f"\n{summary.BEGIN}\n") == text.count(f"\n{summary.END}\n") == 1


@pytest.mark.skipif(not STORED.exists(), reason="models/results/product.json: the test projects were not read yet")
def test_what_is_published_is_what_was_measured_on_the_test_projects() -> None:
    found = json.loads(STORED.read_text(encoding="utf-8"))
    assert found["split"] == "test"
    spec = read_spec("product")
    groups = groups_of(spec["source"], DATA)
    derive(groups)
    made = page_text("product", spec, groups)
    assert (RESULTS / "product.md").read_text(encoding="utf-8") == made, "run `editahead-models report`"
    for name, link in summary.PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert summary.with_block(text, summary.block(found, link), name) == text, "run `editahead-models report`"
    entered = {one.id: one for one in ledger.reads(DATA / ledger.NAME)}
    reasons = tomllib.loads(UNMEASURED_SERVERS.read_text(encoding="utf-8"))
    without = {language for language, one in found["languages"].items() if "other-server" not in one["tables"]}
    assert set(reasons) == without
    assert all(f"- No figure of the language's own server: {reason}\n" in made for reason in reasons.values())
    for language, one in found["languages"].items():
        assert (entered[one["read"]].language, entered[one["read"]].bundles) == (language, one["bundles"])
