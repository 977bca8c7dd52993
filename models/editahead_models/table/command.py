"""`editahead-models train table`: train and measure every row of a table on one corpus; rows that are done are kept."""

from __future__ import annotations

import json
import platform
import time
from pathlib import Path
from typing import Annotated, Any

import torch
import typer

from editahead_models.commit import short_head
from editahead_models.evaluate.language_models.runs import Corpus, RunFolders
from editahead_models.recipe import Recipe, read_recipe
from editahead_models.table.measure import measure_combined, measure_run
from editahead_models.table.rows import Row, rows_of
from editahead_models.train.lm import LmRecipe, train


def main(
    recipe: Annotated[Path, typer.Argument(help="A recipe of family language-models.")],
    data: Annotated[Path, typer.Option(help="What `prepare` wrote.")],
    out: Annotated[Path, typer.Option(help="A folder for the rows: runs, figures, logs.")],
    row: Annotated[list[str] | None, typer.Option(help="Only these rows.")] = None,
    tokens: Annotated[int | None, typer.Option(help="Another budget than the recipe's, for all rows.")] = None,
    again: Annotated[bool, typer.Option(help="Measure rows anew that have figures; what is trained is kept.")] = False,
    queue: Annotated[
        Path | None, typer.Option(help="A queue's folder: measure the rows that it trained, train none here.")
    ] = None,
) -> None:
    """Train and measure the rows one after the other; each row's figures go to OUT/ROW/metrics.json."""
    chosen = read_recipe(recipe)
    if not chosen.rows:
        raise typer.BadParameter(f"{recipe}: it has no rows")
    torch.set_num_threads(1)
    corpus = Corpus(data, int(chosen.serving.get("dev_tokens", 80_000)))
    trained = RunFolders(out) if queue is None else RunFolders(queue / "runs", f"{chosen.name}--")
    for entry in rows_of(chosen):
        target = out / entry.name / "metrics.json"
        if (row and entry.name not in row) or (target.exists() and not again):
            continue
        missing = [name for name in entry.needs if not trained.has(name)]
        if queue is not None and entry.family is not None and not trained.has(entry.name):
            missing = [f"the queue's run {chosen.name}/{entry.name}"]
        if missing:
            print(f"{entry.name}: waits for {', '.join(missing)}")
            continue
        print(f"{entry.name}: {entry.label}", flush=True)
        started = time.time()
        found = measured(entry, chosen, corpus, trained, tokens)
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


def measured(row: Row, recipe: Recipe, corpus: Corpus, runs: RunFolders, tokens: int | None) -> dict[str, Any]:
    """Train a row where it must be, and measure it."""
    if row.family is not None:
        settings = {**recipe.training, **row.training, **({"tokens": tokens} if tokens else {})}
        run = runs.of(row.name)
        if not runs.has(row.name):
            train(corpus.data, run, LmRecipe(**settings), dict(row.model), row.family)
        return measure_run(run, corpus)
    if row.ensemble:
        return measure_combined(row, runs, corpus)
    from editahead_models.table.counting import measure_cached, measure_counting

    if row.cached is not None:
        return measure_cached(row, runs, corpus)
    settings = {**recipe.training, **row.training, **({"tokens": tokens} if tokens else {})}
    return measure_counting(row, corpus, LmRecipe(**settings))
