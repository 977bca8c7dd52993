"""Make a calibrated bundle from a training run.

Export, roll out on dev projects, fit, export again with what was fitted.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from editahead.runtime.bundle import Bundle
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.ort import select_providers

from editahead_models.data.edits.batches import TextFeatures
from editahead_models.data.edits.samples import load_shards
from editahead_models.data.edits.stream import dev_batches
from editahead_models.evaluate.edit_models.accuracy import teacher_forced
from editahead_models.evaluate.edit_models.hunk_fit import calibrate
from editahead_models.export.edits import export
from editahead_models.train.checkpoints import LATEST
from editahead_models.train.edits import data_hash, edit_recipe, load_model, tensors

MAX_EDITS = 64  # of a request's history and of what it rolls out


def limits(window: int) -> dict[str, Any]:
    """What the server may ask of the bundle; its tokens know no language."""
    return {"languages": ["any"], "window": window, "max_edits": MAX_EDITS}


def records(data: Path, split: str) -> list[dict[str, Any]]:
    """What mining wrote about each project of a split that was used."""
    found = [json.loads(path.read_text()) for path in sorted((data / split).glob("*.json"))]
    return [record for record in found if "skipped" not in record]


def evaluate_run(run: Path, data: Path, *, instances: int = 4000, checkpoint: str = LATEST) -> dict[str, float]:
    """Teacher-forced shares of a run on dev projects."""
    torch.set_num_threads(1)
    model, vocab, state = load_model(run, checkpoint)
    table: dict[str, int] = {}
    shards = load_shards(data / "dev", table)
    recipe = edit_recipe(state["recipe"])
    features, settings = TextFeatures(table, vocab), recipe.stream()
    return teacher_forced(model, map(tensors, dev_batches(shards, features, settings, instances, recipe.served_window)))


def _stage(state: Mapping[str, Any]) -> dict[str, Any]:
    """What a run did, without what depends on the machine."""
    recipe = {key: value for key, value in state["recipe"].items() if key not in ("threads", "checkpoint_every_s")}
    return {"training": recipe, "steps": state["step"], "edits_seen": state["tokens"]}


def release(
    run: Path,
    data: Path,
    out: Path,
    *,
    version: str,
    cases: int = 1500,
    instances: int = 2000,
    checkpoint: str = LATEST,
    language: str = "python-java",
    earlier: Path | None = None,
) -> Bundle:
    """Write the calibrated bundle of a run into `out`; `cases` roll-outs are measured on dev projects.

    `earlier` is the run whose weights this one started from, for the manifest.
    """
    model, vocab, state = load_model(run, checkpoint)
    allowed = limits(int(state["recipe"]["served_window"] or state["recipe"]["window"]))
    shares = evaluate_run(run, data, instances=instances, checkpoint=checkpoint)
    with tempfile.TemporaryDirectory() as scratch:
        plain = export(model, list(vocab.tokens), Path(scratch), version=version, manifest={"limits": allowed})
        scorer, calibration, hunks, _ = calibrate(EditModel(plain, select_providers("cpu")), data, cases)
    train = records(data, "train")
    stages = [_stage(load_model(earlier)[2])] if earlier is not None else []
    stages.append(_stage(state))
    manifest: Mapping[str, Any] = {
        "limits": allowed,
        "flavour": "IA-ag, extended",
        "recipe": {"model": model.config.to_dict(), "stages": stages},
        "recipe_hash": hashlib.sha256(json.dumps(stages, sort_keys=True).encode()).hexdigest()[:16],
        "data_hash": data_hash(data),
        "data": {
            "edits": sum(record["edits"] for record in train),
            "instances": sum(record["instances"] for record in train),
            "changes": sum(record["changes"] for record in train),
        },
        "licences": [
            {key: record[key] for key in ("project", "commit", "licence", "language", "edits")} for record in train
        ],
        "dev_projects": [record["project"] for record in records(data, "dev")],
        "scorer": dict(scorer.weights),
        "calibration": {"next_edit": calibration.to_manifest()},
        "metrics": {
            "teacher_forced": {key: round(value, 4) for key, value in shares.items()},
            **{
                f"hunks_{name}": {key: round(value, 4) for key, value in shown.items()} for name, shown in hunks.items()
            },
        },
    }
    return export(model, list(vocab.tokens), out, version=version, manifest=manifest, language=language)
