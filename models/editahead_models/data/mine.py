"""`editahead-models mine`: token edits out of git histories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editahead_models.data.mine_edits import mine


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="Where the shards go; finished ones are kept.")],
    changes: Annotated[int, typer.Option(help="At most this many file changes a project.")] = 2500,
    commits: Annotated[int, typer.Option(help="At most this many commits a project, newest first.")] = 12000,
    seed: Annotated[int, typer.Option(help="Which changes are drawn.")] = 7,
    part: Annotated[str, typer.Option(help="I/N: only every N-th project, for several processes.")] = "0/1",
) -> None:
    """Mine the listed training and dev projects found below a folder, one shard a project, with licence and counts."""
    first, _, count = part.partition("/")
    if not (first.isdigit() and count.isdigit() and int(first) < int(count)):
        raise typer.BadParameter(f"--part {part!r}: expected I/N with I below N, such as 0/2")
    mine(mirror, out, changes=changes, commits=commits, seed=seed, part=(int(first), int(count)))
    print(f"wrote {out}")
