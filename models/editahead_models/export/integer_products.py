"""An output layer whose product is done in integers, exactly the same on every processor.

The joint vector n lies in (-1, 1): it becomes 7-bit steps of 1/63 around 64. With 7 bits against 8, pairs of products
fit 16 bits, so that processors without VNNI do not saturate. Sums are exact; the only rounding is that of n and of the
table. Shapes: e embedding, V symbols.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import onnx
from editahead.runtime.language_model.graphs import QuantizedTable
from onnx import TensorProto, helper, numpy_helper

STEPS = 63  # of n between 0 and 1
CODES = "word_codes"  # the open initialiser (e, V)
_ZERO = 64


def integer_output_layer(
    output: str, table: QuantizedTable, bias_V: npt.NDArray[np.float32]
) -> Callable[[onnx.ModelProto], None]:
    """What turns a graph whose `output` is n (1, e) into one whose `output` is ln softmax(n W^T + b) (1, V)."""

    def finish(model: onnx.ModelProto) -> None:
        graph = model.graph
        for node in graph.node:
            node.output[:] = ["joint" if name == output else name for name in node.output]
        graph.initializer.extend([
            _open(CODES, table.codes),
            numpy_helper.from_array(np.array(STEPS, np.float32), "joint_steps"),
            numpy_helper.from_array(np.array(_ZERO, np.float32), "joint_offset"),
            numpy_helper.from_array(np.array(_ZERO, np.uint8), "joint_zero"),
            numpy_helper.from_array((table.scales / STEPS).astype(np.float32), "word_scale"),
            numpy_helper.from_array(bias_V.astype(np.float32), "word_bias"),
        ])  # fmt: skip
        graph.node.extend([
            helper.make_node("Mul", ["joint", "joint_steps"], ["joint_scaled"]),
            helper.make_node("Round", ["joint_scaled"], ["joint_rounded"]),
            helper.make_node("Add", ["joint_rounded", "joint_offset"], ["joint_shifted"]),
            helper.make_node("Cast", ["joint_shifted"], ["joint_codes"], to=TensorProto.UINT8),
            helper.make_node("MatMulInteger", ["joint_codes", CODES, "joint_zero"], ["word_sums"]),
            helper.make_node("Cast", ["word_sums"], ["word_numbers"], to=TensorProto.FLOAT),
            helper.make_node("Mul", ["word_numbers", "word_scale"], ["word_products"]),
            helper.make_node("Add", ["word_products", "word_bias"], ["word_logits"]),
            helper.make_node("LogSoftmax", ["word_logits"], [output], axis=-1),
        ])  # fmt: skip
        for value in graph.output:
            if value.name == output:
                value.type.tensor_type.shape.dim[1].dim_value = len(bias_V)

    return finish


def _open(name: str, array: npt.NDArray[np.int8]) -> TensorProto:
    """An initialiser without its numbers: whoever opens the graph lends them."""
    tensor = TensorProto()
    tensor.name, tensor.data_type = name, helper.np_dtype_to_tensor_dtype(array.dtype)
    tensor.dims.extend(array.shape)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", "shared"), ("offset", "0"), ("length", str(array.nbytes))):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value
    return tensor
