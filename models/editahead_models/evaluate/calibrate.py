"""`editahead-models calibrate`: from a model's probabilities to how often it is right, fitted on the fit projects."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from editahead.runtime.bundle import Bundle, load_bundle
from editahead.runtime.language_model.candidate_ranker import FILE, IMPORT_FILE, MEMBER_FILE

from editahead_models.evaluate.fitting.rewritten_bundle import describe, rewrite_calibrations, rewritten
from editahead_models.export.bundle_writer import packed

if TYPE_CHECKING:
    from editahead.runtime.language_model.model import LanguageModel
    from editahead.suggest.engine import Engine
    from editahead.syntax.language import Language

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
    ghost_text_only: Annotated[
        bool, typer.Option("--ghost-text-only", help="For a language model: leave completions as they are.")
    ] = False,
    probabilities: Annotated[
        Path | None,
        typer.Option(
            help="For a language model: fit the shown probabilities of completions alone, on `count` stretches of code "
            "typed in the real server; a folder for what is shown, run again to go on."
        ),
    ] = None,
    imports_only: Annotated[
        bool, typer.Option("--imports-only", help="For a language model: fit the places of imports alone.")
    ] = False,
    members_only: Annotated[
        bool, typer.Option("--members-only", help="For a language model: fit the places behind a dot alone.")
    ] = False,
    checkouts: Annotated[
        Path | None, typer.Option(help="Folder with the files of the fit projects, OWNER+NAME: what imports lead to.")
    ] = None,
    kept: Annotated[
        Path | None, typer.Option(help="File that keeps what ghost text was at its places: a second fit asks nothing.")
    ] = None,
    kept_imports: Annotated[
        Path | None, typer.Option(help="Folder that keeps the places of imports; with --checkouts these are fitted.")
    ] = None,
    kept_members: Annotated[Path | None, typer.Option(help="Folder that keeps the places behind a dot.")] = None,
) -> None:
    """Fit and store the calibration of every surface of a bundle, and print what it changes."""
    if load_bundle(bundle).manifest.family == "implicit-attention":
        if data is None:
            raise typer.BadParameter("an edit model is calibrated on mined changes: give --data")
        _calibrate_edits(bundle, data, count)
    elif mirror is None:
        raise typer.BadParameter("a language model is calibrated on source files: give --mirror")
    elif probabilities is not None:
        _calibrate_probabilities(bundle, mirror, count, seed, probabilities)
    elif members_only:
        if kept_members is None:
            raise typer.BadParameter("places behind a dot are fitted with --kept-members")
        _calibrate_own_weights("members", bundle, mirror, checkouts, kept_members, count, seed)
    else:
        if imports_only and (checkouts is None or kept_imports is None):
            raise typer.BadParameter("places of imports are fitted with --checkouts and --kept-imports")
        if not ghost_text_only and not imports_only:
            _calibrate_completions(bundle, mirror, count, seed, checkouts)
        if not ghost_text_only and kept_imports is not None and checkouts is not None:
            _calibrate_own_weights("imports", bundle, mirror, checkouts, kept_imports, count, seed)
        if completion_only or imports_only:
            return
        # ghost text rolls out what the mixture says, so its fit comes after the mixture's
        _calibrate_ghost_text(bundle, mirror, count, seed, kept)


def _calibrate_edits(folder: Path, data: Path, count: int) -> None:
    from editahead.runtime.edit_model.model import EditModel
    from editahead.runtime.ort import select_providers

    from editahead_models.evaluate.edit_models.hunk_fit import calibrate

    bundle = load_bundle(folder)
    scorer, fitted, hunks, _ = calibrate(EditModel(bundle, select_providers("cpu")), data, count)
    metrics = {f"hunks_{name}": shown for name, shown in hunks.items()}
    table = {"next_edit": fitted.to_manifest()}
    rewritten(bundle, calibration=table, metrics=metrics, more={"scorer": dict(scorer.weights)})
    print(describe("next_edit", fitted))


def _calibrate_completions(folder: Path, mirror: Path, count: int, seed: int, checkouts: Path | None) -> None:
    from editahead_models.evaluate.completions import completion_fit
    from editahead_models.evaluate.places import evidence
    from editahead_models.evaluate.places.product import sample_places

    bundle, model, language, _ = _opened(folder)
    names = sample_places(language, mirror, "fit", count, seed, names_only=True, without=_RECEIVERS)
    anything = sample_places(language, mirror, "fit", count, seed + 1, names_only=False)
    around = evidence.neighbourhoods(language, mirror, "fit")
    found = completion_fit.fit(
        model,
        list(evidence.ask(model, names, language, around, seed, typed=True, checkouts=checkouts)),
        list(evidence.ask(model, anything, language, around, seed, typed=False, checkouts=checkouts)),
    )
    rewrite_calibrations(
        bundle,
        found.ranking.calibrations,
        metrics={f"calibration/{name}": round(value, 4) for name, value in found.ranking.figures.items()},
        limits={"cache_gate": found.mixture.gate, "elsewhere": found.mixture.names, "cache_weights": None},
        files={FILE: packed(found.ranking.ranker.arrays())},
    )
    for name, figure in found.ranking.figures.items():
        print(f"first completion, {name}: {figure:.4g}")


def _calibrate_probabilities(folder: Path, mirror: Path, count: int, seed: int, work: Path) -> None:
    from editahead.runtime.language_model.first_choice import ENTRY

    from editahead_models.evaluate.completions import typed_calibration
    from editahead_models.replay.typed_lists import collect

    bundle, model, *_ = _opened(folder)
    try:
        with typed_calibration.uncalibrated(folder) as raw:
            found = typed_calibration.fit(list(collect(raw, mirror, "fit", count, seed, work)), model.keywords)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    metrics = {f"calibration/{name}": round(value, 4) for name, value in found.figures.items()}
    rewrite_calibrations(bundle, found.calibrations, metrics=metrics, more={ENTRY: found.weights})
    for name, figure in found.figures.items():
        print(f"first completion, {name}: {figure:.4g}")


def _calibrate_own_weights(
    kind: str, folder: Path, mirror: Path, checkouts: Path | None, kept: Path, count: int, seed: int
) -> None:
    """Fit the weights of the places of one kind, "imports" or "members"; those of imports need `checkouts`."""
    from editahead_models.data.splits import projects_of
    from editahead_models.evaluate.completions.own_weights_fit import fit_own_weights
    from editahead_models.evaluate.places.import_places import import_places
    from editahead_models.evaluate.places.member_places import member_places

    bundle, model, language, _ = _opened(folder)
    if model.ranker is None:
        raise typer.BadParameter(f"a bundle without a ranker has no weights of its own for {kind}: calibrate it first")
    of_project = -(-count // len(projects_of("fit", language.id)))
    if kind == "imports":
        assert checkouts is not None
        places = list(import_places(model, language, mirror, checkouts, kept, of_project, seed))
    else:
        places = list(member_places(model, language, mirror, checkouts, kept, of_project, seed))
    found = fit_own_weights(places, model.ranker)
    metrics = {f"{kind}/{name}": round(value, 4) for name, value in found.figures.items()}
    file = IMPORT_FILE if kind == "imports" else MEMBER_FILE
    rewritten(bundle, metrics=metrics, files={file: packed(found.ranker.arrays())})
    for name, figure in found.figures.items():
        print(f"names of {len(places)} places of {kind}, {name}: {figure:.4g}")


def _calibrate_matches(folder: Path, mirror: Path, count: int, seed: int) -> None:
    """The share of the tokens that earlier contexts let expect."""
    import numpy as np
    from editahead.runtime.language_model.mixture import MATCH_FEATURES, MatchGate

    from editahead_models.evaluate.completions.mixture import fit_gate
    from editahead_models.evaluate.places import evidence
    from editahead_models.evaluate.places.product import sample_places

    bundle, model, language, _ = _opened(folder)
    model.match_gate = MatchGate({"bias": 0.0})  # so that they are looked for
    anything = sample_places(language, mirror, "fit", count, seed + 2, names_only=False, code_only=True)
    names = sample_places(language, mirror, "fit", count // 6, seed + 3, names_only=True)
    around = evidence.neighbourhoods(language, mirror, "fit")
    asked = [
        *evidence.ask(model, anything, language, around, seed, typed=False),
        *evidence.ask(model, names, language, around, seed, typed=True),
    ]
    rows = [row for place in asked if (row := evidence.match_row(model, place)) is not None]
    features, own, said = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    weights = fit_gate(features, own, said, MATCH_FEATURES)
    gate = MatchGate(weights)
    share = np.array([gate.share(row) for row in features.tolist()])
    mixed = own + share * (said - own)
    nats = [float(-np.log(np.maximum(part, 1e-6)).mean()) for part in (own, mixed)]
    print(f"{len(rows)} of {len(asked)} places with a match: {nats[0]:.3f} nats without it, {nats[1]:.3f} with it")
    rewritten(bundle, limits={"match_gate": weights})


def _calibrate_ghost_text(folder: Path, mirror: Path, count: int, seed: int, kept: Path | None) -> None:
    from editahead_models.evaluate.ghost_text import fit as ghost_fit
    from editahead_models.evaluate.ghost_text import shown as ghost_text
    from editahead_models.evaluate.places import evidence
    from editahead_models.evaluate.places.neighbours import Around
    from editahead_models.evaluate.places.product import sample_places

    if kept is not None and kept.exists():
        bundle, asked = load_bundle(folder), ghost_text.read_moments(kept)
    else:
        _calibrate_matches(folder, mirror, count, seed)
        bundle, _, language, engine = _opened(folder)
        anything = sample_places(language, mirror, "fit", count, seed + 1, names_only=False, code_only=True)
        around = evidence.neighbourhoods(language, mirror, "fit")
        asked = ghost_text.ask(engine, ghost_text.places(anything, seed), language, Around(around, _ALONE))
        if kept is not None:
            ghost_text.write_moments(kept, asked)
    trust, fitted = ghost_fit.fit(asked)
    rewrite_calibrations(bundle, fitted, more={"ghost_text": dict(trust.weights)})
    for surface, rows in ghost_fit.crossed(asked).items():
        print(f"{surface} at 0.8, crossed by project: {rows}")


def _opened(folder: Path) -> tuple[Bundle, LanguageModel, Language, Engine]:
    """A language model's bundle, opened. Raises BadParameter."""
    from editahead.suggest.engine import Engine

    from editahead_models.evaluate.places.product import language_of

    bundle = load_bundle(folder)
    language = language_of(bundle.manifest.language)
    engine = Engine.load([folder], "cpu", lambda text, share: None)
    model = engine.language_model(language.id)
    if model is None:
        raise typer.BadParameter(f"the bundle cannot be used: {engine.report().failures[0]}")
    return bundle, model, language, engine
