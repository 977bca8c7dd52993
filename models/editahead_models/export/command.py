"""`editahead-models export`: a trained run to a bundle that the server loads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from editahead.runtime.bundle import load_bundle
from editahead.syntax.language import by_id

from editahead_models.data.corpus.spacing import keywords_of, spacing_table
from editahead_models.data.splits import projects_of
from editahead_models.export.kept_fit import with_kept_fit, with_kept_patterns
from editahead_models.export.lm import export
from editahead_models.recipe import read_recipe

_SPACING_PROJECTS = 12  # enough: pairs of neighbours are frequent


def main(
    recipe: Annotated[Path, typer.Argument(help="The recipe that was trained.")],
    run: Annotated[Path, typer.Option(help="The run's folder.")],
    data: Annotated[Path, typer.Option(help="What `prepare` wrote.")],
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, to learn where spaces stand.")],
    out: Annotated[Path, typer.Option(help="Folder of bundles.")] = Path("models/editahead_bundles"),
    keep: Annotated[
        Path | None,
        typer.Option(
            help="A bundle whose fit is taken over: of the same weights, or of edits what was fitted on patterns."
        ),
    ] = None,
) -> None:
    """Export a model: graphs checked against torch, fp16 weights, vocabulary, golden values, card.

    An edit model is calibrated on the way: its scorer belongs to the bundle.
    """
    chosen = read_recipe(recipe)
    if chosen.family == "implicit-attention":
        from editahead_models.export.edits_release import release

        made = release(run, data, out, version=chosen.version, language=chosen.language)
        if keep is not None:
            made = with_kept_patterns(made, load_bundle(keep))
        print(
            f"wrote {made.path}, {sum(entry.bytes for entry in made.manifest.files.values()) / 1e6:.1f} MB, calibrated"
        )
        return
    language = by_id(chosen.language)
    if language is None:
        raise typer.BadParameter(f"{recipe}: no language called {chosen.language}")
    table = data / "spacing.json"
    if not table.exists():
        projects = projects_of("train", chosen.language)[:_SPACING_PROJECTS]
        table.write_text(json.dumps(spacing_table(language, mirror, projects)))
    bundle = export(
        run,
        data,
        out,
        version=chosen.version,
        spacing=json.loads(table.read_text()),
        keywords=keywords_of(language),
        slots=int(chosen.serving.get("slots", 96)),
    )
    if keep is not None:
        try:
            bundle = with_kept_fit(bundle, load_bundle(keep))
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
    size = sum(entry.bytes for entry in bundle.manifest.files.values())
    further = f"; next: editahead-models calibrate {bundle.path} --mirror {mirror}" if keep is None else ""
    print(f"wrote {bundle.path}, {size / 1e6:.1f} MB{further}")
