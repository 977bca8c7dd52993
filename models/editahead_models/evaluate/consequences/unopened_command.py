"""`editahead-models evaluate unopened-renames`: renamed exported names, and what another program says of them."""

from __future__ import annotations

import json
import os
import platform
import random
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences import rates
from editahead.syntax.language import by_id

from editahead_models.data.projects import head_commit, open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.consequences.command import STORED, MirrorOption
from editahead_models.evaluate.consequences.unopened_chains import (
    OtherFiles,
    ProjectReferences,
    drawn,
    figures,
    followed,
)
from editahead_models.evaluate.consequences.unopened_project import imports_of, sources

UNOPENED = "unopened"
"""Where the figures stand in the stored ones of `evaluate consequences`."""


def main(
    mirror: MirrorOption,
    out: Annotated[Path, typer.Option(help="Where each rename goes, one file a language.")],
    truth: Annotated[
        list[str], typer.Option(help="LANGUAGE=COMMAND: a program that knows the references of a project.")
    ],
    renames: Annotated[int, typer.Option(help="Renames to type in each project.")] = 60,
    most_files: Annotated[int, typer.Option(help="Larger projects are left out.")] = 500,
    seed: Annotated[int, typer.Option(help="Which declarations are drawn.")] = 1,
    split: Annotated[str, typer.Option(help="The projects to measure on.")] = "dev",
    store: Annotated[bool, typer.Option(help="Keep the figures for `report`.")] = False,
) -> None:
    """Exported names renamed by hand with one file open, and followed through all files that are not open."""
    engine, found = Engine.load(find_bundles(), "cpu", lambda text, share: None), {}
    out.mkdir(parents=True, exist_ok=True)
    for language_id, command in (one.split("=", 1) for one in truth):
        rows = list(typed(engine, mirror, split, language_id, shlex.split(command), renames, most_files, seed))
        (out / f"unopened-{language_id}.json").write_text(json.dumps([row.row() for row in rows], indent=1) + "\n")
        found[language_id] = {
            "split": split,
            "seed": seed,
            "commit": head_commit(Path.cwd())[:10],
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "projects": sorted({row.project for row in rows}),
            "figures": figures([row.row() for row in rows]),
        }
    print(json.dumps(found, indent=1))
    if store:
        stored = json.loads(STORED.read_text(encoding="utf-8"))
        stored.setdefault(UNOPENED, {}).update(found)
        stored["rates"] = json.loads(rates.FILE.read_text(encoding="utf-8"))
        STORED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def typed(
    engine: Engine,
    mirror: Path,
    split: str,
    language_id: str,
    command: list[str],
    count: int,
    most_files: int,
    seed: int,
) -> Iterator[OtherFiles]:
    """Renames typed in the projects of a split that have at most so many files, `count` in each."""
    language = by_id(language_id)
    assert language is not None
    for name in projects_of(split, language_id):
        project = open_project(mirror, name)
        files = sources(project, language) if project is not None else {}
        if not 1 < len(files) <= most_files:
            continue
        imports, done = imports_of(files, language), 0
        with TemporaryDirectory() as folder:
            references = ProjectReferences(command, Path(folder), files)
            for one, places in drawn(files, language, references, random.Random(seed)):
                yield replace(followed(engine, one, places, files, imports, language), project=name)
                done += 1
                if done == count:
                    break
            references.close()
        typer.echo(f"{name}: {done} renames in {len(files)} files", err=True)
