"""`editahead-models calibrate repeats`: the queue of repeated edits, on commits replayed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.bundle import load_bundle
from editahead.runtime.manifest import thaw

from editahead_models.evaluate.fitting.rewritten_bundle import describe, rewritten
from editahead_models.evaluate.repeats.data import collect
from editahead_models.evaluate.repeats.fit import fit

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


def rounded(metrics: dict[str, Any]) -> dict[str, Any]:
    """Figures to four places, as manifests keep them."""
    return {
        name: rounded(value) if isinstance(value, dict) else round(float(value), 4) for name, value in metrics.items()
    }
