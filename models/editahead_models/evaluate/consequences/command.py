"""`editahead-models calibrate consequences` and `evaluate consequences`."""

from __future__ import annotations

import json
import os
import platform
import random
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences import rates
from editahead.syntax.language import by_id

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.mining.commits import commits_of
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project, head_commit, open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.consequences import rename_chains, rename_figures
from editahead_models.evaluate.consequences.fit import crossed, fitted, judged
from editahead_models.evaluate.consequences.rate_moments import RateRow, rate_rows
from editahead_models.evaluate.fitting.project_files import project_rows

STORED = Path("models/results/consequences.json")
NEWEST = 6000
"""Commits of a project, newest first, from which those to replay are drawn."""
SMALLEST, LARGEST = 1_500, 60_000
"""Bytes of a file in which a rename is typed."""
MirrorOption = Annotated[Path, typer.Option(help="Folder of git repositories.")]
OutOption = Annotated[Path, typer.Option(help="Where what was replayed goes, one file a project; done ones are kept.")]


def calibrate(
    mirror: MirrorOption,
    out: OutOption,
    commits: Annotated[int, typer.Option(help="Commits to replay of each fit project.")] = 200,
) -> None:
    """Fit how often each kind of consequence is right, on replays of the fit projects' commits.

    Sources that no replay gives keep their rates.
    """
    table = json.loads(rates.FILE.read_text(encoding="utf-8"))
    for name, rows in replayed(mirror, out, "fit", commits).items():
        table[name] = fitted(rows)
        print(json.dumps({name: crossed(rows)}, indent=1))
    rates.FILE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def evaluate(
    mirror: MirrorOption,
    out: OutOption,
    commits: Annotated[int, typer.Option(help="Commits to replay of each project.")] = 100,
    renames: Annotated[int, typer.Option(help="Renames to type in each project.")] = 100,
    seed: Annotated[int, typer.Option(help="Which declarations are drawn.")] = 1,
    truth: Annotated[
        list[str] | None, typer.Option(help="LANGUAGE=COMMAND: a program that knows references: type renames alone.")
    ] = None,
    split: Annotated[str, typer.Option(help="The projects to measure on.")] = "dev",
    store: Annotated[bool, typer.Option(help="Keep the figures for `report`.")] = False,
) -> None:
    """Renames typed in real files and followed to their end, and what follows from replaced names in commits.

    With --truth only these renames are measured, and all other figures stay.
    """
    commit, known = head_commit(Path.cwd())[:10], STORED.exists()
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8")) if known else {}
    if not truth or not known:
        machine = f"{platform.machine()}, {os.cpu_count()} cores"
        found = {"renames": {}, "sources": {}, **found, "split": split, "commit": commit, "machine": machine}
    found["rates"] = json.loads(rates.FILE.read_text(encoding="utf-8"))
    if not truth:
        rows = replayed(mirror, out, split, commits)
        found["replayed"] = {name: judged(some) for name, some in rows.items()}
        found["moments"] = {name: len(some) for name, some in rows.items()}
        found["replayed_at"] = dict.fromkeys(rows, commit)
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None) if truth else None
    for language_id, command in (one.split("=", 1) for one in truth or ()):
        assert engine is not None
        chains = list(typed(engine, mirror, split, language_id, shlex.split(command), renames, seed))
        out.mkdir(parents=True, exist_ok=True)
        (out / f"chains-{language_id}.json").write_text(json.dumps([chain.row() for chain in chains], indent=1))
        found.setdefault("commits", {})[language_id] = commit
        found["renames"][language_id] = rename_figures.figures(chains)
        found["sources"][language_id] = rename_figures.sources(chains)
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


def typed(
    engine: Engine, mirror: Path, split: str, language_id: str, command: list[str], count: int, seed: int
) -> Iterator[rename_chains.Chain]:
    """Renames typed in files of every project of a split, with the truth of another program."""
    language = by_id(language_id)
    assert language is not None
    for name in projects_of(split, language_id):
        project = open_project(mirror, name)
        if project is None:
            continue
        rng = random.Random(seed)
        files = [(path, text) for path, text in blobs(project, language) if SMALLEST < len(text) < LARGEST]
        rng.shuffle(files)
        truth = rename_chains.References(command)
        done = 0
        for one in rename_chains.drawn(files, language, truth, rng):
            yield rename_chains.followed(engine, one, language)
            done += 1
            if done >= count:
                break
        truth.close()
        typer.echo(f"{name}: {done} renames", err=True)
