"""`editahead-models prepare`: the encoded corpus of a language-model recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editahead_models.data.lm_corpus import prepare
from editahead_models.recipe import read_recipe


def main(
    recipe: Annotated[Path, typer.Argument(help="A recipe of family spn, such as models/recipes/spn-python.toml.")],
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="Where the arrays go.")],
    stdlib: Annotated[Path | None, typer.Option(help="A Python standard library to learn from too.")] = None,
    workers: Annotated[int, typer.Option(help="Processes.")] = 2,
) -> None:
    """Tokenise, count and encode the training and dev projects; what is missing or not permissive is skipped, named."""
    chosen = read_recipe(recipe)
    if chosen.family != "spn":
        raise typer.BadParameter(f"{recipe}: edit models are prepared with `editahead-models mine`")
    prepare(
        chosen.language,
        mirror,
        out,
        vocab_size=int(chosen.data["vocab_size"]),
        flavour=str(chosen.data["flavour"]),
        stdlib=stdlib,
        workers=workers,
    )
    print(f"wrote {out}")
