"""`editahead-models evaluate table`: measure the rows of a table that `train` trained; rows that are done are kept."""

from __future__ import annotations

import json
import platform
import time
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from editahead.git import short_head

from editahead_models.evaluate.language_models.runs import Corpus, RunFolders
from editahead_models.recipe import Recipe, read_recipe
from editahead_models.table.counting import measure_cached, measure_counting
from editahead_models.table.measure import measure_combined, measure_run
from editahead_models.table.rows import Row, rows_of
from editahead_models.train.lm import LmRecipe


def main(
    recipe: Annotated[Path, typer.Argument(help="A recipe of family language-models.")],
    data: Annotated[Path, typer.Option(help="What `prepare` wrote.")],
    runs: Annotated[Path, typer.Option(help="What `train` wrote.")],
    out: Annotated[Path, typer.Option(help="A folder for the figures of the rows.")],
    row: Annotated[list[str] | None, typer.Option(help="Only these rows.")] = None,
    again: Annotated[bool, typer.Option(help="Measure rows anew that have figures.")] = False,
) -> None:
    """Measure the rows one after the other; each row's figures go to OUT/ROW/metrics.json."""
    chosen = read_recipe(recipe)
    if not chosen.rows:
        raise typer.BadParameter(f"{recipe}: it has no rows")
    torch.set_num_threads(1)
    corpus = Corpus(data, int(chosen.serving.get("dev_tokens", 80_000)))
    trained = RunFolders(runs, f"{chosen.name}--")
    for entry in rows_of(chosen):
        target = out / entry.name / "metrics.json"
        if (row and entry.name not in row) or (target.exists() and not again):
            continue
        needed = [entry.name] if entry.family is not None else entry.needs
        if missing := [f"{chosen.name}/{name}" for name in needed if not trained.has(name)]:
            print(f"{entry.name}: waits for {', '.join(missing)}")
            continue
        print(f"{entry.name}: {entry.label}", flush=True)
        started = time.time()
        found = measured(entry, chosen, corpus, trained)
        found |= {
            "row": entry.name,
            "label": entry.label,
            "section": entry.section,
            "language": corpus.described["language"],
            "data_hash": corpus.described["data_hash"],
            "commit": short_head(Path.cwd()),
            "machine": f"{platform.machine()}, one thread, torch {torch.__version__}",
            "seconds": round(time.time() - started),
        }
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(found, indent=1))


def measured(row: Row, recipe: Recipe, corpus: Corpus, runs: RunFolders) -> dict[str, Any]:
    """The figures of a row."""
    if row.family is not None:
        return measure_run(row, runs.of(row.name), corpus)
    if row.ensemble:
        return measure_combined(row, runs, corpus)
    if row.counting is not None:
        return measure_counting(row, corpus, LmRecipe(**{**recipe.training, **row.training}))
    return measure_cached(row, runs, corpus)
