"""Torch modules to ONNX graphs with fp16 weights at rest, golden values beside them, and the bundle that holds them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import onnx
import torch
from editahead.runtime.bundle import Bundle
from editahead.runtime.selftest import GOLDEN
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from editahead_models.export.bundle_writer import packed, write_bundle

OPSET = 17
TOLERANCE = 2e-3  # of golden outputs: rounding of fp16 weights is in both, kernels differ between machines
_SMALL = 1024  # numbers; smaller tensors stay as they are
Arrays = dict[str, npt.NDArray[Any]]


class Graph(NamedTuple):
    """What becomes a graph.

    `inputs`: examples by name, in the order of the module's arguments; `axes`: the dimensions whose length may change,
    by tensor; `golden`: the outputs that are compared on other machines, all when None; `finish` changes the graph
    that torch wrote, for operators that torch does not export; `shared`: initialisers that it leaves open, each with
    FILE:ARRAY of the bundle, and their values.
    """

    module: nn.Module
    inputs: Mapping[str, Tensor]
    outputs: Sequence[str]
    axes: Mapping[str, Mapping[int, str]]
    golden: Sequence[str] | None = None
    fold_constants: bool = True
    finish: Callable[[onnx.ModelProto], None] | None = None
    shared: Mapping[str, str] = MappingProxyType({})


def round_to_half(model: nn.Module) -> None:
    """What ships is what is measured: every weight as half precision holds it."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half().float())


def convert(name: str, graph: Graph) -> tuple[bytes, Arrays]:
    """One graph as a file, and what it gives for its examples."""
    module, arguments = graph.module.eval(), tuple(graph.inputs.values())
    buffer = io.BytesIO()
    with torch.no_grad():
        torch.onnx.export(
            module, arguments, cast(Any, buffer), input_names=list(graph.inputs), output_names=list(graph.outputs),
            dynamic_axes={key: dict(lengths) for key, lengths in graph.axes.items()}, opset_version=OPSET,
            do_constant_folding=graph.fold_constants, dynamo=False,
        )  # fmt: skip
        results = module(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    compared = graph.outputs if graph.golden is None else graph.golden
    written = with_half_weights(onnx.load_model_from_string(buffer.getvalue()))
    if graph.finish is not None:
        graph.finish(written)
    read = {entry.name for entry in written.graph.input}  # torch drops what the module does not use
    values = {f"in/{name}/{key}": value.numpy() for key, value in graph.inputs.items() if key in read}
    given = zip(graph.outputs, results, strict=True)
    values |= {f"out/{name}/{key}": value.numpy() for key, value in given if key in compared}
    return written.SerializeToString(), values


def convert_all(graphs: Mapping[str, Graph]) -> tuple[dict[str, bytes], bytes]:
    """Every graph as a file, by name, and the packed golden values of all."""
    made: dict[str, bytes] = {}
    golden: dict[str, npt.NDArray[Any]] = {}
    for name, graph in graphs.items():
        made[name], values = convert(name, graph)
        golden |= values
    return made, packed(golden)


def with_half_weights(model: onnx.ModelProto) -> onnx.ModelProto:
    """Store large fp32 weights as fp16 and cast them when the graph is opened: half the size, the same arithmetic."""
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < _SMALL:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    for position, node in enumerate(casts):
        graph.node.insert(position, node)
    return model


def write_model(
    out: Path,
    family: str,
    language: str,
    version: str,
    *,
    graphs: Mapping[str, Graph],
    vocab: Mapping[str, Any],
    manifest: Mapping[str, Any],
    files: Mapping[str, bytes] | None = None,
) -> Bundle:
    """Write `out`/FAMILY-LANGUAGE-VERSION: the graphs, their golden values, the vocabulary and more files."""
    made, golden = convert_all(graphs)
    held: dict[str, Path | bytes] = {f"{name}.onnx": graph for name, graph in made.items()}
    held["vocab.json"] = json.dumps(vocab, ensure_ascii=False, separators=(",", ":")).encode()
    return write_bundle(
        out / f"{family}-{language}-{version}",
        family=family,
        language=language,
        files={**held, GOLDEN: golden, **(files or {})},
        manifest={
            "version": version,
            "graphs": {
                name: {"file": f"{name}.onnx", "opset": OPSET, "shared": dict(graphs[name].shared)} for name in made
            },
            "tolerance": TOLERANCE,
            **manifest,
        },
    )
