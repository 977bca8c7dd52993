"""Forms of the verbs for spellers: `prepare speller`, `train speller` and `export speller`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from editahead_models.recipe import Recipe, read_recipe

RecipeFile = Annotated[Path, typer.Argument(help="A recipe of family speller.")]
BundleFolder = Annotated[Path, typer.Option(help="The language model's bundle.")]
DataFolder = Annotated[Path, typer.Option(help="What `prepare speller` wrote.")]


def prepare(
    recipe: RecipeFile,
    bundle: BundleFolder,
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="Where the states and names go.")],
    stdlib: Annotated[Path | None, typer.Option(help="A Python standard library to learn from too.")] = None,
) -> None:
    """Collect the names that a language model could only call new, each with the model's state before it."""
    from editahead_models.data.spelling.spellings import collect

    data = _speller(recipe).data
    found = collect(bundle, mirror, out, tokens=int(data["tokens"]), dev_tokens=int(data["dev_tokens"]), stdlib=stdlib)
    print(f"wrote {out}: {', '.join(f'{split} {count} names' for split, count in found.items())}")


def train(
    recipe: RecipeFile,
    data: DataFolder,
    out: Annotated[Path, typer.Option(help="The run's folder: log, checkpoint, weights.")],
    threads: Annotated[int, typer.Option(help="CPU threads.")] = 1,
) -> None:
    """Train a speller; a stopped run goes on from its checkpoint."""
    from editahead_models.families.speller import SpellerConfig
    from editahead_models.train.speller import SpellerRecipe
    from editahead_models.train.speller import train as run

    chosen = _speller(recipe)
    settings = SpellerRecipe(**chosen.training, threads=threads)
    print(json.dumps(run(data, out, settings, SpellerConfig(**chosen.model)), indent=1))


def export(
    recipe: RecipeFile,
    run: Annotated[Path, typer.Option(help="The run's folder.")],
    data: DataFolder,
    bundle: BundleFolder,
) -> None:
    """Put a trained speller into the bundle whose states it has learnt from, checked against torch."""
    from editahead_models.export.speller import attach

    serving = _speller(recipe).serving
    made = attach(
        run, data, bundle, beam=int(serving["beam"]), steps=int(serving["steps"]), least=float(serving["least"])
    )
    size = sum(entry.bytes for entry in made.manifest.files.values())
    print(f"wrote {made.path}, {size / 1e6:.1f} MB; next: editahead-models calibrate {made.path}")


def _speller(file: Path) -> Recipe:
    recipe = read_recipe(file)
    if recipe.family != "speller":
        raise typer.BadParameter(f"{file}: family must be speller, found {recipe.family}")
    return recipe
