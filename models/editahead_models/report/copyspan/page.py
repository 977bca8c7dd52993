"""docs/results/copyspan.md: span copying beside the paper's tables, from saved metrics alone."""

from __future__ import annotations

import json
from pathlib import Path

from editahead_models.report.copyspan import plots, tables, text
from editahead_models.report.copyspan.orders import claims
from editahead_models.report.copyspan.stored import (
    FILE,
    ROWS,
    SETS,
    Results,
    curves_of,
    example_of,
    published,
    run_of,
    spans_of,
)  # fmt: skip
from editahead_models.report.growth_plot import draw_growth
from editahead_models.report.results import DATA, deviations, table
from editahead_models.report.verdicts import COPYSPAN


def write(docs: Path, data: Path = DATA) -> Path | None:
    """The page and its pictures below `docs`; None when no results were saved."""
    if not (data / FILE).exists():
        return None
    found = json.loads((data / FILE).read_text(encoding="utf-8"))
    plots.lengths(
        {(name, row): spans for name in SETS for row in ROWS[1:] if (spans := spans_of(found, name, row))},
        docs / "copyspan-lengths.svg",
    )
    plots.accuracies(
        {name: {row: run for row in ROWS if (run := run_of(found, name, row))} for name in SETS}, published()["repair"],
        docs / "copyspan-accuracy.svg",
    )  # fmt: skip
    shown = example_of(found)
    if shown is not None:
        plots.attention(shown, docs / "copyspan-attention.svg")
    learnt = curves_of(found)
    if learnt:
        up = "loss of dev, each by its own measure"
        draw_growth(
            learnt, docs / "copyspan-learning.svg", across="processor minutes", up=up, logarithmic=False
        )  # fmt: skip
    page = docs / "copyspan.md"
    page.write_text(page_text(found), encoding="utf-8")
    return page


def page_text(results: Results) -> str:
    """The page's text."""
    printed = published()
    parts = [text.INTRODUCTION, *(tables.repairs(results, name, printed) for name in SETS)]
    drawn = any(run_of(results, name, row) for name in SETS for row in ROWS)
    parts += ["![Accuracy of the first 20 outputs, here and as printed](copyspan-accuracy.svg)\n"] if drawn else []
    orders = table(["order", "here", "verdict"], [list(row) for row in claims(results)])
    parts += ["## What the paper orders\n", COPYSPAN, orders]
    parts += [
        tables.picture(results),
        tables.spans(results, printed),
        tables.mined(results),
        text.edits(results.get("runs", ()), printed["edits"]),
    ]
    parts += [text.times(results.get("times", {}), printed["cost"]), tables.runs(results)]
    parts += [deviations("copyspan"), text.COMMANDS]
    return "\n".join(part for part in parts if part)
