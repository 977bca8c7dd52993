"""`editahead-models calibrate repeats` and `evaluate repeats`: the queue of repeated edits, on commits replayed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.bundle import Bundle, load_bundle
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.runtime.manifest import thaw
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES

from editahead_models.evaluate.fitting.rewritten_bundle import describe, rewritten
from editahead_models.evaluate.repeats.data import collect
from editahead_models.evaluate.repeats.fit import PARTS, figures, fit, part_of

BundleArgument = Annotated[Path, typer.Argument(help="A bundle of edits.")]
MirrorOption = Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")]
OutOption = Annotated[Path, typer.Option(help="Where replayed cases go, one file a project; finished ones are kept.")]


def calibrate(
    bundle: BundleArgument,
    mirror: MirrorOption,
    out: OutOption,
    fit_commits: Annotated[int, typer.Option("--fit", help="Commits to replay of each fit project.")] = 200,
    dev: Annotated[int, typer.Option(help="Commits to replay of each dev project.")] = 300,
) -> None:
    """Fit how likely each place of a repeated edit is meant; the bundle is rewritten in place."""
    fitted = collect(mirror, out, "fit", commits=fit_commits)
    tested = collect(mirror, out, "dev", commits=dev)
    entry, calibrations, metrics = fit(fitted, tested)
    loaded = load_bundle(bundle)
    known = {name: thaw(value) for name, value in loaded.manifest.get("calibration", {}).items()}
    table = known | {name: value.to_manifest() for name, value in calibrations.items()}
    rewritten(loaded, calibration=table, metrics=rounded(metrics), more={"repeat": entry})
    for name, value in calibrations.items():
        print(describe(name, value))


def evaluate(
    bundle: BundleArgument,
    mirror: MirrorOption,
    out: OutOption,
    dev: Annotated[int, typer.Option(help="Commits to replay of each dev project.")] = 300,
) -> None:
    """Precision, recall and calibration error of the queue on dev projects, after one example and after more."""
    tested = collect(mirror, out, "dev", commits=dev)
    model = stored(load_bundle(bundle))
    shown = {
        f"repeat_{part}": figures(
            part_of(tested, part),
            dict(model.models[number].weights),
            model.calibrations[number],
            model.first[number],
        )
        for number, part in enumerate(PARTS)
    }
    print(json.dumps(rounded(shown), indent=1))


def stored(bundle: Bundle) -> PatternScorer:
    """The model in a bundle. Raises BadParameter, one line, when there is none."""
    model = PatternScorer.of_bundle(bundle, FEATURES)
    if model is None:
        raise typer.BadParameter(f"{bundle.manifest.name} has no entry `repeat`: run `calibrate repeats` first")
    return model


def rounded(metrics: dict[str, Any]) -> dict[str, Any]:
    """Figures to four places, as manifests keep them."""
    return {
        name: rounded(value) if isinstance(value, dict) else round(float(value), 4) for name, value in metrics.items()
    }
