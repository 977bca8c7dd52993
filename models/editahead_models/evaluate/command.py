"""`editahead-models evaluate`: the figures of a bundle or of a training run, on projects it has not learnt from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.bundle import load_bundle

EDITS = "implicit-attention"


def main(
    target: Annotated[Path, typer.Argument(help="The folder of a run on code or on edits, or a bundle of edits.")],
    data: Annotated[
        Path | None,
        typer.Option(
            help="For a run or a language model's bundle: what `prepare` wrote, for a bundle with its vocabulary. "
            "For a bundle of edits: what `mine` wrote."
        ),
    ] = None,
    count: Annotated[int, typer.Option(help="For a bundle of edits: changes to ask in.")] = 300,
    tokens: Annotated[int, typer.Option(help="With --data, for code: dev tokens to score.")] = 300_000,
    seed: Annotated[int, typer.Option(help="Which changes are drawn; not the one calibrated on.")] = 300,
    store: Annotated[bool, typer.Option(help="For a bundle: keep the figures in its manifest and card.")] = False,
    task: Annotated[
        Path | None, typer.Option(help="For a run of `train synthetic`: a JSON-lines file of edit instances.")
    ] = None,
) -> None:
    """Perplexity and accuracy of a run, of code or of edits; what is offered next by a bundle of edits."""
    if task is not None:
        from editahead_models.evaluate.edit_models.synthetic_file import figures

        try:
            print(json.dumps(figures(target, task), indent=1))
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
        return
    if (target / "config.json").exists():
        if data is None:
            raise typer.BadParameter("a run is measured on prepared data: give --data")
        family = json.loads((target / "config.json").read_text(encoding="utf-8"))["family"]
        figures_of = edit_run_figures if family == EDITS else run_figures
        print(json.dumps(figures_of(target, data, tokens), indent=1))
        return
    if data is None:
        raise typer.BadParameter("a bundle is measured on prepared code or mined changes: give --data")
    if load_bundle(target).manifest.family == EDITS:
        measured: dict[str, Any] = edit_figures(target, data, count, seed)
    else:
        measured = bundle_token_figures(target, data, tokens)
    print(json.dumps(measured, indent=1))
    if store:
        from editahead_models.evaluate.fitting.rewritten_bundle import rewritten

        rewritten(load_bundle(target), metrics=measured)


def edit_figures(bundle: Path, data: Path, count: int, seed: int) -> dict[str, Any]:
    """What is offered next after some hunks of `count` dev changes, with the bundle's own scorer and calibration."""
    from editahead.runtime.bundle import MANIFEST
    from editahead.runtime.edit_model.model import EditModel
    from editahead.runtime.logistic import LogisticModel
    from editahead.runtime.ort import select_providers
    from editahead.suggest.next_edit.rollout.rollout_features import FEATURES
    from rich.progress import track

    from editahead_models.evaluate.edit_models.hunk_fit import report
    from editahead_models.evaluate.edit_models.hunks import cases, load_shards_of

    loaded = load_bundle(bundle)
    shards, texts = load_shards_of(data / "dev")
    model = EditModel(loaded, select_providers("cpu"))
    rolled = cases(model, shards, texts, count=count, seed=seed)
    found = list(track(rolled, total=count, description="rolling out", transient=True))
    scorer = LogisticModel.from_json(loaded.manifest["scorer"], "scorer", FEATURES, bundle / MANIFEST)
    return report(found, scorer, loaded.calibration("next_edit"))


def edit_run_figures(run: Path, data: Path, tokens: int) -> dict[str, float]:
    """Teacher-forced shares of a run on edits, on windows of about so many initial tokens of the dev split."""
    from editahead_models.export.edits_release import evaluate_run

    return evaluate_run(run, data, instances=max(1, tokens // 500))


def run_figures(run: Path, data: Path, tokens: int) -> dict[str, float]:
    """Token metrics of a trained language model on the dev split."""
    from editahead_models.evaluate.language_models.runs import Corpus, open_run

    corpus = Corpus(data, tokens)
    return open_run(run, corpus).figures(corpus)


def bundle_token_figures(bundle: Path, data: Path, tokens: int) -> dict[str, float]:
    """The same of the network of a bundle. BadParameter for a corpus without the vocabulary of the bundle."""
    from editahead_models.evaluate.language_models.runs import Corpus, open_bundle

    corpus = Corpus(data, tokens)
    try:
        return open_bundle(load_bundle(bundle), corpus).figures(corpus)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
