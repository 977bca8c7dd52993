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
from editahead_models.data.projects import head_commit, open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.consequences import (
    import_replays,
    parameter_replays,
    place_replays,
    rename_chains,
    rename_figures,
    rename_replays,
    unopened_replays,
)
from editahead_models.evaluate.consequences.fit import balanced, crossed, fitted, judged

REPLAYS = {
    "rename": rename_replays.replays,
    "parameter": parameter_replays.replays,
    "import": import_replays.replays,
    "parameter-place": place_replays.calls,
    "unbound-place": place_replays.names,
    "undeclared-place": place_replays.missing_imports,
    "rename-unopened": unopened_replays.replays,
}
BALANCED = frozenset({"rename-unopened"})
"""Those with so few moments that one project would decide."""
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
    commits: Annotated[int, typer.Option()] = 500,
    source: Annotated[list[str] | None, typer.Option(help="Only these; the others keep their rates.")] = None,
) -> None:
    """Fit how often each kind of consequence is right, on replays of the fit projects' commits."""
    table = json.loads(rates.FILE.read_text(encoding="utf-8")) if source else {}
    for name in source or REPLAYS:
        found = replayed(mirror, out, "fit", commits, name)
        rows = balanced(found) if name in BALANCED else list(found)
        table[name] = fitted(rows)
        print(json.dumps({name: crossed(rows)}, indent=1))
    rates.FILE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def evaluate(
    mirror: MirrorOption,
    out: OutOption,
    commits: Annotated[int, typer.Option(help="Commits to replay of each project.")] = 300,
    renames: Annotated[int, typer.Option(help="Renames to type in each project.")] = 100,
    seed: Annotated[int, typer.Option(help="Which declarations are drawn.")] = 1,
    truth: Annotated[
        list[str] | None, typer.Option(help="LANGUAGE=COMMAND: a program that knows references: type renames alone.")
    ] = None,
    split: Annotated[str, typer.Option(help="The projects to measure on.")] = "dev",
    store: Annotated[bool, typer.Option(help="Keep the figures for `report`.")] = False,
    source: Annotated[list[str] | None, typer.Option(help="Replay only these.")] = None,
) -> None:
    """Renames typed in real files and followed to their end, and what follows from replaced names in commits.

    With --truth or --source only these are measured, and all other figures stay.
    """
    commit, known = head_commit(Path.cwd())[:10], STORED.exists()
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8")) if known else {}
    if not (source or truth) or not known:
        machine = f"{platform.machine()}, {os.cpu_count()} cores"
        found = {"renames": {}, "sources": {}, **found, "split": split, "commit": commit, "machine": machine}
    found["rates"] = json.loads(rates.FILE.read_text(encoding="utf-8"))
    for name in source or (() if truth else REPLAYS):
        rows = list(replayed(mirror, out, split, commits, name))
        found.setdefault("replayed", {})[name] = judged(name, rows)
        found.setdefault("moments", {})[name] = sum(bool(row["first"]) for row in rows)
        found.setdefault("replayed_at", {})[name] = commit
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


def replayed(mirror: Path, out: Path, split: str, commits: int, source: str) -> Iterator[dict[str, Any]]:
    """The replays of one generator, of all projects of a split that are below `mirror`."""
    replays = REPLAYS[source]
    for language_id, extension in EXTENSIONS.items():
        language = by_id(language_id)
        assert language is not None
        for name in projects_of(split, language_id):
            project = open_project(mirror, name)
            if project is None or project.licence is None:
                continue
            target = out / split / f"{name.replace('/', '+')}.{source}.jsonl"
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                rng, rows = random.Random(3), list[str]()
                for commit in commits_of(project.path, extension, newest=NEWEST, limit=commits, seed=5):
                    rows += [json.dumps(one.row()) for one in replays(commit, name, language, rng)]
                target.write_text("".join(f"{row}\n" for row in rows))
                typer.echo(f"{name}: {len(rows)} moments of {source}", err=True)
            yield from (json.loads(row) for row in target.read_text().splitlines())


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
