"""`editahead-models calibrate`: from a model's probabilities to how often it is right, fitted on the fit projects."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.bundle import Bundle, load_bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.candidate_ranker import FILE
from editahead.runtime.manifest import thaw

from editahead_models.export.bundle_writer import packed, write_bundle

_RECEIVERS = frozenset({"self", "cls"})  # a tenth of Python's names, and never in doubt
_ALONE = 0.25  # of the files that ghost text is fitted in, as if nothing stood around them


def main(
    bundle: Annotated[Path, typer.Argument(help="The bundle to calibrate; it is rewritten in place.")],
    mirror: Annotated[
        Path | None, typer.Option(help="For a language model: folder of git repositories with the fit projects.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="For an edit model: what `mine` wrote.")] = None,
    count: Annotated[int, typer.Option(help="Places to ask at, for each surface.")] = 1500,
    seed: Annotated[int, typer.Option(help="Which places are drawn.")] = 11,
    completion_only: Annotated[
        bool, typer.Option("--completion-only", help="For a language model: leave ghost text as it is.")
    ] = False,
    checkouts: Annotated[
        Path | None, typer.Option(help="Folder with the files of the fit projects, OWNER+NAME: what imports lead to.")
    ] = None,
) -> None:
    """Fit and store the calibration of every surface of a bundle, and print what it changes."""
    if load_bundle(bundle).manifest.family == "implicit-attention":
        if data is None:
            raise typer.BadParameter("an edit model is calibrated on mined changes: give --data")
        _calibrate_edits(bundle, data, count)
    elif mirror is None:
        raise typer.BadParameter("a language model is calibrated on source files: give --mirror")
    else:
        _calibrate_language_model(bundle, mirror, count, seed, checkouts, completion_only=completion_only)


def _calibrate_edits(folder: Path, data: Path, count: int) -> None:
    from editahead.runtime.edit_model import EditModel
    from editahead.runtime.ort import select_providers

    from editahead_models.evaluate.edit_hunk_fit import calibrate

    bundle = load_bundle(folder)
    scorer, fitted, hunks, _ = calibrate(EditModel(bundle, select_providers("cpu")), data, count)
    metrics = {f"hunks_{name}": shown for name, shown in hunks.items()}
    table = {"next_edit": fitted.to_manifest()}
    rewritten(bundle, calibration=table, metrics=metrics, more={"scorer": dict(scorer.weights)})
    print(describe("next_edit", fitted))


def _calibrate_language_model(
    folder: Path, mirror: Path, count: int, seed: int, checkouts: Path | None, *, completion_only: bool
) -> None:
    from editahead.suggest.engine import Engine

    from editahead_models.evaluate import completion_fit, evidence, ghost_fit, ghost_text
    from editahead_models.evaluate.neighbours import Around
    from editahead_models.evaluate.product import language_of, sample_places

    bundle = load_bundle(folder)
    language = language_of(bundle.manifest.language)
    engine = Engine.load([folder], "cpu", lambda text, share: None)
    model = engine.language_model(language.id)
    if model is None:
        raise typer.BadParameter(f"the bundle cannot be used: {engine.report().failures[0]}")
    names = sample_places(language, mirror, "fit", count, seed, names_only=True, without=_RECEIVERS)
    anything = sample_places(language, mirror, "fit", count, seed + 1, names_only=False)
    around = evidence.neighbourhoods(language, mirror, "fit")
    found = completion_fit.fit(
        model,
        list(evidence.ask(model, names, language, around, seed, typed=True, checkouts=checkouts)),
        list(evidence.ask(model, anything, language, around, seed, typed=False, checkouts=checkouts)),
    )
    fitted = found.ranking.calibrations
    more: dict[str, Any] = {}
    if completion_only:
        kept = {name: value for name, value in bundle.manifest.calibrations.items() if name not in fitted}
        calibration = {name: value.to_manifest() for name, value in {**kept, **fitted}.items()}
    else:  # ghost text rolls out what the mixture says, so its fit comes after the mixture's
        asked = ghost_text.ask(engine, ghost_text.places(anything, seed), language, Around(around, _ALONE))
        trust, ghost = ghost_fit.fit(asked)
        fitted = {**fitted, **ghost}
        calibration = {name: value.to_manifest() for name, value in fitted.items()}
        more = {"ghost_text": dict(trust.weights)}
    rewritten(
        bundle,
        calibration=calibration,
        metrics={f"calibration/{name}": round(value, 4) for name, value in found.ranking.figures.items()},
        limits={"cache_gate": found.mixture.gate, "elsewhere": found.mixture.names, "cache_weights": None},
        more=more,
        files={FILE: packed(found.ranking.ranker.arrays())},
    )
    for name, value in fitted.items():
        print(describe(name, value))
    for name, figure in found.ranking.figures.items():
        print(f"first completion, {name}: {figure:.4g}")


def rewritten(
    bundle: Bundle,
    *,
    calibration: Mapping[str, Any] | None = None,
    metrics: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
    more: Mapping[str, Any] | None = None,
    files: Mapping[str, bytes] | None = None,
) -> Bundle:
    """The same bundle with another calibration, or more metrics, limits (None takes one away), entries or files."""
    manifest: dict[str, Any] = thaw(dict(bundle.manifest))
    if calibration is not None:
        manifest["calibration"] = dict(calibration)
    if metrics is not None:
        manifest["metrics"] = {**manifest.get("metrics", {}), **metrics}
    manifest |= more or {}
    if limits is not None:
        merged = {**manifest.get("limits", {}), **limits}
        manifest["limits"] = {key: value for key, value in merged.items() if value is not None}
    held: dict[str, Path | bytes] = {name: bundle.read(name) for name in bundle.manifest.files}
    for key in ("schema", "family", "language", "files"):
        manifest.pop(key, None)
    return write_bundle(
        bundle.path,
        family=bundle.manifest.family,
        language=bundle.manifest.language,
        files={**held, **(files or {})},
        manifest=manifest,
    )


def describe(surface: str, fitted: Calibration) -> str:
    """One line: what calibration did for a surface."""
    at = next((value for precision, value in fitted.thresholds if precision == 0.8), None)
    reached = "never reached" if at is None else f"reached from p = {at:.2f} on"
    return (
        f"{surface}: n {fitted.n}, calibration error {fitted.ece_raw:.3f} before, {fitted.ece:.3f} after; "
        f"precision 0.8 {reached}"
    )
