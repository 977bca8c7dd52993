"""The parameters of an edit model, read back from its bundle, so that training can go on when its run is lost.

A network of the same shape with known weights goes through the same exporter. Its initialisers tell which parameter
stands where in the graphs of the bundle; the golden values of the bundle are the proof.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
import typer
from editahead.runtime.bundle import MANIFEST, Bundle, BundleError, load_bundle
from editahead.runtime.selftest import GOLDEN
from onnx import numpy_helper

from editahead_models.export.edits import graphs, tables
from editahead_models.export.onnx_graphs import TOLERANCE, convert
from editahead_models.families.implicit_attention import ImplicitAttention
from editahead_models.families.implicit_config import ImplicitConfig
from editahead_models.train.begin_weights import write_weights

Array = npt.NDArray[Any]
_TABLES = {
    "token": "embed.token.weight", "part": "embed.part.weight",
    "identity": "embed.identity.weight", "gap": "embed.gap.weight",
}  # fmt: skip


def read_weights(bundle: Bundle) -> tuple[ImplicitAttention, list[str]]:
    """The network of a bundle of this exporter, and its vocabulary.

    ValueError, one line, where the bundle was written by another exporter, or its golden values differ.
    """
    described = json.loads((bundle.path / MANIFEST).read_text(encoding="utf-8"))
    model = ImplicitAttention(ImplicitConfig.from_dict(described["recipe"]["model"]))
    known = _numbered(model)
    found: dict[str, Array] = {}
    for name, graph in graphs(model).items():
        ours = onnx.load_model_from_string(convert(name, graph)[0]).graph.initializer
        theirs = onnx.load(str(bundle.path / f"{name}.onnx")).graph.initializer
        if [list(entry.dims) for entry in ours] != [list(entry.dims) for entry in theirs]:
            raise ValueError(f"{bundle.path}: the graph {name} was written by another exporter")
        for mine, other in zip(ours, theirs, strict=True):
            found |= _read(numpy_helper.to_array(mine), numpy_helper.to_array(other), known, model)
    held = bundle.arrays("tables.npz")
    found |= {_TABLES[name]: held[name].astype(np.float32) for name in tables(model)}
    missing = sorted(set(known) - set(found))
    if missing:
        raise ValueError(f"{bundle.path}: {', '.join(missing)} stand in no graph")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(np.array(found[name])))
    _compare(bundle, model)
    return model, list(bundle.vocab()["tokens"])


def _numbered(model: ImplicitAttention) -> dict[str, Array]:
    """Fill every parameter with numbers of its own, as half precision holds them, and return them by name."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_((0.1 * torch.randn(parameter.shape, generator=generator)).half().float())
    return {name: parameter.detach().numpy() for name, parameter in model.named_parameters()}


def _read(mine: Array, other: Array, known: dict[str, Array], model: ImplicitAttention) -> dict[str, Array]:
    """The parameter behind one initialiser, from the bundle's numbers; nothing for constants of the graph."""
    mine, other = mine.astype(np.float32), other.astype(np.float32)
    start = model.placed(torch.zeros(model.config.dim), torch.tensor(0)).numpy()  # `begin` is folded with its place
    for name, value in known.items():
        if value.size != mine.size:
            continue
        scale, offset = 16.0 if name.endswith("displacement.table") else 1.0, start if name == "begin" else 0.0
        folded = scale * value + offset
        if _close(mine, folded):
            return {name: (other.reshape(value.shape) - offset) / scale}
        if value.ndim == 2 and value.T.shape == mine.shape and _close(mine, folded.T):
            return {name: (other.T - offset) / scale}
    return {}


def _close(one: Array, other: Array) -> bool:
    same = one.shape == other.shape or one.size == other.size == max(one.shape, default=1) == max(
        other.shape, default=1
    )
    return same and bool(np.allclose(one.reshape(other.shape), other, atol=2e-4))


def _compare(bundle: Bundle, model: ImplicitAttention) -> None:
    golden = bundle.arrays(GOLDEN)
    for name, graph in graphs(model).items():
        given = (
            torch.from_numpy(golden[f"in/{name}/{key}"]) if f"in/{name}/{key}" in golden else value
            for key, value in graph.inputs.items()
        )
        with torch.no_grad():
            results = graph.module(*given)
        results = results if isinstance(results, tuple) else (results,)
        for key, value in zip(graph.outputs, results, strict=True):
            if not np.allclose(value.numpy(), golden[f"out/{name}/{key}"], atol=TOLERANCE, rtol=TOLERANCE):
                raise ValueError(f"{bundle.path}: the weights read back give other values ({name}, {key})")


def main(
    bundle: Annotated[Path, typer.Argument(help="A bundle of next edits.")],
    out: Annotated[Path, typer.Option(help="Folder of weights, beside the mined data: `begin` of a recipe names it.")],
) -> None:
    """Read the weights of a bundle back, so that a run may begin with them."""
    try:
        model, tokens = read_weights(load_bundle(bundle))
    except (ValueError, BundleError) as error:
        raise SystemExit(f"editahead-models export weights: {error}") from None
    write_weights(out, dict(model.named_parameters()), tokens)
    print(f"wrote {out}: {sum(parameter.numel() for parameter in model.parameters()):,} weights")
