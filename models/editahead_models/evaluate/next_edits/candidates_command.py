"""`editahead-models calibrate candidates` and `evaluate candidates`: the scorer of next edits, and what it shows."""

from __future__ import annotations

import json
import os
import platform
import random
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.scoring.candidate_features import FEATURES
from editahead.suggest.next_edit.scoring.candidate_scorer import FILE
from editahead.suggest.open_models import EDIT_MODEL

from editahead_models.data import splits
from editahead_models.data.corpus.source_files import main_language
from editahead_models.data.mining.commits import Commit, commits_of
from editahead_models.data.projects import Project, head_commit
from editahead_models.evaluate.consequences.rename_chains import References
from editahead_models.evaluate.fitting.project_files import project_rows
from editahead_models.evaluate.next_edits.candidate_fit import calibrated
from editahead_models.evaluate.next_edits.candidate_moments import DIALS, Moment, Setting, moments
from editahead_models.evaluate.next_edits.candidate_report import figures
from editahead_models.evaluate.next_edits.consequence_moments import consequence_moments
from editahead_models.evaluate.next_edits.rename_moments import rename_moments

STORED = Path("models/results/next-edits.json")
Make = Callable[[Setting, Commit, random.Random], Iterator[Moment]]
NEWEST = 1500
"""Commits of a project, newest first, from which those to replay are drawn."""
MirrorOption = Annotated[Path, typer.Option(help="Folder of git repositories.")]
OutOption = Annotated[Path, typer.Option(help="Where moments go, one file a project; finished ones are kept.")]
LanguageOption = Annotated[list[str] | None, typer.Option(help="Only these languages of the splits.")]
SeedOption = Annotated[int, typer.Option(help="Which commits are drawn.")]


def calibrate(
    mirror: MirrorOption,
    out: OutOption,
    commits: Annotated[int, typer.Option(help="Commits to replay of each fit project.")] = 50,
    language: LanguageOption = None,
    seed: SeedOption = 31,
    projects: Annotated[int | None, typer.Option(help="Only so many projects of a language, the first ones.")] = None,
    alone: Annotated[int, typer.Option(help="Commits of each of which single edits with consequences are done.")] = 40,
    renames: Annotated[int, typer.Option(help="Renames to type in each fit project.")] = 15,
    truth: Annotated[
        list[str] | None, typer.Option(help="LANGUAGE=COMMAND: a program that knows references, asked line by line.")
    ] = None,
) -> None:
    """Fit the scorer of candidates for the next edit on replayed commits of the fit projects."""
    natural = collected(moments, mirror, out / "moments", "fit", commits, seed, language, most=projects)
    more = collected(consequence_moments, mirror, out / "consequences", "fit", alone, seed, language, most=projects)
    known = dict(one.split("=", 1) for one in truth or ())
    typed = renamed(mirror, out / "renames", renames, seed, known, projects)
    scorer = calibrated([*natural, *more, *typed], natural)
    FILE.write_text(json.dumps(scorer.to_json()) + "\n", encoding="utf-8")
    counts = {"moments": len(natural), "consequences": len(more), "renames": len(typed)}
    print(json.dumps(counts | {"calibration error": scorer.calibration.ece}))


def evaluate(
    mirror: MirrorOption,
    out: OutOption,
    commits: Annotated[int, typer.Option(help="Commits to replay of each dev project.")] = 60,
    language: LanguageOption = None,
    seed: SeedOption = 31,
    edits: Annotated[
        Path | None, typer.Option(help="An edit bundle to measure in place of the one that ships.")
    ] = None,
    store: Annotated[bool, typer.Option(help="Keep the figures for `report`.")] = False,
) -> None:
    """What the engine shows as the next edit at moments of the dev projects' commits, by dial, source and category."""
    found = collected(moments, mirror, out, "dev", commits, seed, language, dials=DIALS, edits=edits)
    table: dict[str, Any] = {
        "split": "dev",
        "commit": head_commit(Path.cwd())[:10],
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "languages": {
            name: figures(some)
            for name in splits.languages("dev")
            if (some := [one for one in found if one.language == name])
        },
    }
    print(json.dumps(table, indent=1))
    if store:
        STORED.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def collected(
    make: Make,
    mirror: Path,
    out: Path,
    split: str,
    commits: int,
    seed: int,
    languages: Sequence[str] | None,
    dials: Sequence[float] = (),
    most: int | None = None,
    edits: Path | None = None,
) -> list[Moment]:
    """The moments of all projects of a split that are below `mirror`; `dials` are asked at each of them.

    `edits`: an edit bundle in place of the one that ships.

    Of the languages that share a model, each project gives files of one: those with its commonest extension.
    """
    engine = Engine.load(bundles_with(edits), "cpu", lambda text, share: None)

    def project_moments(project: Project, language_id: str) -> list[Moment]:
        found: list[Moment] = []
        main = main_language(project, language_id)
        if main is not None:
            setting = Setting(engine, project.name, main[1], tuple(dials))
            for commit in commits_of(project.path, main[0], newest=NEWEST, limit=commits, seed=seed):
                found += make(setting, commit, random.Random(f"{seed}:{commit.name}"))
        return found

    chosen = tuple(languages or splits.languages(split))
    kept = project_rows(
        mirror, out, split, "replaying", project_moments, features=FEATURES, most=most, languages=chosen
    )
    return [replace(moment, language=language) for moments, language in kept for moment in moments]


def bundles_with(edits: Path | None) -> list[Path]:
    """The bundles that ship, with another edit bundle in place of theirs where one is given."""
    found = find_bundles()
    if edits is None:
        return found
    return [edits, *(path for path in found if not path.name.startswith(f"{EDIT_MODEL}-"))]


def renamed(
    mirror: Path, out: Path, count: int, seed: int, truth: Mapping[str, str], most: int | None = None
) -> list[Moment]:
    """The moments of renames typed in the files of the fit projects, in languages for which a truth is known."""
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)

    def project_moments(project: Project, language_id: str) -> list[Moment]:
        found: list[Moment] = []
        main = main_language(project, language_id)
        if main is not None:
            known = References(shlex.split(truth[language_id]))
            found += rename_moments(Setting(engine, project.name, main[1]), project, known, count, seed)
            known.close()
        return found

    kept = project_rows(
        mirror, out, "fit", "renaming", project_moments, features=FEATURES, most=most, languages=tuple(truth)
    )
    return [replace(moment, language=language) for moments, language in kept for moment in moments]
