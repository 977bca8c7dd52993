"""Tiny graphs and a tiny whole bundle."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from editahead.runtime.bundle import Bundle
from editahead_models.evaluate.fitting.calibration_fit import fit_isotonic
from editahead_models.export.bundle_writer import write_bundle

DATA = Path(__file__).parent / "data"


def npz(**arrays: Any) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def golden(offset: float = 0.0) -> bytes:
    tokens, state = np.arange(5, dtype=np.float32), np.ones(1, np.float32)
    return npz(
        **{
            "in/step/tokens": tokens,
            "in/step/state": state,
            "out/step/logits": tokens * 2 + np.float32(offset),
            "out/step/state_out": state + tokens.sum(),
        }
    )


def make_bundle(folder: Path, **changes: Any) -> Bundle:
    """A good bundle `toy-python-1` in `folder`; keyword arguments replace entries of the manifest."""
    files = {
        "model.onnx": (DATA / "step.onnx").read_bytes(),
        "vocab.json": json.dumps({"words": ["<unk>", "self"]}).encode(),
        "golden.npz": changes.pop("golden", golden()),
    }
    fitted = fit_isotonic(np.linspace(0, 1, 100), np.linspace(0, 1, 100) > 0.6)
    manifest = {
        "version": "1",
        "flavour": "plain",
        "recipe_hash": "0" * 16,
        "data_hash": "1" * 16,
        "licences": {"MIT": 12, "Apache-2.0": 3},
        "graphs": {"step": {"file": "model.onnx", "opset": 17}},
        "normaliser_version": 1,
        "limits": {"tokens": 1000},
        "calibration": {"completion": fitted.to_manifest()},
        "metrics": {"top1": 0.41, "top5": 0.78},
        **changes,
    }
    return write_bundle(folder / "toy-python-1", family="toy", language="python", files=files, manifest=manifest)


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return make_bundle(tmp_path)


@pytest.fixture
def rewrite() -> Callable[[Path, Callable[[dict[str, Any]], Any]], None]:
    """Change a bundle's manifest on disk, as damage would."""

    def change(folder: Path, how: Callable[[dict[str, Any]], Any]) -> None:
        file = folder / "manifest.json"
        manifest = json.loads(file.read_text(encoding="utf-8"))
        how(manifest)
        file.write_text(json.dumps(manifest), encoding="utf-8")

    return change
