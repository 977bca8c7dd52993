"""`editahead-models evaluate speller`: what a speller finds by itself, and what it is worth to the product."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from editahead.runtime.bundle import load_bundle
from editahead.suggest.engine import Engine

from editahead_models.evaluate.completions.speller import product_figures, spelling_figures
from editahead_models.evaluate.places.product import language_of, sample_places

PLACES_A_NAME = 8  # places drawn for each name wanted: most names are listed, or said elsewhere in their file


def main(
    bundle: Annotated[Path, typer.Argument(help="A bundle with a speller.")],
    data: Annotated[Path | None, typer.Option(help="What `prepare speller` wrote: ask the speller alone.")] = None,
    mirror: Annotated[Path | None, typer.Option(help="Folder of git repositories: ask the whole product.")] = None,
    count: Annotated[int, typer.Option(help="Names to ask for.")] = 1000,
    seed: Annotated[int, typer.Option(help="Which names are drawn.")] = 300,
) -> None:
    """How often a dev name that stands nowhere else in its file is found, with none to three letters typed."""
    figures: dict[str, dict[str, float]] = {}
    if data is not None:
        figures["speller"] = spelling_figures(bundle, data, count, seed)
    if mirror is not None:
        language = language_of(load_bundle(bundle).manifest.language)
        engine = Engine.load([bundle], "cpu", lambda text, share: None)
        places = sample_places(language, mirror, "dev", PLACES_A_NAME * count, seed, names_only=True)
        figures["product"] = product_figures(engine, places, language)
    if not figures:
        raise typer.BadParameter("give --data, --mirror, or both")
    print(json.dumps(figures, indent=1))
