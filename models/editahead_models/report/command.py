"""`editahead-models report`: the result pages from saved metrics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editahead_models.report.results import data_of


def main(
    runs: Annotated[
        Path | None, typer.Option(help="First take in all metrics.json of the papers' models below a folder of runs.")
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
    data = data_of(docs)
    from editahead_models.publishing import stored, tables_again
    from editahead_models.publishing.keystrokes import page as keystrokes
    from editahead_models.report import corpora, training_tokens
    from editahead_models.report.pages import page as pages_of
    from editahead_models.report.pages.stored import take_in

    if runs is not None:
        print("; ".join(f"{file}: {count} runs" for file, count in take_in(runs, data).items()) or "no runs")
    try:
        for folder in corpus or ():
            print(f"corpus: {corpora.take_in(folder, data)}")
        if product:
            tables_again.take_in(product, docs)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    pages = (
        *pages_of.write(docs, data),
        *stored.write(docs, data),
        keystrokes.write(docs, data),
        corpora.write(docs, data),
        training_tokens.write(docs.resolve().parents[1]),
    )
    for page in pages:
        if page is not None:
            print(f"wrote {page}")
