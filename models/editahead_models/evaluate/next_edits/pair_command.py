"""`editahead-models evaluate pairs`: how often the engine has a later edit, by what ties it to the first one."""

from __future__ import annotations

import json
import os
import platform
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.analysis.edit_relations import NAMED, EditRelation
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences.registry import SOURCES

from editahead_models.data.corpus.source_files import main_language
from editahead_models.data.mining.commits import commits_of
from editahead_models.data.projects import head_commit, open_project
from editahead_models.data.splits import languages, projects_of
from editahead_models.evaluate.next_edits.pair_moments import cases
from editahead_models.pairs.command import STORED
from editahead_models.pairs.mining import NEWEST
from editahead_models.report.edit_pairs import served

SPLIT = "dev"


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories.")],
    out: Annotated[Path, typer.Option(help="Where cases go, one file a project; finished ones are kept.")],
    commits: Annotated[int, typer.Option(help="Commits to replay of each dev project.")] = 40,
    language: Annotated[list[str] | None, typer.Option(help="Only these languages of the splits.")] = None,
    seed: Annotated[int, typer.Option(help="Which commits and first edits are drawn.")] = 37,
    store: Annotated[bool, typer.Option(help="Keep the figures beside those of `mine pairs`.")] = False,
    only_sources: Annotated[
        bool, typer.Option("--only-sources", help="Measure nothing: keep which source serves which relation by now.")
    ] = False,
) -> None:
    """After one edit of a dev commit: is a later edit that is tied to it among the first ten candidates, and shown?"""
    if only_sources:
        _store({})
        return
    rows = list(replayed(mirror, out, commits, language or languages(SPLIT), seed))
    found = {
        "split": SPLIT,
        "commit": head_commit(Path.cwd())[:10],
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "projects": len({row["project"] for row in rows}),
        "first edits": len({(row["project"], row["commit"], row["first"]) for row in rows}),
        "relations": {one.value: figures(row for row in rows if row["relation"] == one.value) for one in EditRelation},
        "named": figures(row for row in rows if row["relation"] in {one.value for one in NAMED}),
    }
    print(json.dumps(found, indent=1))
    if store:
        _store({"measured": found})


def _store(measured: Mapping[str, Any]) -> None:
    """Keep what was measured, and the sources of the registry with the share of the named pairs that they serve."""
    sources = {one.value: [source.name for source in SOURCES if one in source.relations] for one in EditRelation}
    table = json.loads(STORED.read_text(encoding="utf-8")) | measured | {"sources": sources}
    table["served"] = served(table)
    STORED.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def replayed(mirror: Path, out: Path, commits: int, spoken: Iterable[str], seed: int) -> Iterator[dict[str, Any]]:
    """The cases of all dev projects that are below `mirror`."""
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    for language_id in spoken:
        for name in projects_of(SPLIT, language_id):
            target = out / f"{name.replace('/', '+')}.jsonl"
            if not target.exists():
                project = open_project(mirror, name)
                main = main_language(project, language_id) if project is not None and project.licence else None
                if project is None or main is None:
                    continue
                rng, rows = random.Random(f"{seed}:{name}"), list[str]()
                for commit in commits_of(project.path, main[0], newest=NEWEST, limit=commits, seed=seed):
                    rows += [json.dumps(one.row()) for one in cases(engine, name, main[1], commit, rng)]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
                typer.echo(f"{name}: {len(rows)} cases", err=True)
            yield from (json.loads(row) for row in target.read_text(encoding="utf-8").splitlines())


def figures(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Of some cases the shares with an edit held, shown, in place and led to; and which sources held it."""
    some = list(rows)
    count = len(some)
    sources = Counter(source for row in some for source in row["sources"])
    return {
        "cases": count,
        "edits": sum(row["edits"] for row in some),
        "held": sum(row["held"] > 0 for row in some),
        "held edits": sum(row["held"] for row in some),
        "shown": sum(row["shown"] for row in some),
        "in place": sum(row["in_place"] for row in some),
        "led": sum(row["led"] for row in some),
        "by source": dict(sources.most_common()),
    }
