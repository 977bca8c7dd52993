"""`editahead-models export functions`: a run on mined functions as a bundle, calibrated on projects it has not learnt.

Weights and calibration come from the dev projects and from those that training only looked at; the figures are of the
dev projects alone, and no project judges itself.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.bundle import Bundle
from editahead.runtime.ort import select_providers
from editahead.runtime.tree_generation.model import ProgramModel

from editahead_models.evaluate.code_actions.functions import cases_of, fit
from editahead_models.run_folder import RunFolder
from editahead_models.treegen.export import export
from editahead_models.treegen.functions.arrays import PREPARED
from editahead_models.treegen.functions.mine import REPORT
from editahead_models.treegen.train import load_run

SURFACE = "describe"


def release(
    run: Path, pairs: Path, data: Path, mirror: Path, out: Path, *, version: str, most: int = 0
) -> tuple[Bundle, dict[str, Any]]:
    """Write the calibrated bundle of a run into `out`; returns it and the figures.

    `most` functions of each project are written for it, all when 0.
    """
    model, vocabulary, config = load_run(run)
    mined = json.loads((pairs / REPORT).read_text(encoding="utf-8"))
    limits = {"words": 200, "steps": mined["limits"]["steps"], "beam": 5, "languages": ["python"]}
    projects = {
        split: [one["project"] for one in mined["projects"] if one["split"] == split and one.get("kept")]
        for split in ("train", "look", "fit", "dev")
    }
    with tempfile.TemporaryDirectory() as scratch:
        plain = export(
            model, vocabulary, Path(scratch), language="python", version=version, manifest={"limits": limits}
        )
        served = ProgramModel(plain, select_providers("cpu"))
        found = cases_of(served, mirror, pairs, [*projects["fit"], *projects["dev"]], most)
    weights, calibration, figures = fit(found, projects["fit"], projects["dev"])
    prepared = json.loads((data / PREPARED).read_text(encoding="utf-8"))
    log = RunFolder(run).log()
    best = [line for line in log if line["best"]][-1]
    learnt = {
        "functions": prepared["train"]["kept"], "left out": prepared["train"].get("needs unknown texts", 0),
        "epochs": log[-1]["epoch"], "minutes": log[-1]["minutes"],
        "loss": best["loss"],
    }  # fmt: skip
    recipe = {"model": config["model"], "training": config["recipe"], "mining": mined["limits"]}
    licences = [
        {"project": one["project"], "commit": one["commit"], "licence": one["licence"], "language": "python",
         "functions": one["kept"]}
        for one in mined["projects"] if one["split"] == "train" and one.get("kept")
    ]  # fmt: skip
    bundle = export(
        model, vocabulary, out, language="python", version=version,
        manifest={
            "limits": limits,
            "flavour": "TreeGen",
            "recipe": recipe,
            "recipe_hash": hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()[:16],
            "data_hash": config["data"],
            "licences": licences,
            "dev_projects": projects["dev"],
            "scorer": weights,
            "calibration": {SURFACE: calibration.to_manifest()},
            "metrics": {"functions": figures, "training": learnt},
        },
    )  # fmt: skip
    thresholds = {f"{asked:.2f}": least for asked, least in calibration.thresholds}
    return bundle, {
        "figures": figures, "thresholds": thresholds, "training": learnt, "mining": counted(mined),
        "prepared": prepared,
    }  # fmt: skip


def counted(mined: dict[str, Any]) -> dict[str, dict[str, int]]:
    """What became of the functions that mining saw, by split."""
    sums: dict[str, dict[str, int]] = {}
    for one in mined["projects"]:
        row = sums.setdefault(one["split"], {"projects": 0})
        row["projects"] += bool(one.get("kept"))
        for reason, count in one.get("counts", {}).items():
            row[reason] = row.get(reason, 0) + count
    return sums


def main(
    run: Annotated[Path, typer.Argument(help="A run of `train functions`.")],
    pairs: Annotated[Path, typer.Option(help="What `mine functions` wrote.")],
    data: Annotated[Path, typer.Option(help="What `prepare functions` wrote.")],
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="Folder of the bundle's folder.")],
    figures: Annotated[Path | None, typer.Option(help="A JSON file for the figures.")] = None,
    version: Annotated[str, typer.Option(help="Of the bundle.")] = "0.1.0",
    most: Annotated[int, typer.Option(help="Functions of each project to calibrate on, 0 for all.")] = 0,
) -> None:
    """Export, write a body for every held-out function, calibrate, and print the figures."""
    bundle, found = release(run, pairs, data, mirror, out, version=version, most=most)
    if figures is not None:
        figures.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({"bundle": str(bundle.path), **found["figures"]}, indent=1))
