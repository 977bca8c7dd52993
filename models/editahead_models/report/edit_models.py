"""docs/results/edit-models.md: the synthetic edit suite beside the paper's tables, from saved metrics alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report import edit_plots, mined_edits
from editahead_models.report.results import DATA, deviations, rounded, table
from editahead_models.report.verdicts import EDIT_MODELS, ENOUGH_UPDATES, verdict

FILE = "edit-models.json"
MAIN, VARIANTS = ("POMP", "E", "IR", "IA-ag"), ("IA-v", "IA-vg", "IA-a", "IA-ag")
MULTI_TASK = "MultiTask"
BY_STEPS = "steps"
"""How a cell ended that had learnt a fixed number of updates."""

Cell = Mapping[str, Any]
Results = Mapping[str, Any]
"""`cells`: metrics of every (task, family, setting); `scaling`: the points of `evaluate scaling`; `mined`: metrics of
`train mined`."""


def read_runs(runs: Path) -> Results:
    """What a folder of runs holds.

    Runs of `train synthetic` and `train mined` (folders mined*), here or in runs of the queue, and figures of
    `evaluate scaling`.
    """

    def all_of(pattern: str) -> list[Any]:
        return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(runs.glob(pattern))]

    scaling = all_of("scaling.json") or all_of("*/scaling.json")
    return {
        "cells": all_of("cells/*/*/*/metrics.json") + all_of("*/cells/*/*/*/metrics.json"),
        "scaling": scaling[0] if scaling else [],
        "mined": all_of("mined*/*/metrics.json") + all_of("*/mined*/*/metrics.json"),
    }  # fmt: skip


def take_in(runs: Path, data: Path = DATA) -> int:
    """Save the results of a runs folder with the page's data; the number of cells.

    They take the place of saved results of the same kind, cells those of the same task, family and setting, runs on
    real edits those of the same data; what the folder does not hold stays.
    """
    found = rounded(read_runs(runs))
    path = data / FILE
    saved = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    cells = {_cell_key(cell): cell for cell in (*saved.get("cells", ()), *found["cells"])}
    merged = saved | {name: value for name, value in found.items() if value}
    merged["mined"] = mined_edits.with_others(found["mined"], saved.get("mined", ()))
    merged = {name: merged.get(name, value) for name, value in found.items()} | {"cells": [*cells.values()]}
    data.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(merged, indent=1) + "\n", encoding="utf-8")
    return len(found["cells"])


def _cell_key(cell: Cell) -> tuple[object, ...]:
    """What a run of `train synthetic` is told apart by: POMP has no settings."""
    return tuple(cell.get(name) for name in ("task", "family", "hidden", "rate", "seed"))


def write(docs: Path, data: Path = DATA) -> Path | None:
    """The page and its pictures below `docs`; None when no results were saved."""
    if not (data / FILE).exists():
        return None
    found = json.loads((data / FILE).read_text(encoding="utf-8"))
    edit_plots.accuracies(best_cells(found), published(), docs / "edit-accuracy.svg")
    edit_plots.scaling(found["scaling"], docs / "edit-scaling.svg")
    edit_plots.confidences(
        {
            run["family"]: run["test"]["curve"]
            for run in mined_edits.paper_runs(mined_edits.newest(found.get("mined", [])))
        },
        docs / "edit-confidence.svg",
    )
    page = docs / "edit-models.md"
    page.write_text(page_text(found), encoding="utf-8")
    return page


def markdown(runs: Path) -> str:
    """The page's text straight from a runs folder."""
    return page_text(read_runs(runs))


def published() -> dict[str, dict[str, Any]]:
    """The paper's tables `main` and `variants`: source, columns, and rows by task, in percent."""
    return dict(json.loads(Path(__file__).with_name("published_edits.json").read_text(encoding="utf-8")))


def best_cells(results: Results) -> dict[tuple[str, str], Cell]:
    """By (task, family): the setting with the best dev accuracy, as the paper selects."""
    best: dict[tuple[str, str], Cell] = {}
    for cell in results["cells"]:
        key = (cell["task"], cell["family"])
        if key not in best or cell["dev"]["joint"] > best[key]["dev"]["joint"]:
            best[key] = cell
    return best


