"""`editahead-models prepare`: the encoded corpus of a language-model recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editahead_models.data.corpus.prepare_corpus import prepare
from editahead_models.data.splits import languages
from editahead_models.recipe import read_recipe


def main(
    recipe: Annotated[Path, typer.Argument(help="A recipe, such as models/recipes/spn-python.toml.")],
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="Where the arrays go.")],
    stdlib: Annotated[Path | None, typer.Option(help="A Python standard library to learn from too.")] = None,
    language: Annotated[str | None, typer.Option(help="Where the recipe serves any: python or java.")] = None,
    workers: Annotated[int, typer.Option(help="Processes.")] = 2,
    vocab: Annotated[
        Path | None, typer.Option(help="A vocab.json to use in place of a new one, such as a bundle's.")
    ] = None,
    broken: Annotated[
        float, typer.Option(help="Share of training files to add as seen by somebody still typing.")
    ] = 0.0,
    dev_only: Annotated[
        bool, typer.Option("--dev-only", help="The dev files alone, with --vocab: to measure a bundle on them.")
    ] = False,
) -> None:
    """Tokenise, count and encode the training and dev projects; what is missing or not permissive is skipped, named."""
    chosen = read_recipe(recipe)
    named = language or chosen.language
    if named not in languages():
        raise typer.BadParameter(f"{recipe} serves {named}: give --language {' or '.join(languages())}")
    if chosen.family not in ("spn", "language-models"):
        raise typer.BadParameter(f"{recipe}: edit models are prepared with `editahead-models mine`")
    if dev_only and vocab is None:
        raise typer.BadParameter("--dev-only needs --vocab")
    prepare(
        named,
        mirror,
        out,
        vocab_size=int(chosen.data["vocab_size"]),
        stdlib=stdlib,
        workers=workers,
        vocab_from=vocab,
        broken_share=broken,
        dev_only=dev_only,
        most_bytes=chosen.data.get("source_bytes"),
    )
    print(f"wrote {out}")
