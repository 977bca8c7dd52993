"""A trained TreeGen as a bundle: one graph that reads a description, one that makes a step of every ray.

Graphs (L words, R rays, R' rays of the step before, T steps that were made, C classes, D width):
    encode: word (L,), letter (L,10) int64 -> memory (L,W)
    step:   came_from (R,) rows of cache (R',T,X), memory, done (R,), children (R,10), left, depth, parent,
            grandparent (R,), path (R,10), nth (R,) int64 -> logits (R,C), gate (R,), copy (R,L), cache_next (R,T+1,X)
Numbers are those of `editahead.encode.program_steps`. Scores are raw: who searches masks them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from editahead.encode.program_vocab import CHILDREN, DEEPEST, LETTERS, LONGEST, PATH, Vocabulary
from editahead.runtime.bundle import Bundle, write_bundle
from torch import Tensor, nn

from editahead_models.export.lm import OPSET, with_half_weights
from editahead_models.treegen.incremental import EncodeGraph, StepGraph
from editahead_models.treegen.model import TreeGen

FAMILY = "treegen"
TOLERANCE = 2e-3
STEP_INPUTS = (
    "came_from", "cache", "memory", "done", "children", "left", "depth", "parent", "grandparent", "path", "nth",
)  # fmt: skip
INPUTS = {"encode": ("word", "letter"), "step": STEP_INPUTS}
OUTPUTS = {"encode": ("memory",), "step": ("logits", "gate", "copy", "cache_next")}
_RAYS = {name: {0: "R"} for name in (*STEP_INPUTS, "logits", "gate") if name not in ("cache", "memory")}
AXES: dict[str, dict[str, dict[int, str]]] = {
    "encode": {name: {0: "L"} for name in ("word", "letter", "memory")},
    "step": {
        **_RAYS, "memory": {0: "L"}, "copy": {0: "R", 1: "L"},
        "cache": {0: "before", 1: "T"}, "cache_next": {0: "R", 1: "S"},
    },
}  # fmt: skip


def graphs(model: TreeGen) -> tuple[dict[str, bytes], bytes]:
    """Both graphs with their weights in half precision, and the packed golden values. Rounds the weights of `model`.
    Raises ValueError for a model with a part left out."""
    model.eval()
    encode, step = EncodeGraph(model).eval(), StepGraph(model).eval()
    with torch.no_grad():  # what ships is what is measured
        for parameter in model.parameters():
            parameter.copy_(parameter.half().float())
    torch.manual_seed(0)
    arguments: dict[str, tuple[Tensor, ...]] = {"encode": _words(model, 7)}
    with torch.no_grad():
        arguments["step"] = _rays(model, step.kept, encode(*arguments["encode"]))
    made: dict[str, bytes] = {}
    golden: dict[str, np.ndarray] = {}
    modules: dict[str, nn.Module] = {"encode": encode, "step": step}
    for name, module in modules.items():
        buffer = io.BytesIO()
        with torch.no_grad():
            torch.onnx.export(
                module, arguments[name], buffer, input_names=list(INPUTS[name]), output_names=list(OUTPUTS[name]),
                dynamic_axes=AXES[name], opset_version=OPSET, dynamo=False,
            )  # fmt: skip
            results = module(*arguments[name])
        made[name] = with_half_weights(onnx.load_model_from_string(buffer.getvalue())).SerializeToString()
        results = results if isinstance(results, tuple) else (results,)
        golden |= {f"in/{name}/{key}": value.numpy() for key, value in zip(INPUTS[name], arguments[name], strict=True)}
        golden |= {f"out/{name}/{key}": value.numpy() for key, value in zip(OUTPUTS[name], results, strict=True)}
    packed = io.BytesIO()
    np.savez_compressed(packed, **golden)
    return made, packed.getvalue()


def _words(model: TreeGen, words: int) -> tuple[Tensor, ...]:
    return (
        torch.randint(1, model.word.num_embeddings, (words,)),
        torch.randint(0, model.letter.num_embeddings, (words, LETTERS)),
    )


def _rays(model: TreeGen, kept: int, memory_LW: Tensor, rays: int = 3, steps: int = 4) -> tuple[Tensor, ...]:
    symbols = model.symbol.num_embeddings
    return (
        torch.tensor([1, 0, 1]), torch.randn(2, steps, kept), memory_LW,
        torch.randint(0, model.rule.num_embeddings, (rays,)), torch.randint(0, symbols, (rays, CHILDREN)),
        torch.randint(0, symbols, (rays,)), torch.randint(0, DEEPEST, (rays,)), torch.tensor([2, 3, 1]),
        torch.tensor([0, 1, 0]), torch.randint(0, symbols, (rays, PATH)), torch.randint(0, LONGEST, (rays,)),
    )  # fmt: skip


def export(
    model: TreeGen,
    vocabulary: Vocabulary,
    out: Path,
    *,
    language: str,
    version: str,
    manifest: Mapping[str, Any],
) -> Bundle:
    """Write `out`/treegen-LANGUAGE-VERSION; `manifest` adds limits, scorer, calibration, recipe, data and licences."""
    made, golden = graphs(model)
    files: dict[str, Path | bytes] = {f"{name}.onnx": graph for name, graph in made.items()}
    files["vocab.json"] = json.dumps(vocabulary.to_json(), ensure_ascii=False, separators=(",", ":")).encode()
    files["golden.npz"] = golden
    return write_bundle(
        out / f"{FAMILY}-{language}-{version}",
        family=FAMILY,
        language=language,
        files=files,
        manifest={
            "version": version,
            "graphs": {name: {"file": f"{name}.onnx", "opset": OPSET} for name in made},
            "tolerance": TOLERANCE,
            **manifest,
        },
    )
