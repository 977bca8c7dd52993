"""`editahead-models calibrate check` and `evaluate check`: the missed-edit check, on commits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from editahead.check.features import CHECK_FEATURES
from editahead.runtime.bundle import load_bundle
from editahead.runtime.manifest import thaw
from editahead.runtime.pattern_scorer import CHECK, PatternScorer

from editahead_models.evaluate.calibrate import describe, rewritten
from editahead_models.evaluate.check_data import collect
from editahead_models.evaluate.check_fit import figures, fit
from editahead_models.evaluate.repeat_command import BundleArgument, MirrorOption, rounded

OutOption = Annotated[Path, typer.Option(help="Where what was read goes, one file a project; finished ones are kept.")]
FitOption = Annotated[int, typer.Option("--fit", help="Commits to read of each fit project.")]
DevOption = Annotated[int, typer.Option(help="Commits to read of each dev project.")]


def calibrate(
    bundle: BundleArgument, mirror: MirrorOption, out: OutOption, fit_commits: FitOption = 30, dev: DevOption = 20
) -> None:
    """Fit how likely a place that a finished change left was forgotten; the bundle is rewritten in place."""
    fitted = collect(mirror, out, "fit", commits=fit_commits)
    tested = collect(mirror, out, "dev", commits=dev)
    weights, calibration = fit(fitted)
    loaded = load_bundle(bundle)
    known = {name: thaw(value) for name, value in loaded.manifest.get("calibration", {}).items()}
    table = known | {CHECK: calibration.to_manifest()}
    metrics = {CHECK: rounded(figures(tested, weights, calibration))}
    rewritten(loaded, calibration=table, metrics=metrics, more={CHECK: weights})
    print(describe(CHECK, calibration))


def evaluate(bundle: BundleArgument, mirror: MirrorOption, out: OutOption, dev: DevOption = 20) -> None:
    """How often a place left out of a commit is found on dev projects, and how much is reported of whole commits.

    Without the entry `check` these are the figures of the queue's own model.
    """
    loaded = load_bundle(bundle)
    model = PatternScorer.of_check(loaded, CHECK_FEATURES) or PatternScorer.of_bundle(loaded, CHECK_FEATURES)
    if model is None:
        raise typer.BadParameter(f"{loaded.manifest.name} has no entry `check`: run `calibrate check` first")
    weights = dict(model.models[1].weights)
    tested = collect(mirror, out, "dev", commits=dev)
    print(json.dumps(rounded(figures(tested, weights, model.calibration(2))), indent=1))
