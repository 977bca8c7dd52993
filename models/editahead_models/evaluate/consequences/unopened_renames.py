"""`evaluate consequences --unopened`: exported names renamed with one file open, and what another program says."""

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
from typing import Any

import typer
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.syntax.language import by_id

from editahead_models.data.projects import head_commit, open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.consequences.unopened_chains import (
    OtherFiles,
    ProjectReferences,
    drawn,
    figures,
    followed,
)
from editahead_models.evaluate.consequences.unopened_project import imports_of, sources


def measure(
    mirror: Path, out: Path, truth: list[str], split: str, renames: int, seed: int, most_files: int
) -> dict[str, Any]:
    """The figures of each language of `truth`; each rename goes to a file of the language in `out`."""
    engine, found = Engine.load(find_bundles(), "cpu", lambda text, share: None), dict[str, Any]()
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
    return found


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
