"""What was stored of the runs of span copying, and where a run stands in the paper's tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from editahead_models.report.results import DATA, rounded

FILE = "copyspan.json"
SETS = ("small", "medium")
QUEUED = "copyspan-runs--"
"""What folders of the queue begin with that hold runs of `models/recipes/copyspan-runs.toml`."""
ROWS = ("CopyTok", "CopySpan", "CopySpan always longest", "CopySpan no marginalisation")
"""The paper's rows, in its order; the first one of its table is of others."""
COLUMNS = ("accuracy", "accuracy@20", "mrr", "structural")
"""The figures of a search, in the order of the paper's columns."""

Run = Mapping[str, Any]
Results = Mapping[str, Any]
"""`runs`: what `evaluate copyspan --store` kept; `times`: what `evaluate copyspan-times` wrote."""


def take_in(runs: Path, data: Path = DATA) -> int:
    """Save the figures of SET/RUN/metrics.json, or of a queue's runs, with the page's data; how many runs.

    A run that was saved before and is not there stays.
    """
    file = data / FILE
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    known = {key(run): run for run in found.get("runs", ())}
    for path in sorted([*runs.glob("*/*/metrics.json"), *runs.glob(f"{QUEUED}*/metrics.json")]):
        run = rounded(json.loads(path.read_text(encoding="utf-8")))
        known[key(run)] = run
    found["runs"] = [known[name] for name in sorted(known)]
    times = runs / "times.json"
    if times.exists():
        found["times"] = rounded(json.loads(times.read_text(encoding="utf-8")))
    data.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return len(known)


def published() -> dict[str, dict[str, Any]]:
    """The paper's tables: source, columns, rows."""
    return dict(json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8")))


def row_name(run: Run) -> str:
    """A run's row in the paper's tables, by its settings."""
    if run["model"]["single"]:
        return "CopyTok"
    return {"longest": "CopySpan always longest", "any": "CopySpan no marginalisation"}.get(
        run["recipe"]["objective"], "CopySpan"
    )


def key(run: Run) -> tuple[str, str, int]:
    """What the pairs are called, the row, and the seed."""
    return str(run["name"]), row_name(run), int(run["recipe"].get("seed", 1))


def run_of(results: Results, name: str, row: str, seed: int = 1) -> Run | None:
    """The run of a row and a seed."""
    return next((run for run in results.get("runs", ()) if key(run) == (name, row, seed)), None)


def seeds_of(results: Results, name: str, row: str) -> list[int]:
    """The further seeds of a row, in order."""
    return sorted({number for *of, number in map(key, results.get("runs", ())) if of == [name, row]} - {1})


def titled(row: str, seed: int) -> str:
    """A row as it is called on the page: the first seed is not named."""
    return row if seed == 1 else f"{row}, seed {seed}"


def spans_of(results: Results, name: str, row: str) -> Mapping[str, Any] | None:
    """Statistics of the spans that the greedy search copies, when it copies any."""
    run = run_of(results, name, row)
    spans = (run or {}).get("searches", {}).get("greedy", {}).get("spans")
    return spans if spans and spans["lengths"] else None


def example_of(results: Results) -> Mapping[str, Any] | None:
    """A repair of the first run of CopySpan that kept one."""
    runs = (run_of(results, name, "CopySpan") for name in SETS)
    return next((run["example"] for run in runs if run is not None and run.get("example")), None)


def curves_of(results: Results) -> dict[str, list[tuple[float, float]]]:
    """The loss of dev by processor minutes, a line a run of the sets of the paper."""
    return {
        f"{name}, {titled(row, seed)}": [(minutes, loss) for minutes, loss in run["curve"]]
        for run in results.get("runs", ())
        for name, row, seed in [key(run)]
        if name in SETS and run.get("curve")
    }
