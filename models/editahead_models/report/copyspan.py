"""docs/results/copyspan.md: span copying beside the paper's tables, from saved metrics alone."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report import copyspan_plots, copyspan_text
from editahead_models.report.growth_plot import draw_growth
from editahead_models.report.results import DATA, rounded, table

FILE = "copyspan.json"
SETS = ("small", "medium")
QUEUED = "copyspan-runs--"
"""What folders of the queue begin with that hold runs of `models/recipes/copyspan-runs.toml`."""
ROWS = ("CopyTok", "CopySpan", "CopySpan always longest", "CopySpan no marginalisation")
"""The paper's rows, in its order; the first one of its table is of others."""
SEARCHES = {"merged beam": "merged", "merge rays at end": "at end", "greedy": "greedy"}
COLUMNS = ("accuracy", "accuracy@20", "mrr", "structural")

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


def write(docs: Path, data: Path = DATA) -> Path | None:
    """The page and its pictures below `docs`; None when no results were saved."""
    if not (data / FILE).exists():
        return None
    found = json.loads((data / FILE).read_text(encoding="utf-8"))
    copyspan_plots.lengths(
        {(name, row): spans for name in SETS for row in ROWS[1:] if (spans := spans_of(found, name, row))},
        docs / "copyspan-lengths.svg",
    )
    copyspan_plots.accuracies(
        {name: {row: run for row in ROWS if (run := run_of(found, name, row))} for name in SETS}, published()["repair"],
        docs / "copyspan-accuracy.svg",
    )  # fmt: skip
    shown = _example(found)
    if shown is not None:
        copyspan_plots.attention(shown, docs / "copyspan-attention.svg")
    learnt = _curves(found)
    if learnt:
        up = "loss of dev, each by its own measure"
        draw_growth(
            learnt, docs / "copyspan-learning.svg", across="processor minutes", up=up, logarithmic=False
        )  # fmt: skip
    page = docs / "copyspan.md"
    page.write_text(page_text(found), encoding="utf-8")
    return page


def published() -> dict[str, dict[str, Any]]:
    """The paper's tables: source, columns, rows."""
    return dict(json.loads(Path(__file__).with_name("published_copyspan.json").read_text(encoding="utf-8")))


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


def page_text(results: Results) -> str:
    """The page's text."""
    tables = published()
    parts = [copyspan_text.INTRODUCTION, *(_repair(results, name, tables) for name in SETS)]
    drawn = any(run_of(results, name, row) for name in SETS for row in ROWS)
    parts += ["![Accuracy of the first 20 outputs, here and as printed](copyspan-accuracy.svg)\n"] if drawn else []
    parts += ["## What the paper orders\n", table(["order", "here"], [list(row) for row in claims(results)])]
    parts += [
        _picture(results),
        _spans(results, tables),
        _mined(results),
        copyspan_text.edits(results.get("runs", ()), tables["edits"]),
    ]
    parts += [copyspan_text.prose(results.get("runs", ()), tables["grammar"])]
    parts += [copyspan_text.times(results.get("times", {}), tables["cost"]), _runs(results), copyspan_text.COMMANDS]
    return "\n".join(part for part in parts if part)


def _repair(results: Results, name: str, tables: Mapping[str, Any]) -> str:
    """The rows of both tables of the paper about one set."""
    lines = []
    for row, printed in tables["repair"]["rows"][name].items():
        for seed in (1, *seeds_of(results, name, row)):
            run = run_of(results, name, row, seed)
            lines.append([titled(row, seed), *_cells((run or {}).get("searches", {}).get("merged"), printed)])
    for row, how in SEARCHES.items():
        run = run_of(results, name, "CopySpan")
        printed = tables["decoding"]["rows"][name][row]
        lines.append([f"CopySpan, {row}", *_cells((run or {}).get("searches", {}).get(how), printed)])
    more = []
    for row in ROWS:
        for seed in (1, *seeds_of(results, name, row)):
            run = run_of(results, name, row, seed)
            if run is not None:
                more.append([titled(row, seed), *_beyond(run)])
    text = f"## Repairs, {name}\n\n" + table(["first here / printed", *_TITLES], lines)
    if more:
        columns = ["", "pairs", "± accuracy", "up to names", "exact", "input rank", "chrF", "steps", "actions"]
        text += "\n" + table([*columns, "-ln p a token"], more)
    later = ", ".join(
        f"{system} {values[SETS.index(name)]:g}" for system, values in tables["later"]["rows"].items()
    )  # fmt: skip
    return text + f"\nExact match of other systems on the published test split: {later}.\n"