def page_text(results: Results) -> str:
    """The page's text."""
    best, tables = best_cells(results), published()
    rows = tables["main"]["rows"]
    plain = [task for task in rows if not task.startswith("Meta") and task != MULTI_TASK]
    parts = [
        "# Edit models\n",
        "The models of the edit paper on its synthetic suite and on real edits.\n",
        "## The synthetic suite\n",
        "Accuracy of an edit in percent: position and content both right, test split. The first figure was measured "
        "here, the one after the slash is from the paper; `-`: no figure. A star: ended by its minutes, not by dev; "
        "a dagger: by a fixed number of updates, before dev rested. Meta tasks draw new letters for each "
        "instance; one replacement is given and not scored. This page is written by `editahead-models report` from the "
        "figures in `models/results`.\n",
        EDIT_MODELS,
        "### Fixed letters\n",
        _accuracies(best, tables["main"], MAIN, plain),
        "### Drawn letters\n",
        _accuracies(best, tables["main"], MAIN, [task for task in rows if task.startswith("Meta")]),
        "### All tasks at once\n",
        *_all_tasks(best, tables["main"]),
        _after_first(best),
    ]
    variants = tables["variants"]["rows"]  # IA-ag stands above, but for the tasks of this table alone
    varied = [t for t in variants if any((t, name) in best for name in (VARIANTS[:3] if t in rows else VARIANTS))]
    if varied:
        parts += ["### Decoder and aggregation\n", _accuracies(best, tables["variants"], VARIANTS, varied)]
    parts += ["![Accuracy by task and family](edit-accuracy.svg)\n"] if best else []
    parts += ["### Claims of the paper\n", table(["claim", "here"], [list(row) for row in claims(results)])]
    parts += _scaling(results["scaling"])
    parts += ["### Runs\n", _REPEATED, _runs(best)] if best else []
    sources = " ".join(f"{name}: {tables[name]['source']}." for name in tables)
    parts += [f"Published figures: {sources}\n", *mined_edits.sections(results), deviations("edit-models"), _COMMANDS]
    return "\n".join(part for part in parts if part)


_REPEATED = (
    "A run with the same seed, updates, threads, instruction set and version of torch ends with the same weights to "
    "the byte. One that minutes end stops where the speed of the machine lets it, and another instruction set adds up "
    "sums in another order: then other weights come out, and figures move, most of all those of runs that are far "
    "from rest.\n"
)

_COMMANDS = """## Commands
`--repo` and `--held-out` may be given as often as needed; `train mined` takes any of the families.
```sh
editahead-models train synthetic --out RUNS --tasks Append1,MetaAppend1 --families E,IR,IA-ag,POMP --minutes 60
editahead-models evaluate scaling --out RUNS --hidden 128
editahead-models mine --repo PATH --held-out PATH --out DATA --language python --tokens 400 --edits 50
editahead-models train mined --data DATA --out RUNS/mined --family IA-ag --minutes 10
editahead-models report --edits RUNS
```
"""


def _accuracies(
    best: Mapping[tuple[str, str], Cell], paper: Mapping[str, Any], names: Sequence[str], tasks: Sequence[str]
) -> str:
    lines = []
    for task in tasks:
        printed = dict(zip(paper["columns"], paper["rows"][task], strict=True))
        cells = [f"{_percent(best.get((task, name)))} / {_number(printed[name])}" for name in names]
        lines.append([task, *cells, _verdict(best, task, [name for name in names if printed[name] is not None])])
    return table(["task", *names, "verdict"], lines)


def _verdict(best: Mapping[tuple[str, str], Cell], task: str, families: Sequence[str]) -> str:
    """What the families that were run are worth in a row, and which of them were not."""
    run = {name: cell for name in families if (cell := best.get((task, name)))}
    short = [f"{name} had {cell['steps_done']:,} updates" for name, cell in run.items() if not _is_long(cell)]
    missing = [name for name in families if name not in run]
    if not run:
        return verdict(["nothing was run"], (), "")
    told = verdict((), short, f"{' and '.join(run)} ended at rest or after enough updates")
    return f"{told}; absent: {', '.join(missing)}" if missing else told


def _is_long(cell: Cell) -> bool:
    """Whether dev ended a cell, or it learnt for as long as is enough; not one that was cut before dev rested."""
    return not _cut(cell) and (cell["finished"] or cell["steps_done"] >= ENOUGH_UPDATES)


def _all_tasks(best: Mapping[tuple[str, str], Cell], paper: Mapping[str, Any]) -> Iterator[str]:
    """MultiTask over edits and over tasks: long edits are the majority of edits, and print does not say which it is."""
    printed = dict(zip(paper["columns"], paper["rows"][MULTI_TASK], strict=True))
    means = (("over edits", "joint"), ("over tasks", "mean_of_tasks"))
    lines = [
        [name, *(f"{_percent(best.get((MULTI_TASK, family)), figure)} / {_number(printed[family])}" for family in MAIN)]
        for name, figure in means
    ]
    yield (
        "Tasks have an equal share of the sequences, not of the edits: 8 of the 28 have nine edits a replacement or "
        "more, and two thirds of all edits. The paper does not say which of the two means it prints.\n"
    )
    told = _verdict(best, MULTI_TASK, [family for family in MAIN if printed[family] is not None])
    yield table(["mean", *MAIN, "verdict"], [[*line, told] for line in lines])


def _percent(cell: Cell | None, figure: str = "joint") -> str:
    if cell is None or figure not in cell["test"]:
        return "-"
    return f"{percentage(cell['test'][figure])}{'†' if _cut(cell) else '' if cell['finished'] else '*'}"


