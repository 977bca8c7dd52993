"""Writes the graphs of this folder: run it with onnx installed (extra `train`) after a change."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import TensorProto, helper

HERE = Path(__file__).parent
OPSET = 17


def loop_graph() -> onnx.ModelProto:
    """`trips` products of a [64, 64] matrix with itself, each squashed: runs as long as it is asked to."""
    body = helper.make_graph(
        [
            helper.make_node("MatMul", ["state", "state"], ["product"]),
            helper.make_node("Tanh", ["product"], ["state_out"]),
            helper.make_node("Identity", ["going"], ["going_out"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("trip", TensorProto.INT64, []),
            helper.make_tensor_value_info("going", TensorProto.BOOL, []),
            helper.make_tensor_value_info("state", TensorProto.FLOAT, [64, 64]),
        ],
        [
            helper.make_tensor_value_info("going_out", TensorProto.BOOL, []),
            helper.make_tensor_value_info("state_out", TensorProto.FLOAT, [64, 64]),
        ],
    )
    graph = helper.make_graph(
        [helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body)],
        "loop",
        [
            helper.make_tensor_value_info("trips", TensorProto.INT64, []),
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [64, 64]),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [64, 64])],
    )
    return _model(graph)


def step_graph() -> onnx.ModelProto:
    """A recurrent step over any length: `state_out = state + sum(tokens)`, `logits = tokens * 2`."""
    graph = helper.make_graph(
        [
            helper.make_node("Add", ["tokens", "tokens"], ["logits"]),
            helper.make_node("ReduceSum", ["tokens"], ["total"], keepdims=0),
            helper.make_node("Add", ["state", "total"], ["state_out"]),
        ],
        "step",
        [
            helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["time"]),
            helper.make_tensor_value_info("state", TensorProto.FLOAT, [1]),
        ],
        [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["time"]),
            helper.make_tensor_value_info("state_out", TensorProto.FLOAT, [1]),
        ],
    )
    return _model(graph)


def _model(graph: onnx.GraphProto) -> onnx.ModelProto:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(model)
    return model


if __name__ == "__main__":
    for name, make in (("loop", loop_graph), ("step", step_graph)):
        (HERE / f"{name}.onnx").write_bytes(make().SerializeToString())
