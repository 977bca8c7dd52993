"""`editahead-models train`: run a recipe on prepared data. Stopped runs go on from their checkpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from editahead_models.recipe import Recipe, read_recipe


def main(
    recipe: Annotated[Path, typer.Argument(help="A recipe file.")],
    data: Annotated[Path, typer.Option(help="What `prepare` or `mine` wrote.")],
    out: Annotated[Path, typer.Option(help="The run's folder: log, checkpoint, weights.")],
    threads: Annotated[int, typer.Option(help="CPU threads.")] = 1,
    begin: Annotated[Path | None, typer.Option(help="The bundle that the recipe begins with.")] = None,
) -> None:
    """Train one recipe; progress goes to `log.jsonl` in the run's folder and, as a bar, to the screen."""
    chosen = read_recipe(recipe)
    if chosen.family == "spn":
        metrics = _language_model(chosen, data, out, threads, begin)
    else:
        metrics = _edits(chosen, data, out, threads)
    print(json.dumps(metrics, indent=1))


def _language_model(recipe: Recipe, data: Path, out: Path, threads: int, begin: Path | None) -> dict[str, float]:
    from editahead.runtime.bundle import load_bundle

    from editahead_models.train.lm import LmRecipe, train

    settings = LmRecipe(**recipe.training, threads=threads)
    return train(data, out, settings, recipe.model, begin=load_bundle(begin) if begin else None).metrics


def _edits(recipe: Recipe, data: Path, out: Path, threads: int) -> dict[str, float]:
    from editahead_models.train.edits import edit_recipe, train

    settings = {**recipe.data, **recipe.model, **recipe.training, "threads": threads}
    return train(data, out, edit_recipe(settings)).metrics
