"""`editahead-models evaluate copyspan`: score a run line by line on any parallel pair of files."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from editahead.runtime.span_copying.tree import SpanLimits

from editahead_models.commit import short_head
from editahead_models.copyspan.corpora.pairs import SPLITS, read_pairs, split_pairs
from editahead_models.copyspan.edit_run import edits_of, load_editor
from editahead_models.copyspan.evaluate.edit_transfer import measure_editor
from editahead_models.copyspan.evaluate.measure import METRICS, SEARCHES, drawn, measure
from editahead_models.copyspan.network.batches import Pair
from editahead_models.copyspan.train import FAMILY, LONGEST, load_run
from editahead_models.run_folder import RunFolder


def main(
    run: Annotated[Path, typer.Argument(help="The folder of a run of `train copyspan`.")],
    source: Annotated[Path, typer.Option(help="Inputs, one a line, as for training.")],
    target: Annotated[Path, typer.Option(help="What each should become.")],
    split: Annotated[str, typer.Option(help="train, dev, test (the split that training made), or all lines.")] = "test",
    around: Annotated[int, typer.Option(help="For a neural editor: unchanged lines around a change.")] = 1,
    longest: Annotated[int, typer.Option(help="Tokens of a side at most; longer pairs are left out.")] = LONGEST,
    most: Annotated[int, typer.Option(help="Draw at most so many pairs; 0: all.")] = 0,
    search: Annotated[str, typer.Option(help="Searches by comma: merged, at end, greedy.")] = ",".join(SEARCHES),
    rays: Annotated[int, typer.Option(help="Hypotheses that the beam keeps.")] = 20,
    actions: Annotated[int, typer.Option(help="Tokens and spans that each hypothesis tries.")] = 20,
    store: Annotated[bool, typer.Option(help="Keep the figures in the run, for `report --runs`.")] = False,
    name: Annotated[str, typer.Option(help="What the pairs are called in the report.")] = "",
    seed: Annotated[int, typer.Option(help="Which pairs are drawn.")] = 1,
    threads: Annotated[int, typer.Option(help="CPU threads.")] = 1,
) -> None:
    """Accuracy, ranks, structure, copied spans and steps of a span-copying run.

    For a neural editor also the exact match given an edit's own vector and given that of another edit of its kind.
    """
    torch.set_num_threads(threads)
    try:
        pairs = read_pairs(source, target)
        if split != "all":
            if split not in SPLITS:
                raise ValueError(f"--split must be all or one of {', '.join(SPLITS)}, found {split!r}")
            pairs = split_pairs(pairs)[split]
        limits = SpanLimits(rays, actions)
        if RunFolder(run).config(FAMILY)["model"].get("edit"):
            _finish(run, _editor(run, edits_of(pairs, around, longest), most, limits, seed), name, split, store)
            return
        model, vocabulary, config = load_run(run)
        kept = drawn([pair for pair in pairs if max(map(len, pair)) <= longest], most, seed)
        searches = [each.strip() for each in search.split(",") if each.strip()]
        found = measure(model, vocabulary, kept, searches, limits)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    found |= {"of": len(pairs), **about(run, config)}
    _finish(run, found, name, split, store)


def _editor(run: Path, edits: list[Pair], most: int, limits: SpanLimits, seed: int) -> dict[str, Any]:
    model, vocabulary, config = load_editor(run)
    found = measure_editor(model, vocabulary, edits, most=most or len(edits), limits=limits, seed=seed)
    return {"editor": found, **about(run, config)}


def _finish(run: Path, results: dict[str, Any], name: str, split: str, store: bool) -> None:
    results = {"name": name or run.resolve().parent.name, "split": split, **results}
    if store:
        (run / METRICS).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))


def row_name(config: dict[str, Any]) -> str:
    """A run's row in the paper's tables, by its settings; the first seed is not named."""
    span = {"longest": "CopySpan always longest", "any": "CopySpan no marginalisation"}
    row = "CopyTok" if config["model"]["single"] else span.get(config["recipe"]["objective"], "CopySpan")
    seed = config["recipe"].get("seed", 1)
    return row if seed == 1 else f"{row}, seed {seed}"


def about(run: Path, config: dict[str, Any]) -> dict[str, Any]:
    """What a run is: sizes, recipe, pairs learnt from, updates, processor minutes; and what measures it."""
    looks = RunFolder(run).log()
    best: dict[str, Any] = min(looks, key=lambda look: look["dev"], default={})
    last = looks[-1] if looks else {}
    return {
        "row": row_name(config), "model": config["model"],
        "recipe": config["recipe"], "learnt_from": config["pairs"], "data": config["data"],
        "updates": last.get("step", 0), "best_at": best.get("step", 0), "minutes": last.get("minutes", 0.0),
        "finished": bool(last.get("done", False)),
        "rested": bool(looks) and len(looks) - 1 - looks.index(best) >= config["recipe"]["patience"],
        "commit": short_head(Path(__file__).parents[1]) or "",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }  # fmt: skip
