"""`editahead-models train treegen`: one run of a recipe, or of a row of the paper's ablations."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from editahead_models.layers.device import DEVICE_HELP
from editahead_models.recipe import Recipe, read_recipe
from editahead_models.treegen.datasets.corpora import SETS, read_split
from editahead_models.treegen.network.config import TreeGenConfig, ablated, same_row
from editahead_models.treegen.train import Run, TreeGenRecipe


def main(
    recipe: Annotated[Path, typer.Argument(help="The recipe.")],
    data: Annotated[Path, typer.Option(help="The folder of the data set.")],
    out: Annotated[Path, typer.Option(help="The run's folder; a run that is there goes on.")],
    name: Annotated[str, typer.Option("--set", help=f"One of {', '.join(SETS)}.")] = "hearthstone-structural",
    row: Annotated[int, typer.Option(help="Row of the paper's ablation table; 1 is the full model.")] = 1,
    epochs: Annotated[int, typer.Option(help="Instead of the recipe's.")] = 0,
    width: Annotated[int, typer.Option(help="Instead of the recipe's.")] = 0,
    seed: Annotated[int, typer.Option(help="Instead of the recipe's.")] = 0,
    dropout: Annotated[float | None, typer.Option(help="Instead of the recipe's.")] = None,
    device: Annotated[str, typer.Option(help=DEVICE_HELP)] = "cpu",
) -> None:
    """Train TreeGen on a data set that you have; needs hours of a processor at the paper's sizes."""
    try:
        read = read_recipe(recipe)
        config, training = settings_of(read, row)
        config = replace(config, width=width or config.width, dropout=config.dropout if dropout is None else dropout)
        training = replace(training, epochs=epochs or training.epochs, seed=seed or training.seed)
        run = Run(out, config, training, read_split(name, data, "train"), device)
        run.fit(read_split(name, data, "dev").examples)
    except (OSError, ValueError, KeyError) as error:
        typer.echo(f"{type(error).__name__}: {error}", err=True)
        raise typer.Exit(2) from None
    print(json.dumps({"run": str(out), "epochs": run.epoch, "minutes": round(run.seconds / 60, 1)}))


def settings_of(recipe: Recipe, row: int) -> tuple[TreeGenConfig, TreeGenRecipe]:
    """Sizes and training of a recipe's row. ValueError for settings that do not exist."""
    if recipe.family != "treegen":
        raise ValueError(f"a recipe of {recipe.family}, not of treegen")
    try:
        config = TreeGenConfig(**recipe.model)
        same = same_row(config, row)
        if same is not None:
            raise ValueError(f"at these numbers of blocks row {row} is the same network as row {same}")
        return ablated(config, row), TreeGenRecipe(**recipe.training)
    except (TypeError, KeyError) as error:
        raise ValueError(f"{recipe.name}: {error}") from None
