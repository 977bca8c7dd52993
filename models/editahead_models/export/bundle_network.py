"""The network of a language model's bundle as a torch module again.

Weights are as the bundle holds them: tables of eight bits, halves elsewhere. The rounding of the joint vector in the
served output layer is left out.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from editahead.runtime.bundle import Bundle
from editahead.runtime.language_model.graphs import ENCODE, FILE, HEAD, NameTables
from editahead.runtime.manifest import thaw
from onnx import TensorProto, numpy_helper

from editahead_models.families.spn import Spn, SpnConfig

Floats = npt.NDArray[np.float32]
_HALF = "_half"  # ends the name of a weight that is stored as a half
_GATES = (0, 2, 3, 1)  # the gates of torch (i, f, g, o) among those of ONNX (i, o, f, g)


def network_of(bundle: Bundle) -> Spn:
    """The network of a bundle, in evaluation mode."""
    model = Spn(SpnConfig(**known_settings(SpnConfig, bundle.manifest["recipe"]["model"])))
    tables = NameTables.from_arrays(bundle.arrays(FILE))
    encode, head = (_graph(bundle, name) for name in (ENCODE, HEAD))
    inputs, states, biases = (_in_torch_order(_float(encode, name)) for name in _node(encode, "LSTM").input[1:4])
    products = [node.input[1] for node in head.node if node.op_type == "MatMul"]
    # The products with a weight come in the order of the module.
    key, query, score, joint = (_float(head, name) for name in products if _has(head, name))
    weights = {
        "word.weight": tables.word.rows(np.arange(len(tables.word.scales))),
        "part.weight": tables.part.rows(np.arange(len(tables.part.scales))),
        "kind.weight": tables.kind,
        "lstm.weight_ih_l0": inputs, "lstm.weight_hh_l0": states,
        "lstm.bias_ih_l0": biases[:, 0], "lstm.bias_hh_l0": biases[:, 1],
        "key.weight": key.T, "query.weight": query.T, "score.weight": score.T, "joint.weight": joint.T,
        **{name: _float(head, f"model.{name}") for name in ("echo.weight", "echo.bias", "mix.weight", "mix.bias")},
        "bias": _float(head, "word_bias"),
    }  # fmt: skip
    model.load_state_dict({name: torch.from_numpy(np.array(value, np.float32)) for name, value in weights.items()})
    return model.eval()


def known_settings(kind: type, values: object) -> dict[str, Any]:
    """Settings of a manifest that the class `kind` has today."""
    known = {entry.name for entry in fields(kind)}
    return {key: value for key, value in thaw(values).items() if key in known}


def _graph(bundle: Bundle, name: str) -> onnx.GraphProto:
    path = bundle.file(bundle.manifest.graphs[name].file)
    return onnx.load(path, load_external_data=False).graph


def _node(graph: onnx.GraphProto, kind: str) -> onnx.NodeProto:
    return next(node for node in graph.node if node.op_type == kind)


def _has(graph: onnx.GraphProto, name: str) -> bool:
    return any(tensor.name.removesuffix(_HALF) == name for tensor in graph.initializer)


def _float(graph: onnx.GraphProto, name: str) -> Floats:
    """A weight of a graph, stored as a half or not."""
    tensor: TensorProto = next(tensor for tensor in graph.initializer if tensor.name.removesuffix(_HALF) == name)
    return numpy_helper.to_array(tensor).astype(np.float32)


def _in_torch_order(array: Floats) -> Floats:
    """Weights (1, 4H, n) of the LSTM operator as torch has them (4H, n); biases (1, 8H) as (4H, 2)."""
    if array.ndim == 2:
        return np.stack([_in_torch_order(part[None, :, None])[:, 0] for part in np.split(array[0], 2)], 1)
    return np.concatenate([np.split(array[0], 4)[gate] for gate in _GATES])
