"""`editahead-models export copyspan`: a run on mined repairs as a bundle, calibrated on the fit projects."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from editahead.runtime.bundle import Bundle
from editahead.runtime.ort import select_providers
from editahead.runtime.span_copying.model import SpanModel

from editahead_models.copyspan.corpora.mine_fixes import REPORT
from editahead_models.copyspan.corpora.pairs import read_pairs
from editahead_models.copyspan.export import export
from editahead_models.copyspan.train import load_run
from editahead_models.data.corpus.source_files import languages_of_model
from editahead_models.evaluate.code_actions.fixes import MIXTURE, cases, drawn, fit
from editahead_models.run_folder import RunFolder

SURFACE = "fix"


def release(run: Path, data: Path, out: Path, *, language: str, version: str, most: int) -> Bundle:
    """Write the calibrated bundle of a run into `out`; `most` regions of fit projects are rewritten for it."""
    model, vocabulary, config = load_run(run)
    report = json.loads((data / REPORT).read_text(encoding="utf-8"))
    limits = {"tokens": report["longest"], "languages": [one.id for one in languages_of_model(language)]}
    pairs = read_pairs(data / "fit.source.jsonl", data / "fit.target.jsonl")
    projects, kinds = (json.loads((data / f"fit.{name}.json").read_text("utf-8")) for name in ("projects", "kinds"))
    chosen = drawn(kinds, most)
    with tempfile.TemporaryDirectory() as scratch:
        plain = export(
            model, vocabulary, Path(scratch), language=language, version=version, manifest={"limits": limits}
        )
        served = SpanModel(plain, select_providers("cpu"))
        found = cases(
            served, [pairs[at] for at in chosen], [projects[at] for at in chosen], [kinds[at] for at in chosen]
        )
    weights, calibration, metrics = fit(found)
    recipe = {"model": config["model"], "training": config["recipe"], "pairs": report["slips"]["train"]}
    train = [one for one in report["projects"] if one["split"] == "train" and "commit" in one]
    log = RunFolder(run).log()
    return export(
        model, vocabulary, out, language=language, version=version,
        manifest={
            "limits": limits,
            "flavour": "CopySpan",
            "recipe": recipe,
            "recipe_hash": hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()[:16],
            "data_hash": config["data"],
            "licences": [
                {key: one[key] for key in ("project", "commit", "licence", "language", "pairs")} for one in train
            ],
            "fit_projects": [one["project"] for one in report["projects"] if one["split"] == "fit" and "commit" in one],
            "assumed": MIXTURE,
            "scorer": weights,
            "calibration": {SURFACE: calibration.to_manifest()},
            "metrics": {"fixes": metrics, "training": {"minutes": log[-1]["minutes"], "dev_loss": log[-1]["dev"]}},
        },
    )  # fmt: skip


def main(
    run: Annotated[Path, typer.Argument(help="A run of `train copyspan` on what `prepare slips` wrote.")],
    data: Annotated[Path, typer.Option(help="What `prepare slips` wrote.")],
    out: Annotated[Path, typer.Option(help="Folder of the bundle's folder.")],
    version: Annotated[str, typer.Option(help="Of the bundle.")] = "0.1.0",
    language: Annotated[str, typer.Option(help="A list of projects, such as python or typescript.")] = "python",
    most: Annotated[int, typer.Option(help="Regions of fit projects to calibrate on.")] = 1700,
) -> None:
    """Export, calibrate on the fit projects, and print the figures."""
    bundle = release(run, data, out, language=language, version=version, most=most)
    print(json.dumps(dict(bundle.manifest["metrics"]["fixes"]), indent=1))
