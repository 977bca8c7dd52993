"""`editahead-models mine pairs`: pairs of edits in the commits of the training projects, by what ties them."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Annotated, Any

import typer

from editahead_models.data.corpus.source_files import main_language
from editahead_models.data.projects import head_commit, open_project
from editahead_models.data.splits import languages, projects_of
from editahead_models.pairs.mining import counted, table, united

STORED = Path("docs/results/data/edit-pairs.json")
SPLIT = "train"


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories.")],
    out: Annotated[Path, typer.Option(help="Where counts go, one file a project; finished ones are kept.")],
    commits: Annotated[int, typer.Option(help="Commits to read of each project.")] = 20,
    language: Annotated[list[str] | None, typer.Option(help="Only these languages of the splits.")] = None,
    seed: Annotated[int, typer.Option(help="Which commits are drawn.")] = 11,
    store: Annotated[bool, typer.Option(help="Keep the figures for `report`.")] = False,
) -> None:
    """Count pairs of edits in the commits of the training projects, by what ties the later one to the first."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name in language or languages(SPLIT):
        for project_name in projects_of(SPLIT, name):
            target = out / f"{project_name.replace('/', '+')}.json"
            if not target.exists():
                project = open_project(mirror, project_name)
                spoken = main_language(project, name) if project is not None and project.licence is not None else None
                if project is None or spoken is None:
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                row = {"project": project_name, **counted(project, *spoken, commits, seed).row()}
                target.write_text(json.dumps(row), encoding="utf-8")
                typer.echo(f"{project_name}: {row['read']} commits", err=True)
            rows[name].append(json.loads(target.read_text(encoding="utf-8")))
    by_language = {name: united(some) for name, some in rows.items()}
    known = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    found = {
        "split": SPLIT,
        "commit": head_commit(Path.cwd())[:10],
        "seed": seed,
        "each": commits,
        "projects": {name: len(some) for name, some in rows.items()},
        **table(united(row for some in rows.values() for row in some), by_language),
    }
    print(json.dumps(found, indent=1))
    if store:
        STORED.write_text(json.dumps(known | found, indent=1) + "\n", encoding="utf-8")
