"""docs/results/treegen.md from committed figures, beside the published ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from editahead_models.report.growth_plot import draw_growth
from editahead_models.report.results import deviations
from editahead_models.report.treegen import served as report_served
from editahead_models.report.treegen.ablations import ablations
from editahead_models.report.treegen.entries import (
    NOT_RUN,
    Runs,
    cell,
    entry_of,
    epochs_of,
    exact,
    is_shorter,
    ours,
    table,
    worth,
)
from editahead_models.report.verdicts import TREEGEN_FIGURES

FIGURES, GRAMMAR, PAGE, PICTURE = "treegen.json", "treegen-grammar.json", "treegen.md", "treegen-learning.svg"
PUBLISHED = Path(__file__).with_name("published.json")
PLANNED = 40  # epochs of the recipe


def write(docs: Path, data: Path) -> Path | None:
    """Write the page and its picture; None where nothing was measured."""
    if not (data / FIGURES).exists():
        return None
    page = docs / PAGE
    curves = _curves(_read(data / FIGURES))
    if curves:
        draw_growth(
            curves, docs / PICTURE, across="processor minutes", up="dev programs, % right", logarithmic=False
        )  # fmt: skip
    page.write_text(text_of(data), encoding="utf-8")
    return page


def text_of(data: Path) -> str:
    """The page. Sets without figures say so."""
    runs, grammar, offered = (_read(data / name) for name in (FIGURES, GRAMMAR, report_served.FIGURES))
    published = _read(PUBLISHED)
    parts = [
        *_head(offered), *_grammar(grammar), *_cards(runs, published), *ablations(runs, published),
        *_forms(runs, published), *report_served.served(offered), *_conditions(runs), deviations("treegen"),
    ]  # fmt: skip
    return "\n".join(parts).rstrip("\n") + "\n"


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _head(offered: Runs) -> list[str]:
    return [
        "# TreeGen: from a description to a program",
        "",
        "The model of Sun et al. (AAAI 2020) on the data sets of its paper, with a grammar of all of Python.",
        "`editahead-models report` writes this page from the figures in `models/results`. All in percent.",
        "",
        "The server contains only the model of the section on function bodies; the others are for comparison."
        if offered
        else "**None of this is in the server.** No bundle of this family is shipped.",
        "",
    ]


def _grammar(grammar: Runs) -> Iterator[str]:
    yield "## The grammar"
    yield ""
    if not grammar:
        yield NOT_RUN
        yield ""
        return
    trip, made = grammar["round trip"], grammar["random programs"]
    python = trip["files"] - trip["not Python"]
    yield f"Derived from the signatures of the `ast` classes of Python {grammar['python']}: {grammar['rules']} rules."
    some = f" (every {grammar['every']}th one)" if grammar["every"] > 1 else ""
    yield f"Source to rules to source: {trip['same']:,} of {python:,} files of the standard library{some}"
    yield f"are restored as the same tree. Of {made['made']:,} random programs"
    yield f"{made['come back']:,} parse and come back as the same tree."
    yield ""


def _cards(runs: Runs, published: Runs) -> Iterator[str]:
    yield "## Hearthstone"
    yield ""
    for setting in ("structural", "plain"):
        rows = [[name, *map(cell, row), ""] for name, row in published["hearthstone"][setting].items()]
        entry = entry_of(runs, f"hearthstone-{setting}")
        base = f"hearthstone-{setting}/test/1/"
        more = [
            [f"ours, {key.removeprefix(base)}, {one['epochs']} epochs", *ours(one), worth(one)]
            for key, one in runs.items()
            if key.startswith(base) and not is_shorter(key)
        ]
        if setting == "structural":
            closed = entry_of(runs, "hearthstone-closed")
            more.append([f"ours, closed list rules as published{epochs_of(closed)}", *ours(closed), worth(closed)])
        yield from table(
            [setting, "StrAcc", "Acc+", "BLEU", "verdict"],
            [*rows, [f"**ours**{epochs_of(entry)}", *ours(entry), worth(entry)], *more],
        )
        if entry is not None:
            figures, fresh = entry["figures"], entry["without training pairs"]
            yield f"Ours on {figures['examples']} test cards, {fresh['examples']} of which are not in the training data"
            yield f"(accuracy on these {fresh['accuracy']:.1f}). A beam of {entry['beam']} finds the right program"
            yield f"for {figures['among all beams']:.1f}, the first result parses for {figures['parse']:.1f}, and"
            yield f"{figures['nothing found']} cards get no result. Grammar, vocabulary and copies can produce"
            yield f"{figures['ceiling']:.1f} at all."
            if entry["epochs"] < PLANNED:
                yield f"**Stopped after {entry['epochs']} of {PLANNED} epochs**: this is no measure of the model."
            yield ""
    yield f"Published: {published['hearthstone']['source']}."
    yield "One test card is 1.5 points; the interval is Wilson's, 95 %."
    yield TREEGEN_FIGURES
    yield ""


def _curves(runs: Runs) -> dict[str, list[tuple[float, float]]]:
    """Dev programs by processor minutes, of the runs that kept them."""
    return {
        key.replace("/test/1", "").replace("/", ", "): [(minutes, share) for minutes, share in run["curve"]]
        for key, run in runs.items()
        if run.get("curve") and run["row"] == 1 and run.get("models", 1) == 1 and not is_shorter(key)
    }


def _forms(runs: Runs, published: Runs) -> Iterator[str]:
    yield "## Logical forms"
    yield ""
    rows = [[name, *map(cell, row)] for name, row in published["forms"]["rows"].items()]
    sets = {"ATIS": entry_of(runs, "atis"), "GEO": entry_of(runs, "geo")}
    yield from table(["", *sets], [*rows, ["**ours**", *map(exact, sets.values())]])
    yield from table(["", "verdict"], [[name, worth(entry)] for name, entry in sets.items()])
    for name, entry in sets.items():
        if entry is not None:
            figures, fresh = entry["figures"], entry["without training pairs"]
            yield f"{name} without the pairs of the training data: {exact(fresh)} on {fresh['examples']}"
            yield f"of {figures['examples']} questions. Among the five found: {figures['among all beams']:.1f};"
            yield f"grammar, vocabulary and copies can produce {figures['ceiling']:.1f}."
            yield ""
    yield "ATIS: the published training part is not available. Entities were identified here, by a lexicon and by the"
    yield "phrases that name them in training, from the question alone; those that are not found are left as they are"
    yield "and scored so. Pairs are compared after that, so many more are equal than of the raw ones (9 of 448)."
    yield ""
    yield f"Published: {published['forms']['source']}."
    yield ""


def _conditions(runs: Runs) -> Iterator[str]:
    yield "## Under which conditions"
    yield ""
    for key, run in runs.items():
        sizes = run["model"]
        blocks = f"{sizes['nl_blocks']} / {sizes['ast_blocks']} / {sizes['decoder_blocks']} blocks"
        epochs = f"{run['epochs']} epochs of {run['seconds an epoch']:.1f} processor seconds"
        yield f"- {key}: width {sizes['width']}, {blocks}, {run['parameters']:,} parameters; {epochs},"
        best = run["best epoch"]
        chosen = "the last was taken" if best == run["epochs"] else f"the best on dev is {best}"
        yield f"  {chosen}; batches of {run['recipe']['batch']}, beam {run['beam']};"
        measured = f"; measured at commit {run['commit']}, {run['machine']}" if run.get("commit") else ""
        yield f"  {run['train examples']} examples, data {run['data']}{measured}."
    if not runs:
        yield "No run is recorded."
    if _curves(runs):
        yield ""
        yield f"![Dev programs that are right on gold prefixes, by processor minutes]({PICTURE})"
    yield ""
    yield "The paper: width 256, 6 / 5 / 5 blocks, batches of 30, 18 seconds an epoch on a graphics card; the number of"
    yield "epochs is not known here."
    yield ""