_TITLES = ("accuracy", "accuracy@20", "MRR", "structure")


def _cells(measured: Mapping[str, Any] | None, printed: Sequence[float | None]) -> Iterator[str]:
    for column, value in zip(COLUMNS, printed, strict=True):
        mine = None if measured is None else measured.get(column)
        scale, digits = (1.0, 3) if column == "mrr" else (100.0, 1)
        here = "-" if mine is None else f"{scale * mine:.{digits}f}"
        yield f"{here} / {'-' if value is None else f'{value:.{digits}f}'}"


def _beyond(run: Run) -> Iterator[str]:
    merged = run["searches"].get("merged", {})
    yield f"{run['pairs']} of {run['of']}"
    share = merged.get("accuracy")
    yield "-" if share is None else percentage(math.sqrt(share * (1 - share) / run["pairs"]))
    for column, form in (
        ("but_names", "%"), ("exact", "%"), ("input_rank", ".3f"), ("chrf", "%"), ("steps", ".0f"), ("actions", ".2f")
    ):  # fmt: skip
        value = merged.get(column)
        yield "-" if value is None else percentage(value) if form == "%" else f"{value:{form}}"
    yield f"{run['marginal']['loss']:.4f}"


def claims(results: Results) -> Iterator[tuple[str, str]]:
    """Each order that the paper prints, with what was measured."""

    def value(name: str, row: str, column: str, how: str = "merged", seed: int = 1) -> float | None:
        figure = (run_of(results, name, row, seed) or {}).get("searches", {}).get(how, {}).get(column)
        return None if figure is None else float(figure)

    def compare(one: tuple[str, str], two: tuple[str, str], columns: Sequence[str]) -> str:
        told = []
        for name in SETS:
            for seed in (1, *seeds_of(results, name, one[0])):
                pairs = [(value(name, one[0], c, one[1], seed), value(name, two[0], c, two[1], seed)) for c in columns]
                known = [(a, b) for a, b in pairs if a is not None and b is not None]
                if known:
                    told.append(f"{titled(name, seed)}: {sum(a > b for a, b in known)} of {len(known)} metrics")
        return "; ".join(told) or "not measured"

    span, tok = ("CopySpan", "merged"), ("CopyTok", "merged")
    yield "CopySpan before CopyTok: accuracy, accuracy@20, MRR", compare(span, tok, COLUMNS[:3])
    yield "all spans before the longest alone", compare(span, (ROWS[2], "merged"), COLUMNS[:3])
    yield "marginalised before not marginalised", compare(span, (ROWS[3], "merged"), COLUMNS[:3])
    at_end = (ROWS[1], "at end")
    yield "merged in every round before merged at the end: accuracy@20", compare(span, at_end, COLUMNS[1:2])
    yield "merged beam before greedy: accuracy", compare(span, (ROWS[1], "greedy"), COLUMNS[:1])
    ranks = [
        f"{name}: CopyTok {tok_rank:.2f}, CopySpan {span_rank:.2f}"
        for name in SETS
        if (tok_rank := value(name, "CopyTok", "input_rank")) is not None
        and (span_rank := value(name, "CopySpan", "input_rank")) is not None
    ]
    yield "CopyTok ranks the unchanged input higher (printed, small: 0.74 and 0.28)", "; ".join(ranks) or "not measured"


def _picture(results: Results) -> str:
    """One repair with what is copied and what is looked at, as the paper shows one."""
    shown = _example(results)
    if shown is None:
        return ""
    copied = sum(len(row["tokens"]) for row in shown["rows"] if row["start"] is not None)
    return (
        "## One repair\n\nThe first right repair of the test pairs that is short and takes several actions: "
        f"{len(shown['rows'])} actions write {len(shown['target']) + 1} tokens, {copied} of them copied. Across: the "
        "input; a row an action, with its probability. Grey: the attention of copying before it; a frame: what it "
        "copies.\n\n![The attention and the copied spans of one repair](copyspan-attention.svg)\n"
    )


