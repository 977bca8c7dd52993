"""`editahead-models calibrate check` and `evaluate check`: the missed-edit check, on commits."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import Annotated

import typer
from editahead.check import leftover
from editahead.check.search import CHECK_FEATURES
from editahead.runtime.bundle import load_bundle
from editahead.runtime.edit_model.pattern_scorer import CHECK, PatternScorer
from editahead.runtime.manifest import thaw

from editahead_models.data.projects import head_commit, open_project
from editahead_models.evaluate.check.data import SEED, CheckCases, collect
from editahead_models.evaluate.check.fit import fit
from editahead_models.evaluate.check.left_fit import left_rates as check_rates
from editahead_models.evaluate.check.shares import projects_in, shares, shares_at
from editahead_models.evaluate.fitting.rewritten_bundle import describe, rewritten
from editahead_models.evaluate.repeats.command import BundleArgument, MirrorOption
from editahead_models.publishing.ledger import digest

STORED = Path("models/results/check.json")
OutOption = Annotated[Path, typer.Option(help="Where what was read goes, one file a project; finished ones are kept.")]
FitOption = Annotated[int, typer.Option("--fit", help="Commits to read of each fit project.")]
LanguageOption = Annotated[list[str] | None, typer.Option(help="Only projects of these languages.")]
LANGUAGES = ("python", "java", "typescript", "go", "rust", "cpp", "c_sharp")
DEFAULT = 0.8
"""The setting of `editahead check`."""
DevOption = Annotated[int, typer.Option(help="Commits to read of each dev project.")]


def calibrate(
    bundle: BundleArgument,
    mirror: MirrorOption,
    out: OutOption,
    fit_commits: FitOption = 30,
    dev: DevOption = 20,
    language: LanguageOption = None,
    store_rates: Annotated[bool, typer.Option(help="Keep the rates of leftovers by kind in the server.")] = True,
) -> None:
    """Fit how likely a place that a finished change left was forgotten; the bundle is rewritten in place.

    What the rates of leftovers rest on goes to `left_rates.json` in the folder of what was read.
    """
    fitted = collect(mirror, out, "fit", commits=fit_commits, languages=language or LANGUAGES)
    tested = collect(mirror, out, "dev", commits=dev, languages=language or LANGUAGES)
    table = check_rates(fitted.hunks)
    rates = {kind: row["probability"] for kind, row in table.items()}
    weights, calibration = fit(fitted.edits, fitted.hunks, rates)
    loaded = load_bundle(bundle)
    known = {name: thaw(value) for name, value in loaded.manifest.get("calibration", {}).items()}
    metrics = {CHECK: shares_at(shares(tested, weights, calibration, rates), DEFAULT)}
    rewritten(loaded, calibration=known | {CHECK: calibration.to_manifest()}, metrics=metrics, more={CHECK: weights})
    (out / "left_rates.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    if store_rates:
        leftover.FILE.write_text(json.dumps(rates, indent=1) + "\n", encoding="utf-8")
    print(describe(CHECK, calibration))


def evaluate(
    bundle: BundleArgument,
    mirror: MirrorOption,
    out: OutOption,
    dev: DevOption = 20,
    language: LanguageOption = None,
    store: Annotated[bool, typer.Option(help="Keep the figures for `report`.")] = False,
) -> None:
    """How often a place left out of a commit is found on dev projects, and how much is reported of whole commits.

    Without the entry `check` these are the figures of the queue's own model.
    """
    loaded = load_bundle(bundle)
    model = PatternScorer.of_check(loaded, CHECK_FEATURES) or PatternScorer.of_bundle(loaded, CHECK_FEATURES)
    if model is None:
        raise typer.BadParameter(f"{loaded.manifest.name} has no entry `check`: run `calibrate check` first")
    weights = dict(model.models[1].weights)
    rates = leftover.left_rates()
    rows = {one: collect(mirror, out, "dev", commits=dev, languages=[one]) for one in language or LANGUAGES}
    found = {one: shares(cases, weights, model.calibration(2), rates) for one, cases in rows.items()}
    print(json.dumps({one: shares_at(table, DEFAULT) for one, table in found.items()}, indent=1))
    if not store:
        return
    content = {
        "bundle": loaded.manifest.name,
        "digest": digest(loaded),
        "commit": head_commit(Path.cwd())[:10],
        "commits": dev,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "seed": SEED,
        "languages": {one: {"projects": _commits(mirror, rows[one])} | table for one, table in found.items()},
    }
    STORED.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _commits(mirror: Path, cases: CheckCases) -> dict[str, str]:
    """The projects that some cases are of, each with its commit."""
    found = {name: open_project(mirror, name) for name in projects_in(cases)}
    return {name: project.commit[:10] if project is not None else "" for name, project in found.items()}
