"""The tables of the page of span copying, one function each; an empty text where nothing was stored."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from editahead.text.percent import percentage

from editahead_models.report.copyspan.stored import (
    COLUMNS,
    ROWS,
    SETS,
    Results,
    Run,
    curves_of,
    example_of,
    key,
    row_name,
    run_of,
    seeds_of,
    spans_of,
    titled,
)  # fmt: skip
from editahead_models.report.results import table

SEARCHES = {"merged beam": "merged", "merge rays at end": "at end", "greedy": "greedy"}
"""The paper's rows of searches, and what they are stored under."""


def repairs(results: Results, name: str, tables: Mapping[str, Any]) -> str:
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


def picture(results: Results) -> str:
    """One repair with what is copied and what is looked at, as the paper shows one."""
    shown = example_of(results)
    if shown is None:
        return ""
    copied = sum(len(row["tokens"]) for row in shown["rows"] if row["start"] is not None)
    return (
        "## One repair\n\nThe first right repair of the test pairs that is short and takes several actions: "
        f"{len(shown['rows'])} actions write {len(shown['target']) + 1} tokens, {copied} of them copied. Across: the "
        "input; a row an action, with its probability. Grey: the attention of copying before it; a frame: what it "
        "copies.\n\n![The attention and the copied spans of one repair](copyspan-attention.svg)\n"
    )


def spans(results: Results, tables: Mapping[str, Any]) -> str:
    """How long the copied spans are, beside those in print."""
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


def mined(results: Results) -> str:
    """Runs on other pairs than the paper's."""
    lines = []
    for run in results.get("runs", ()):
        if run["name"] in SETS or "searches" not in run:
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


def runs(results: Results) -> str:
    """Every run: what it learnt from, its sizes, and how it ended."""
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
    curves = "\n![Loss of dev against processor minutes](copyspan-learning.svg)\n" if curves_of(results) else ""
    return (
        "## Runs\n\nSizes: encoder each way and its layers, decoder, embedding, words. Minutes are processor minutes "
        "of one thread. Ended: dev rested (no better for as many looks as the recipe waits), by the time that the row "
        "was given, or not at all: it was measured while it was learning.\n\n" + table(columns, lines) + curves
    )