def _spans(results: Results, tables: Mapping[str, Any]) -> str:
    lines = []
    for name in SETS:
        printed = tables["spans"]["rows"][name]
        for row in ROWS[1:]:
            spans = spans_of(results, name, row)
            if spans is not None:
                paper = [f"{value:g}" for value in printed] if row == "CopySpan" else ["-"] * 3
                mine = [f"{spans['mean']:.1f}", f"{spans['median']:g}", percentage(spans["single"])]
                cells = [f"{here} / {there}" for here, there in zip(mine, paper, strict=True)]
                lines.append([f"{row}, {name}", *cells, f"{spans['per_example']:.1f}"])
    if not lines:
        return ""
    columns = ["first here / printed", "mean length", "median", "single tokens, %", "spans an output"]
    return (
        "## Copied spans\n\nWhat the greedy search copies, in tokens.\n\n" + table(columns, lines)
        + "\n![How long copied spans are](copyspan-lengths.svg)\n"
    )  # fmt: skip


def _mined(results: Results) -> str:
    """Runs on other pairs than the paper's."""
    lines = []
    for run in results.get("runs", ()):
        if run["name"] in SETS or "searches" not in run or "gleu" in run:
            continue
        for how, figures in run["searches"].items():
            if how == "greedy":
                continue
            about = figures.get("changed", figures)
            cells = [percentage(about[column]) for column in ("accuracy", "accuracy@20") if column in about]
            cells += ["-"] * (2 - len(cells)) + [f"{about['mrr']:.3f}"]
            cells += [percentage(about[column]) for column in ("structural", "but_names", "chrf")]
            left = percentage(figures["exact"]) if "changed" in figures else "-"
            size = f"{run['changed_pairs']} + {run['pairs'] - run['changed_pairs']}"
            lines.append([f"{run['name']}, {row_name(run)}, {how}", size, *cells, left])
    if not lines:
        return ""
    columns = ["", "pairs: changed + not", "accuracy", "accuracy@20", "MRR", "structure", "up to names", "chrF"]
    return (
        "## Mined repairs\n\nRegions of commits whose message mentions a repair (or with a slip made on purpose), "
        "projects held out. Figures of the pairs that change something; the last column is the share of all pairs "
        "whose likeliest output is right, unchanged ones included.\n\n" + table([*columns, "exact, all"], lines)
    )  # fmt: skip


def _example(results: Results) -> Mapping[str, Any] | None:
    """A repair of the first run of CopySpan that kept one."""
    runs = (run_of(results, name, "CopySpan") for name in SETS)
    return next((run["example"] for run in runs if run is not None and run.get("example")), None)


def _curves(results: Results) -> dict[str, list[tuple[float, float]]]:
    """The loss of dev by processor minutes, a line a run of the sets of the paper."""
    return {
        f"{name}, {titled(row, seed)}": [(minutes, loss) for minutes, loss in run["curve"]]
        for run in results.get("runs", ())
        for name, row, seed in [key(run)]
        if name in SETS and run.get("curve")
    }


def _runs(results: Results) -> str:
    columns = ["", "pairs", "sizes", "updates", "best at", "minutes", "ended", "rays, actions", "data", "commit"]
    lines = []
    for run in results.get("runs", ()):
        model = run["model"]
        sizes = f"{model['encoder']} x {model['layers']}, {model['decoder']}, {model['embedding']}, {model['vocab']}"
        limits = f"{run['rays']}, {run['actions']}" if "rays" in run else "-"
        name, row, seed = key(run)
        ended = "dev rested" if run.get("rested") else "time" if run["finished"] else "still learning"
        lines.append([
            f"{name}, {titled(row, seed)}", f"{run['learnt_from']:,}", sizes, f"{run['updates']:,}",
            f"{run['best_at']:,}", f"{run['minutes']:.1f}", ended, limits,
            f"`{run.get('data', '-')}`", run.get("commit") or "-",
        ])  # fmt: skip
    if not lines:
        return ""
    curves = "\n![Loss of dev against processor minutes](copyspan-learning.svg)\n" if _curves(results) else ""
    return (
        "## Runs\n\nSizes: encoder each way and its layers, decoder, embedding, words. Minutes are processor minutes "
        "of one thread. Ended: dev rested (no better for as many looks as the recipe waits), by the time that the row "
        "was given, or not at all: it was measured while it was learning.\n\n" + table(columns, lines) + curves
    )
