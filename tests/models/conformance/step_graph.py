"""Any neural language model as one ONNX graph for prefill and step alike: the state goes in and comes out.

Shapes: T steps (dynamic), K slots (dynamic), V symbols, P spelling parts, R echoes; batch 1.
    word, kind (1,T), parts (1,T,P), slot, mask (1,T,K), echo (1,T,K,R), next (1,K), state0.. -> log_y (1,T,V),
    alpha (1,T,K), log_lambda (1,T,2), next_state0..
Inputs that a family does not read are left out of its graph.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import onnx
import torch
from editahead.encode.language_model.encoder import ECHOES, PARTS
from editahead.runtime.ort import GraphSession, select_providers
from editahead_models.families.mixture import Chunk, NeuralLanguageModel
from torch import Tensor, nn

OPSET = 17
_INPUTS = ("word", "kind", "parts", "slot", "mask", "echo", "next")
_OUTPUTS = ("log_y", "alpha", "log_lambda")


class _Step(nn.Module):
    def __init__(self, model: NeuralLanguageModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, *arguments: Tensor) -> tuple[Tensor, ...]:
        chunk, state = Chunk(*arguments[: len(_INPUTS)]), arguments[len(_INPUTS) :]
        output, carry = self.model(chunk, state)
        log_y = torch.log_softmax(self.model.logits(output.joint_BTE), -1)
        return (log_y, output.alpha_BTK, output.log_lambda_BT2, *carry)


class StepGraph:
    """A graph that is open; the state is kept by the caller."""

    def __init__(self, graph: bytes) -> None:
        self._session = GraphSession(graph, select_providers("cpu"))

    def run(self, chunk: Chunk, state: Sequence[npt.NDArray[np.float32]]) -> list[npt.NDArray[np.float32]]:
        """log_y, alpha, log_lambda and the next state. Shapes as in `Chunk`, with B = 1: log_y (B, T, V)."""
        feeds = {name: value.numpy() for name, value in zip(_INPUTS, chunk, strict=True)}
        feeds |= {f"state{n}": value for n, value in enumerate(state)}
        return self._session.run(None, {name: feeds[name] for name in self._session.input_names})


def step_graph(model: NeuralLanguageModel, slots: int) -> bytes:
    """The model's graph. `slots` is any memory length but 0 for a model with a memory."""
    model.eval()
    chunk, state = example(5, slots), model.start(1, slots)
    inputs = [*_INPUTS, *(f"state{n}" for n in range(len(state)))]
    outputs = [*_OUTPUTS, *(f"next_state{n}" for n in range(len(state)))]
    axes: dict[str, dict[int, str]] = {name: {1: "steps"} for name in ("word", "kind", "parts", *_OUTPUTS)}
    if slots:
        axes |= {name: {1: "steps", 2: "slots"} for name in ("slot", "mask", "echo", "alpha")} | {"next": {1: "slots"}}
        for n, part in enumerate(state):
            if part.ndim == 3 and part.shape[1] == slots:
                axes[f"state{n}"] = axes[f"next_state{n}"] = {1: "slots"}
    buffer = io.BytesIO()
    with torch.no_grad():
        torch.onnx.export(
            _Step(model).eval(), (*chunk, *state), cast(Any, buffer), input_names=inputs, output_names=outputs,
            dynamic_axes=axes, opset_version=OPSET, dynamo=False,
        )  # fmt: skip
    graph = onnx.load_model_from_string(buffer.getvalue())
    onnx.checker.check_model(graph)
    return graph.SerializeToString()


def example(steps: int, slots: int) -> Chunk:
    """A chunk of the right shapes that reads word 1 throughout, its memory full."""
    words = torch.ones(1, steps, dtype=torch.long)
    place = torch.zeros(1, steps, slots, dtype=torch.long)
    return Chunk(
        words,
        torch.zeros_like(words),
        torch.zeros(1, steps, PARTS, dtype=torch.long),
        place,
        torch.ones(1, steps, slots, dtype=torch.bool),
        torch.zeros(1, steps, slots, ECHOES, dtype=torch.bool),
        torch.arange(slots).view(1, slots),
    )