def _cut(cell: Cell) -> bool:
    """Whether a cell ended by its number of updates: it says how fast a model learns, not what it can learn."""
    return bool(cell.get("stopped") == BY_STEPS)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _after_first(best: Mapping[tuple[str, str], Cell]) -> str:
    shares = {name: best[MULTI_TASK, name]["test"].get("after_first") for name in MAIN if (MULTI_TASK, name) in best}
    told = [f"{name} {percentage(share)}" for name, share in shares.items() if share is not None]
    return f"After the first replacement, which nothing tells beforehand: {', '.join(told)}.\n" if told else ""


def claims(results: Results) -> Iterator[tuple[str, str]]:
    """Each claim of the paper with what the measured cells say to it."""
    best = best_cells(results)

    def wins(better: str, worse: str, chosen: Sequence[str], margin: float = 0.0) -> str:
        pairs = [
            (best[task, better], best[task, worse]) for task in chosen if {(task, better), (task, worse)} <= {*best}
        ]
        fair = [(one, other) for one, other in pairs if not _cut(one) and not _cut(other)]
        won = sum(one["test"]["joint"] - other["test"]["joint"] > margin for one, other in fair)
        told = [f"{won} of {len(fair)} tasks measured"] if fair else []
        told += (
            [f"{len(pairs) - len(fair)} left out: one of the two had a fixed number of updates"]
            if len(fair) < len(pairs)
            else []
        )
        return "; ".join(told) or "not measured"

    tasks = list(published()["main"]["rows"])
    meta = [task for task in tasks if task.startswith("Meta")]
    ours = published()["main"]["columns"].index("IA-ag")
    unseen = [task for task, row in published()["main"]["rows"].items() if row[0] is not None and row[0] < 50]
    near = [
        100 * best[task, "IA-ag"]["test"]["joint"] >= row[ours] - 1
        for task, row in published()["main"]["rows"].items()
        if task != MULTI_TASK and (task, "IA-ag") in best and row[ours] is not None
    ]
    told = f"{sum(near)} of {len(near)} tasks measured" if near else "not measured"
    yield "attention (IA-ag) has the printed figure less a point, or more", told
    yield "attention is better than the implicit recurrent model where letters are drawn", wins("IA-ag", "IR", meta)
    yield "attention generalises to contexts that matching has not seen", wins("IA-ag", "POMP", unseen)
    yield "explicit states are at most 2 points better than attention", wins("IA-ag", "E", tasks, -0.02)
    points = {(p["family"], p["hidden"], p["insertions"]): p for p in results["scaling"]}
    sizes = sorted({key[1:] for key in points if all((name, *key[1:]) in points for name in ("E", "IR", "IA-ag"))})

    def slower(one: str, other: str, size: tuple[Any, ...]) -> bool:
        """By more than two standard errors of the difference."""
        a, b = (points[(family, *size)] for family in (one, other))
        error = math.hypot(a.get("error_per_128", 0.0), b.get("error_per_128", 0.0))
        return bool(a["seconds_per_128"] - b["seconds_per_128"] > 2 * error)

    slowest = sum(slower("E", "IR", size) and slower("E", "IA-ag", size) for size in sizes)
    faster = sum(slower("IR", "IA-ag", size) for size in sizes)
    yield "explicit states are always the slowest", f"{slowest} of {len(sizes)} sizes" if sizes else "not measured"
    yield (
        "attention is faster than the implicit recurrent model",
        (f"{faster} of {len(sizes)} sizes" if sizes else "not measured"),
    )


def _scaling(points: Sequence[Cell]) -> list[str]:
    if not points:
        return []
    lines = [
        [point["family"], *(str(point[key]) for key in ("hidden", "insertions", "batch", "steps")),
         f"{point['seconds_per_128']:.3g}", f"{point['error_per_128']:.2g}" if "error_per_128" in point else "-",
         f"{point['ratio']:.2f}" if "ratio" in point else "-"]
        for point in points
    ]  # fmt: skip
    columns = ["family", "width", "insertions", "batch", "steps", "s / 128 instances", "±", "times IA-ag"]
    where = sorted({f"{point['device']}, {point['threads']} thread(s), {point['clock']} time" for point in points})
    return [
        "### Time of training against insertions\n",
        f"Mean of the training steps and its standard error ({'; '.join(where)}).\n",
        table(columns, lines), "![Seconds for 128 instances against insertions](edit-scaling.svg)\n",
    ]  # fmt: skip


def _runs(best: Mapping[tuple[str, str], Cell]) -> str:
    columns = [
        "task",
        "family",
        "width",
        "rate",
        "seed",
        "steps",
        "best at",
        "minutes",
        "position",
        "content",
        "ended by",
        "commit",
    ]
    lines = [
        [task, family, *(f"{cell[key]:g}" for key in ("hidden", "rate", "seed", "steps_done", "best_step", "minutes")),
         *(percentage(cell['test'][key]) for key in ("position", "content")), cell["stopped"], cell["commit"]]
        for (task, family), cell in sorted(best.items())
        if "steps_done" in cell
    ]  # fmt: skip
    return table(columns, lines)
