"""`editahead-models calibrate places` and `evaluate places`: the model of places, and what it shows."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.places.place_model import FEATURES, FILE, PlaceModel, shipped_places
from editahead.syntax.language import Language

from editahead_models.data import splits
from editahead_models.data.corpus.source_files import main_language
from editahead_models.data.projects import Project
from editahead_models.evaluate.fitting.project_files import load_rows, project_rows
from editahead_models.evaluate.next_edits.candidates_command import LanguageOption, MirrorOption, OutOption, SeedOption
from editahead_models.evaluate.next_edits.place_fit import (
    LikeliestLines,
    calibrated,
    is_done,
    is_request,
    likeliest,
    odds_of,
)
from editahead_models.evaluate.next_edits.place_moments import PlaceMoment, mined_moments
from editahead_models.evaluate.next_edits.place_table import PlaceRows, place_rows
from editahead_models.publishing.intervals import pooled

CommitsOption = Annotated[int, typer.Option(help="Commits to replay of each project, at most.")]
KeptOption = Annotated[bool, typer.Option("--only-kept", help="Only projects whose moments are in OUT already.")]
PRECISION = 0.8
"""The default of `editahead.placePrecision`."""


def calibrate(
    mirror: MirrorOption,
    out: OutOption,
    commits: CommitsOption = 20,
    language: LanguageOption = None,
    seed: SeedOption = 52,
    only_kept: KeptOption = False,
) -> None:
    """Fit the model of places on replayed commits of the fit projects."""
    rows = collected(mirror, out, "fit", commits, seed, language, only_kept)
    before = time.process_time()
    model, crossed = calibrated(rows)
    FILE.write_text(json.dumps(model.to_json()) + "\n", encoding="utf-8")
    seconds = round(time.process_time() - before, 1)
    found = {"moments": len(rows), "seconds": seconds, "crossed": figures(rows, crossed, model)}
    print(json.dumps(found, indent=1))


def evaluate(
    mirror: MirrorOption,
    out: OutOption,
    commits: CommitsOption = 16,
    language: LanguageOption = None,
    seed: SeedOption = 52,
    only_kept: KeptOption = False,
) -> None:
    """What is shown as a place at moments of the dev projects' commits, beside the edits and today's jumps by rule."""
    rows = collected(mirror, out, "dev", commits, seed, language, only_kept)
    model = shipped_places()
    best = likeliest(rows, odds_of(model, rows))
    best = best._replace(probability=model.calibration.apply_many(best.probability))
    found = {"all": figures(rows, best, model)}
    for name in sorted({row.moment.language for row in rows}):
        some = [number for number, row in enumerate(rows) if row.moment.language == name]
        found[name] = figures(
            [rows[number] for number in some], LikeliestLines(best.probability[some], best.near[some]), model
        )
    print(json.dumps(found, indent=1))


def collected(
    mirror: Path, out: Path, split: str, commits: int, seed: int, languages: Sequence[str] | None, only_kept: bool
) -> list[PlaceRows]:
    """The lines of mined moments of all projects of a split that are below `mirror`.

    What the engine says of the moments is kept apart from the features, which are cheap to compute again. With
    `only_kept`, no further project is replayed.
    """
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    chosen = tuple(languages or splits.languages(split))
    spoken: dict[str, tuple[str, Language]] = {}

    def file_of(name: str) -> Path:
        return out / "moments" / split / f"{name.replace('/', '+')}.rows"

    def of_project(make: Callable[[Project, str, Language], Iterator[Any]]) -> Callable[[Project, str], list[Any]]:
        def rows(project: Project, language_id: str) -> list[Any]:
            main = spoken.get(project.name) or main_language(project, language_id)
            if main is None:
                return []
            spoken[project.name] = main
            return list(make(project, *main))

        return rows

    def mine(project: Project, extension: str, language: Language) -> Iterator[PlaceMoment]:
        return mined_moments(engine, project, language, extension, commits, seed)

    def describe(project: Project, extension: str, language: Language) -> Iterator[PlaceRows]:
        mined = load_rows(file_of(project.name))
        return place_rows(project, mined, language, extension, commits, seed)

    if not only_kept:
        for _ in project_rows(mirror, out / "moments", split, "replaying", of_project(mine), languages=chosen):
            pass
    kept = project_rows(
        mirror, out / "lines", split, "describing", of_project(describe), features=FEATURES, languages=chosen,
        is_wanted=lambda name: file_of(name).exists(),
    )  # fmt: skip
    return [
        replace(row, moment=replace(row.moment, language=language)) for rows, language in kept for row in rows
    ]  # fmt: skip


def figures(rows: Sequence[PlaceRows], best: LikeliestLines, model: PlaceModel) -> dict[str, Any]:
    """Shares with intervals over projects: edits, jumps by rule, learned places, and all of them together.

    A place is shown where no edit is; a jump by rule goes before a learned place.
    """
    threshold = model.threshold(PRECISION)
    shown: dict[str, list[tuple[str, bool, bool, bool, bool]]] = {"text": [], "jump": [], "place": [], "any": []}
    alone: list[tuple[str, bool, bool, bool, bool]] = []
    ms = [row.moment.ms for row in rows]
    for row, p, near in zip(rows, best.probability.tolist(), best.near.tolist(), strict=True):
        moment = row.moment
        text, jump = moment.text, moment.jump if moment.text is None else None
        by_model = p >= threshold
        learned = by_model and text is None and jump is None
        states = {
            "text": (text is not None, text is not None and text.near),
            "jump": (jump is not None, jump is not None and jump.near),
            "place": (learned, learned and near),
        }
        states["any"] = any(state[0] for state in states.values()), any(state[1] for state in states.values())
        facts = is_request(moment), is_done(moment)
        for name, (is_shown, is_right) in states.items():
            shown[name].append((moment.project, is_shown, is_right, *facts))
        alone.append((moment.project, by_model, by_model and near, *facts))
    table: dict[str, Any] = {name: _shares(some) for name, some in (*shown.items(), ("model alone", alone))}
    table["threshold"], table["ms of the edit"] = round(threshold, 4), round(float(np.median(ms)), 1) if ms else None
    return table


def _shares(states: Sequence[tuple[str, bool, bool, bool, bool]]) -> dict[str, Any]:
    requests = [(project, float(is_shown), 1.0) for project, is_shown, _, due, _ in states if due]
    right = [(project, float(is_right), 1.0) for project, _, is_right, due, _ in states if due]
    of_shown = [(project, float(is_right), 1.0) for project, is_shown, is_right, due, _ in states if due and is_shown]
    done = [(project, float(is_shown), 1.0) for project, is_shown, _, _, finished in states if finished]
    named = {"shown": requests, "right": right, "right of shown": of_shown, "finished disturbed": done}
    return {name: pooled(some).as_json() for name, some in named.items()}
