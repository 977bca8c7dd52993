"""`editahead-models report`: the result pages from saved metrics, or the card of one bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editahead_models.report.results import collect, data_of

TABLE = Path("models/recipes/language-models.toml")


def main(
    bundle: Annotated[Path | None, typer.Argument(help="A bundle directory: print its card instead.")] = None,
    runs: Annotated[
        Path | None, typer.Option(help="First take in finished rows: a folder with LANGUAGE/rows of `train table`.")
    ] = None,
    edits: Annotated[
        Path | None, typer.Option(help="First take in a runs folder of `train synthetic` and `evaluate scaling`.")
    ] = None,
    copyspan: Annotated[
        Path | None, typer.Option(help="First take in SET/RUN folders that `evaluate copyspan --store` measured.")
    ] = None,
    product: Annotated[
        list[Path] | None,
        typer.Option(help="First make the tables of `report product` again from the rows of these --work folders."),
    ] = None,
    corpus: Annotated[
        list[Path] | None, typer.Option(help="First take in what `prepare` says of a corpus: the folder it wrote.")
    ] = None,
    docs: Annotated[Path, typer.Option(help="Where the pages go.")] = Path("docs/results"),
) -> None:
    """Write docs/results anew from the metrics in models/results."""
    if bundle is not None:
        _card(bundle)
        return
    data = data_of(docs)
    if runs is not None:
        _take_in(runs, data)
    from editahead_models.publishing import missed_aims, stored, tables_again
    from editahead_models.publishing.keystrokes import page as keystrokes
    from editahead_models.report import (
        check,
        consequences,
        corpora,
        edit_models,
        language_models,
        next_edits,
        training_tokens,
    )
    from editahead_models.report.copyspan import page as spans
    from editahead_models.report.copyspan import stored as stored_spans
    from editahead_models.report.treegen import page as programs

    if edits is not None:
        print(f"edits: {edit_models.take_in(edits, data)} cells")
    if copyspan is not None:
        print(f"copyspan: {stored_spans.take_in(copyspan, data)} runs")

    try:
        for folder in corpus or ():
            print(f"corpus: {corpora.take_in(folder, data)}")
        if product:
            tables_again.take_in(product, docs)
        pages = [language_models.write(docs, data)]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    others = (
        edit_models.write(docs, data),
        spans.write(docs, data),
        programs.write(docs, data),
        check.write(docs, data),
        consequences.write(docs, data),
        next_edits.write(docs, data),
        stored.write(docs, data),
        missed_aims.write(docs, data),
        keystrokes.write(docs, data),
        corpora.write(docs, data),
        training_tokens.write(docs.resolve().parents[1]),
    )
    pages += [page for page in others if page is not None]
    for page in pages:
        print(f"wrote {page}")


def _card(bundle: Path) -> None:
    from editahead.runtime.bundle import load_bundle
    from rich.console import Console
    from rich.markdown import Markdown

    from editahead_models.export.card import card_text

    Console().print(Markdown(card_text(load_bundle(bundle).manifest)))


def _take_in(runs: Path, data: Path) -> None:
    """Rows stand in a table of their own until all of the recipe are there; then it replaces the last whole one."""
    from editahead_models.recipe import read_recipe
    from editahead_models.report.language_models import under_way, whole
    from editahead_models.table.rows import rows_of

    order = [row.name for row in rows_of(read_recipe(TABLE))]
    for rows in sorted(runs.glob("*/rows")):
        target = under_way(data, rows.parent.name)
        found = collect(rows, target, order, keep=True)["rows"]
        if len(found) == len(order):
            target.replace(whole(data, rows.parent.name))
        print(f"{rows.parent.name}: {len(found)} of {len(order)} rows")
