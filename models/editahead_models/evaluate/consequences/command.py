"""`editahead-models calibrate consequences` and `evaluate consequences`."""

from __future__ import annotations

import json
import os
import platform
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from editahead.suggest.next_edit.consequences import rule
from editahead.syntax.language import by_id

from editahead_models.data.mining.commits import commits_of
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project, head_commit
from editahead_models.evaluate.consequences.fit import crossed, fitted, judged
from editahead_models.evaluate.consequences.rate_moments import RateRow, rate_rows
from editahead_models.evaluate.fitting.project_files import project_rows

STORED = Path("models/results/consequences.json")
NEWEST = 6000
"""Commits of a project, newest first, from which those to replay are drawn."""
MirrorOption = Annotated[Path, typer.Option(help="Folder of git repositories.")]
OutOption = Annotated[Path, typer.Option(help="Where what was replayed goes, one file a project; done ones are kept.")]


def calibrate(
    mirror: MirrorOption,
    out: OutOption,
    commits: Annotated[int, typer.Option(help="Commits to replay of each fit project.")] = 200,
) -> None:
    """Fit how often each kind of consequence is right, on replays of the fit projects' commits.

    Sources that no replay gives keep their rates. The server reads the probabilities; with what they rest on they
    stand among the figures for `report`.
    """
    results = json.loads(STORED.read_text(encoding="utf-8"))
    table = results["rates"]
    for name, rows in replayed(mirror, out, "fit", commits).items():
        table[name] = fitted(rows)
        print(json.dumps({name: crossed(rows)}, indent=1))
    STORED.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    read = {source: {kind: row["probability"] for kind, row in rows.items()} for source, rows in table.items()}
    rule.RATES_FILE.write_text(json.dumps(read, indent=1) + "\n", encoding="utf-8")


def evaluate(
    mirror: MirrorOption,
    out: OutOption,
    commits: Annotated[int, typer.Option(help="Commits to replay of each project.")] = 100,
    split: Annotated[str, typer.Option(help="The projects to measure on.")] = "dev",
    store: Annotated[bool, typer.Option(help="Keep the figures for `report`.")] = False,
) -> None:
    """What follows from edits in commits, by the rates that ship. `report product --part renames` types renames."""
    rows = replayed(mirror, out, split, commits)
    found = {
        "split": split,
        "commit": head_commit(Path.cwd())[:10],
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "replayed": {name: judged(some) for name, some in rows.items()},
        "moments": {name: len(some) for name, some in rows.items()},
        "rates": json.loads(STORED.read_text(encoding="utf-8"))["rates"],
    }
    print(json.dumps(found, indent=1))
    if store:
        STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def replayed(mirror: Path, out: Path, split: str, commits: int) -> dict[str, list[RateRow]]:
    """By source what followed from commits, of all projects of a split that are below `mirror`."""

    def make(project: Project, language_id: str) -> Iterator[RateRow]:
        language = by_id(language_id)
        assert language is not None
        for commit in commits_of(project.path, EXTENSIONS[language_id], newest=NEWEST, limit=commits, seed=5):
            yield from rate_rows(project.name, language, commit, random.Random(f"5:{commit.name}"))

    found: dict[str, list[RateRow]] = {}
    for rows, _ in project_rows(mirror, out, split, "replaying", make):
        for row in rows:
            found.setdefault(row.source, []).append(row)
    return dict(sorted(found.items()))
