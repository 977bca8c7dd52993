"""Pages from stored figures: taken in from runs, printed beside published ones, and verdicts computed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from editahead_models.report.pages import page
from editahead_models.report.pages.orders import order_row
from editahead_models.report.pages.stored import Group, groups_of, take_in
from editahead_models.report.pages.tables import shown, tables
from editahead_models.report.results import rounded

ROOT = Path(__file__).resolve().parents[3]
PERPLEXITY = {"text": "a before b", "first": "a", "second": "b", "figure": "pp", "lower": True}
SHARE = {"text": "a before b", "first": "a", "second": "b", "figure": "acc", "count": "n"}


@pytest.mark.parametrize("name", page.PAGES)
def test_the_page_is_written_from_its_data(name: str) -> None:
    spec = page.read_spec(name)
    made = page.page_text(name, spec, groups_of(spec["source"], ROOT / "models" / "results"))
    written = (ROOT / "docs" / "results" / f"{name}.md").read_text(encoding="utf-8")
    assert made == written, "run `editahead-models report`"


@pytest.mark.parametrize("name", page.PAGES)
def test_every_table_and_claim_of_a_page_finds_its_figures(name: str) -> None:
    """A misspelled key or path would print a dash for ever."""
    spec = page.read_spec(name)
    groups = groups_of(spec["source"], ROOT / "models" / "results")
    for part in spec["part"]:
        for order in part.get("order", ()):
            assert order_row(order, spec, list(groups.values()), lambda row: True)[2] != "not measured", order["text"]
        for inner in part.get("part", [part]):
            if "table" in inner and any("path" in column for column in inner["table"].get("columns", [{"path": ""}])):
                key = next(iter(groups[part["each"]].rows)) if "each" in part else ""
                drawn = "\n".join(tables(inner["table"], groups, key=key)).splitlines()[2:]
                cells = [cell.split(" / ")[0].strip() for line in drawn for cell in line.split("|")[2:-1]]
                assert {*cells} - {"-", "---:"}, inner["table"]


def row(**figures: float) -> dict[str, Any]:
    return dict(figures)


def verdict_of(order: dict[str, Any], rows: dict[str, Any], **about: Any) -> tuple[str, str]:
    groups = [Group("set", "set", rows)]
    return order_row(order, about, groups, lambda row: bool(row.get("enough", True)))[2:]


def test_an_outcome_is_beyond_noise_or_even() -> None:
    assert verdict_of(PERPLEXITY, {"a": row(pp=5.0), "b": row(pp=10.0)}) == ("set **yes** 5 against 10", "decides")
    assert verdict_of(PERPLEXITY, {"a": row(pp=10.0), "b": row(pp=5.0)})[0] == "set **no** 10 against 5"
    assert verdict_of(PERPLEXITY, {"a": row(pp=9.95), "b": row(pp=10.0)})[1] == "thin: within noise"
    near = {"a": row(acc=0.50, n=100), "b": row(acc=0.45, n=100)}  # two standard errors are 14 points
    assert verdict_of(SHARE, near)[0] == "set **even** 50 against 45"
    far = {"a": row(acc=0.50, n=10_000), "b": row(acc=0.45, n=10_000)}
    assert verdict_of(SHARE, far) == ("set **yes** 50 against 45", "decides")
    seeds = far | {"a-second": row(acc=0.44, n=10_000)}
    assert verdict_of(SHARE, seeds, second="{}-second")[0] == "set **even** 50 against 45"


def test_runs_of_unequal_or_too_small_budgets_decide_nothing() -> None:
    rows = {"a": row(pp=5.0, tokens=10.0), "b": row(pp=10.0, tokens=5.0)}
    assert verdict_of(PERPLEXITY, rows, budget="tokens") == ("set **open** 5 against 10", "thin: unequal budgets")
    rows = {"a": row(pp=5.0), "b": row(pp=10.0, enough=0)}
    assert verdict_of(PERPLEXITY, rows)[1] == "thin: a run ended before it had enough"
    assert verdict_of(PERPLEXITY, {"a": row(pp=5.0)}) == ("not measured", "absent: a run is missing")


def test_a_claim_about_many_rows_counts_and_may_disagree() -> None:
    order = {"text": "x", "first": "{}/a", "second": "{}/b", "figure": "pp", "over": "tasks"}
    rows = {f"{task}/{name}": row(pp=value) for task in "12" for name, value in (("a", 2.0), ("b", 1.0))}
    assert verdict_of(order, rows, lists={"tasks": ["1", "2", "3"]}) == ("yes in 2", "decides")
    rows["2/a"] = row(pp=0.5)
    assert verdict_of(order, rows, lists={"tasks": ["1", "2"]}) == ("yes in 1, no in 1", "thin: the runs disagree")


def test_a_limit_and_the_best_of_several_rows() -> None:
    limit = {"text": "x", "first": "a", "figure": "acc", "limit": 0.05, "lower": True, "count": "n"}
    assert verdict_of(limit, {"a": row(acc=0.01, n=10)})[0] == "set **yes** 1 against 5"
    best = PERPLEXITY | {"second": ["b", "c"]}
    assert verdict_of(best, {"a": row(pp=6.0), "b": row(pp=9.0), "c": row(pp=5.0)})[0] == "set **no** 6 against 5"


def test_the_first_group_with_all_rows_decides() -> None:
    groups = [Group("new", "set", {"a": row(pp=1.0)}), Group("old", "set", {"a": row(pp=9.0), "b": row(pp=5.0)})]
    assert order_row(PERPLEXITY, {}, groups, lambda row: True)[2] == "set **no** 9 against 5"


def test_figures_of_runs_are_taken_in_by_what_they_are(tmp_path: Path) -> None:
    def put(folder: str, **run: Any) -> None:
        (tmp_path / "runs" / folder).mkdir(parents=True)
        (tmp_path / "runs" / folder / "metrics.json").write_text(json.dumps(run))

    def stored(name: str) -> Any:
        return json.loads((tmp_path / "data" / f"{name}.json").read_text())

    put("java/rows/spn", row="spn", language="java", data_hash="old", figures={"all/acc": 0.123456789})
    put("java/rows/lstm", row="lstm", language="java", data_hash="old", figures={})
    put("cells/Flip11/IR/s1", task="Flip11", family="IR", seed=1, test={"joint": 0.5})
    put("mined/E", corpus={}, family="E", data="x")
    put("small/span", name="small", row="CopySpan", searches={})
    assert take_in(tmp_path / "runs", tmp_path / "data") == {"language-models-java": 2, "edit-models": 2, "copyspan": 1}
    assert stored("language-models-java")["rows"]["spn"]["figures"] == {"all/acc": 0.12346}
    assert stored("edit-models")["cells"][0]["test"] == {"joint": 0.5}
    put("again/Flip11", task="Flip11", family="IR", seed=1, test={"joint": 0.7})
    put("again/java", row="nnlm", language="java", data_hash="new", figures={})
    take_in(tmp_path / "runs" / "again", tmp_path / "data")
    assert [cell["test"] for cell in stored("edit-models")["cells"]] == [{"joint": 0.7}]
    assert list(stored("language-models-java")["rows"]) == ["nnlm"]  # rows of other data do not stand beside new ones


def test_shares_have_their_interval_and_cases_their_number() -> None:
    assert shown({"share": 0.5, "interval": [0.4, 0.6], "n": 1200}, {"of": True}) == "50.0 % (40 to 60) of 1,200"
    assert shown({"share": 0.5, "interval": [None, None], "n": 3}, {}) == "50.0 %"
    assert shown({"share": 0.0, "interval": [None, None], "n": 0}, {}) == "no case"


def test_what_is_saved_is_short_and_nothing_is_written_without_data(tmp_path: Path) -> None:
    assert rounded({"a": [0.123456789, "x", 3]}) == {"a": [0.12346, "x", 3]}
    assert page.write(tmp_path, tmp_path) == []
