"""A trained TreeGen as a bundle: one graph that reads a description, one that makes a step of every hypothesis.

Graphs (L words, R hypotheses, R' hypotheses of the step before, T steps that were made, C classes, D width):
    encode: word (L,), letter (L,10) int64 -> memory (L,W)
    step:   came_from (R,) rows of cache (R',T,X), memory, done (R,), children (R,10), left, depth, parent,
            grandparent (R,), path (R,10), nth (R,) int64 -> logits (R,C), gate (R,), copy (R,L), cache_next (R,T+1,X)
Numbers are those of `editahead.encode.tree_generation.steps`. Scores are raw: who searches masks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from editahead.encode.tree_generation.steps import CHILDREN, LETTERS, MAX_DEPTH, MAX_ELEMENTS, PATH, Vocabulary
from editahead.runtime.bundle import Bundle
from torch import Tensor, nn

from editahead_models.export.onnx_graphs import Graph, round_to_half, write_model
from editahead_models.treegen.network.incremental import EncodeGraph, StepGraph, servable
from editahead_models.treegen.network.model import TreeGen

FAMILY = "treegen"
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


def graphs(model: TreeGen) -> dict[str, Graph]:
    """Both graphs with their examples. ValueError for a model with a part left out."""
    model.eval()
    encode, step = EncodeGraph(model).eval(), StepGraph(model).eval()
    torch.manual_seed(0)
    words = _words(model, 7)
    with torch.no_grad():
        rays = _rays(model, step.kept, encode(*words))
    modules: dict[str, nn.Module] = {"encode": encode, "step": step}
    return {
        name: Graph(modules[name], dict(zip(INPUTS[name], values, strict=True)), OUTPUTS[name], AXES[name])
        for name, values in {"encode": words, "step": rays}.items()
    }


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
        torch.randint(0, symbols, (rays,)), torch.randint(0, MAX_DEPTH, (rays,)), torch.tensor([2, 3, 1]),
        torch.tensor([0, 1, 0]), torch.randint(0, symbols, (rays, PATH)), torch.randint(0, MAX_ELEMENTS, (rays,)),
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
    """Write `out`/treegen-LANGUAGE-VERSION; `manifest` adds limits, scorer, calibration, recipe, data and licences.

    Rounds the weights of `model`. ValueError for one that cannot be served.
    """
    servable(model)
    round_to_half(model)
    vocab = vocabulary.to_json()
    return write_model(out, FAMILY, language, version, graphs=graphs(model), vocab=vocab, manifest=manifest)
