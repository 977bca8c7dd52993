"""The result page of span copying, from made-up metrics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from editahead_models.report.copyspan import orders, stored
from editahead_models.report.copyspan import page as copyspan_page
from editahead_models.report.copyspan.plots import histogram, label

SIZES = {"encoder": 128, "layers": 2, "decoder": 128, "embedding": 32, "vocab": 402, "edit": 0}
ABOUT = {"learnt_from": 4711, "updates": 2000, "best_at": 1900, "minutes": 6.0, "finished": True, "split": "test"}


def run(name: str, accuracy: float, *, single: bool = False, objective: str = "marginal") -> dict[str, Any]:
    beam = {
        "accuracy": accuracy, "accuracy@20": 2 * accuracy, "mrr": accuracy, "structural": accuracy, "exact": 0.05,
        "but_names": accuracy, "input_rank": 0.9 if single else 0.3, "chrf": 0.7, "steps": 180.0, "actions": 3.2,
        "too_long": 0,
    }  # fmt: skip
    spans = {"mean": 8.25, "median": 6.0, "single": 0.125, "per_example": 2.5, "lengths": {"1": 1, "5": 2, "12": 1}}
    greedy = {"accuracy": accuracy / 2, "structural": accuracy / 2, "but_names": 0.0, "spans": spans, "actions": 4.0}
    at_end = {**beam, "accuracy@20": accuracy}
    searches = {"merged": beam, "greedy": greedy} | ({} if single else {"at end": at_end})
    return {
        "name": name, "model": {**SIZES, "single": single}, "recipe": {"objective": objective}, "pairs": 600, "of": 667,
        "changed_pairs": 600, "rays": 20, "actions": 20, "marginal": {"loss": 0.35, "expected_actions": 5.0},
        "searches": searches, **ABOUT,
    }  # fmt: skip


def save(runs: Path, folder: str, metrics: dict[str, Any]) -> None:
    (runs / folder).mkdir(parents=True)
    (runs / folder / "metrics.json").write_text(json.dumps(metrics))


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    found = tmp_path / "runs"
    save(found, "small/token", run("small", 0.1, single=True))
    save(found, "small/span", run("small", 0.2))
    save(found, "small/longest", run("small", 0.15, objective="longest"))
    save(found, "small/any", run("small", 0.25, objective="any"))
    fixes = run("fixes-python", 0.05)
    fixes["changed_pairs"] = 500
    fixes["searches"]["merged"]["changed"] = {**fixes["searches"]["merged"], "accuracy": 0.0625}
    save(found, "fixes/span", fixes)
    editor = {
        "edits": 300, "of": 1744, "reachable": 0.5, "gold": 0.25, "gold@5": 0.3, "kinds": 169, "transfers": 250,
        "transfer": 0.125, "transfer@5": 0.2, "transfer_reachable": 0.9, "other": 0.01,
    }  # fmt: skip
    about = {**ABOUT, "model": {**SIZES, "single": False, "edit": 256}, "recipe": {"objective": "marginal"}}
    save(found, "edits/span", {"name": "edits", "editor": editor, **about})
    cost = {"scores_ms": 100.0, "marginal_ms": 120.0, "actions_ms": 5.0, "ratio": 1.25, "batch": 32, "batches": 8}
    each = {"functions": 60, "tokens": 110.0, "steps": 40.0, "median_ms": 30.0, "p95_ms": 55.0, "rays": 5}
    latency = {"bundle": "copyspan-python-0.1.0", "served": each, "whole": each | {"p95_ms": 140.0}}
    (found / "times.json").write_text(json.dumps({"cost": {"small": cost}, "latency": latency}))
    return found


def cells(page: str, row: str) -> list[str]:
    return next([cell.strip() for cell in line.split("|")[2:-1]] for line in page.splitlines() if f"| {row} |" in line)


def test_rows_stand_in_the_papers_order_beside_its_figures(runs: Path, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    assert stored.take_in(runs, docs / "data") == 6
    path = copyspan_page.write(docs, docs / "data")
    assert path is not None
    page = path.read_text()
    assert cells(page, "CopyTok") == ["10.0 / 14.8", "20.0 / 42.0", "0.100 / 0.177", "10.0 / 18.2"]
    assert cells(page, "Tufano et al.") == ["- / 9.2", "- / 43.5", "- / -", "- / -"]
    assert cells(page, "CopySpan, merge rays at end")[:2] == ["20.0 / 17.5", "20.0 / 41.6"]
    assert cells(page, "CopySpan, greedy") == ["10.0 / 15.3", "- / -", "- / -", "10.0 / 17.9"]
    beyond = next(line for line in page.splitlines() if line.startswith("| CopyTok | 600 of 667 |"))
    assert beyond.split("|")[3].strip() == "1.2"  # sqrt(0.1 * 0.9 / 600)
    headings = [at for at, line in enumerate(page.splitlines()) if line.startswith("| ---")]
    assert all(
        page.splitlines()[at - 1].count("|") == page.splitlines()[at].count("|") == page.splitlines()[at + 1].count("|")
        for at in headings
    )
    assert len(headings) > 7
    places = [page.index(f"| {row} |") for row in stored.ROWS]
    assert places == sorted(places)
    assert cells(page, "CopySpan, small") == ["8.2 / 9.6", "6 / 7", "12.5 / 11.2", "2.5"]
    assert "The split differs" in page
    assert page.index("## Repairs, small") < page.index("## Repairs, medium")
    assert (docs / "copyspan-lengths.svg").exists()
    assert (docs / "copyspan-accuracy.svg").exists()


def test_claims_count_what_was_measured(runs: Path, tmp_path: Path) -> None:
    stored.take_in(runs, tmp_path)
    results = json.loads((tmp_path / stored.FILE).read_text())
    found = {text: told for text, told, _ in orders.claims(results)}
    assert found["CopySpan before CopyTok: accuracy, accuracy@20, MRR"] == "small: 3 of 3 metrics"
    assert found["marginalised before not marginalised"] == "small: 0 of 3 metrics"
    assert found["merged in every round before merged at the end: accuracy@20"] == "small: 1 of 1 metrics"
    nothing = list(orders.claims({"runs": []}))
    assert {told for _, told, _ in nothing} == {"not measured"}
    assert {told for _, _, told in nothing} == {"absent, because a run is missing"}


def test_an_order_decides_where_dev_rested_and_the_runs_differ(runs: Path, tmp_path: Path) -> None:
    stored.take_in(runs, tmp_path)
    results = json.loads((tmp_path / stored.FILE).read_text())
    for run in results["runs"]:
        run["rested"] = run["recipe"]["objective"] != "any"
    told = [verdict for _, _, verdict in orders.claims(results)]
    clear = "decides, because it is beyond two standard errors on small"
    assert told == [
        clear,
        clear,
        "thin, because dev of a run had not rested",
        clear,
        clear,
        "decides, because the sets agree",
    ]
    for run in results["runs"]:
        run["pairs"] = 60
    told = [verdict for _, _, verdict in orders.claims(results)]
    assert told[0] == "thin, because the first share is within two standard errors on every set"


def test_other_sets_edits_and_times_have_their_own_tables(runs: Path, tmp_path: Path) -> None:
    stored.take_in(runs, tmp_path)
    page = copyspan_page.page_text(json.loads((tmp_path / stored.FILE).read_text()))
    assert cells(page, "fixes-python, CopySpan, merged")[:2] == ["500 + 100", "6.2"]
    assert cells(page, "CopySpan, here")[:4] == ["25.0", "30.0", "12.5", "1.0"]
    assert cells(page, "small") == ["32", "100", "120", "5.0", "1.25"]
    assert cells(page, "printed") == ["-", "80", "132", "-", "1.65"]
    assert cells(page, "the region that the server rewrites") == ["110", "40", "30", "55"]
    assert cells(page, "the whole function at once") == ["110", "40", "30", "140"]


def test_a_later_run_replaces_its_row_and_leaves_the_others(runs: Path, tmp_path: Path) -> None:
    stored.take_in(runs, tmp_path)
    later = tmp_path / "later"
    save(later, "small/span", run("small", 0.375))
    assert stored.take_in(later, tmp_path) == 6
    found = json.loads((tmp_path / stored.FILE).read_text())
    assert stored.run_of(found, "small", "CopySpan")["searches"]["merged"]["accuracy"] == 0.375
    assert found["times"]["cost"]["small"]["ratio"] == 1.25


def test_one_repair_is_drawn_where_a_run_kept_one(runs: Path, tmp_path: Path) -> None:
    rows = [
        {"tokens": ["a", "b"], "start": 0, "p": 0.9, "attention": [0.7, 0.2, 0.1, 0.0]},
        {"tokens": ["x"], "start": None, "p": 0.5, "attention": [0.1, 0.1, 0.8, 0.0]},
        {"tokens": ["</s>"], "start": None, "p": 0.99, "attention": [0.0, 0.0, 0.5, 0.5]},
    ]
    drawn = run("small", 0.2) | {"example": {"source": ["a", "b", "c"], "target": ["a", "b", "x"], "rows": rows}}
    (runs / "small/span/metrics.json").write_text(json.dumps(drawn), encoding="utf-8")
    stored.take_in(runs, tmp_path / "data")
    page = copyspan_page.write(tmp_path, tmp_path / "data")
    assert page is not None
    assert "3 actions write 4 tokens, 2 of them copied" in page.read_text()
    assert (tmp_path / "copyspan-attention.svg").exists()


def test_a_second_seed_stands_below_the_first_and_is_compared_with_its_like(runs: Path, tmp_path: Path) -> None:
    second = run("small", 0.05)
    second |= {"recipe": second["recipe"] | {"seed": 2}, "rested": True, "curve": [[1.0, 0.5], [2.0, 0.25]]}
    (runs / "copyspan-runs--small-span-second").mkdir()
    (runs / "copyspan-runs--small-span-second/metrics.json").write_text(json.dumps(second), encoding="utf-8")
    assert stored.take_in(runs, tmp_path / "data") == 7
    path = copyspan_page.write(tmp_path, tmp_path / "data")
    assert path is not None
    page = path.read_text()
    assert cells(page, "CopySpan")[0].startswith("20.0 /")
    assert cells(page, "CopySpan, seed 2")[0].startswith("5.0 /")
    results = json.loads((tmp_path / "data" / stored.FILE).read_text())
    found = {text: told for text, told, _ in orders.claims(results)}
    assert found["merged beam before greedy: accuracy"] == "small: 1 of 1 metrics; small, seed 2: 1 of 1 metrics"
    assert cells(page, "small, CopySpan, seed 2")[5] == "dev rested"
    assert (tmp_path / "copyspan-learning.svg").exists()
    assert "copyspan-learning.svg" in page


def test_nothing_saved_gives_no_page(tmp_path: Path) -> None:
    assert copyspan_page.write(tmp_path, tmp_path / "data") is None


def test_columns_of_the_histogram() -> None:
    assert histogram({"1": 2, "2": 1, "5": 1, "6": 3, "11": 1}) == [0.25, 0.25, 0.375, 0.125]
    assert [label(column) for column in range(4)] == ["1", "2-5", "6-10", "11-15"]
