"""`editahead-models mine`: token edits out of git histories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from editahead_models.data.edits.instances import Limits
from editahead_models.data.mining.mine_edits import SPLITS, mine
from editahead_models.data.mining.mine_history import HistorySettings, mine_history
from editahead_models.data.subwords import SIZE


def main(
    out: Annotated[Path, typer.Option(help="Where the shards go; finished ones are kept.")],
    mirror: Annotated[
        Path | None, typer.Option(help="The product's shards: folder of the listed projects, OWNER+NAME/repo.")
    ] = None,
    repo: Annotated[
        list[Path] | None, typer.Option(help="Any git repository, as often as you like: instances of sub-word edits.")
    ] = None,
    held_out: Annotated[
        list[Path] | None, typer.Option(help="With --repo: repositories of the dev and test splits.")
    ] = None,
    changes: Annotated[int, typer.Option(help="With --mirror: at most this many file changes a project.")] = 2500,
    commits: Annotated[int, typer.Option(help="At most this many commits a project, newest first.")] = 12000,
    seed: Annotated[int, typer.Option(help="Which changes are drawn.")] = 7,
    language: Annotated[list[str] | None, typer.Option(help="Languages by id; all if left out.")] = None,
    files: Annotated[int, typer.Option(help="With --repo: at most this many files a project.")] = 400,
    tokens: Annotated[int, typer.Option(help="With --repo: sub-words of a state at most.")] = 1000,
    edits: Annotated[int, typer.Option(help="With --repo: edits of an instance at most.")] = 100,
    vocab: Annotated[int, typer.Option(help="With --repo: sub-words to learn.")] = SIZE,
    most: Annotated[int | None, typer.Option(help="With --repo: sequences of a project at most.")] = None,
    workers: Annotated[int, typer.Option(help="Processes.")] = 2,
    each_language: Annotated[
        int | None, typer.Option(help="With --mirror: file changes of a language in training, shared by its projects.")
    ] = None,
    split: Annotated[list[str] | None, typer.Option(help="With --mirror: dev, fit or train; all if left out.")] = None,
    window: Annotated[int, typer.Option(help="With --mirror: tokens of a window at most.")] = 320,
    any_licence: Annotated[
        bool, typer.Option("--any-licence", help="With --repo: also without a permissive licence file.")
    ] = False,
) -> None:
    """Mine projects into training shards or instances.

    The listed projects of --mirror become training shards of the product, any --repo becomes instances for the
    published models.
    """
    if (mirror is None) == (not repo):
        raise typer.BadParameter("give either --mirror DIR or --repo DIR")
    if mirror is not None:
        mined = mine(
            mirror, out, changes=changes, commits=commits, seed=seed, workers=workers,
            splits=split or SPLITS, languages=language, each_language=each_language,
            limits=Limits(window=window),
        )  # fmt: skip
        print(mined)
        print(f"wrote {out}")
        return
    settings = HistorySettings(
        tuple(language or ()), commits=commits, files=files, tokens=tokens, edits=edits, seed=seed,
        any_licence=any_licence,
    )  # fmt: skip
    try:
        report = mine_history(
            repo or [],
            held_out or [],
            out,
            settings,
            vocab=vocab,
            workers=workers,
            most=most,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    for record in report["projects"]:
        print(json.dumps(record))
    print(json.dumps({key: report[key] for key in ("data", "subwords", "splits")}, indent=1))
