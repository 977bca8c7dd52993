"""A trained span-copying model as a bundle: one graph that reads a region, one that takes a step for each ray.

Graphs (n input tokens with both sentinels, R hypotheses, V symbols that can be written, H encoder, D decoder):
    encode: tokens (n,) int64 -> memory (n,H), keys (n,D), copy_keys (n,D), first (n,D), last (n,D), state (1,D)
    step:   token (R,) int64, state (R,D), and the five tensors of `encode` -> gen (R,V), left (R,n), right (R,n) raw
            scores, state_next (R,D)
A token is one of `editahead.encode.span_copying.tokens`; its number is that of `SpanVocabulary.input_id`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from editahead.runtime.bundle import Bundle
from torch import Tensor, nn

from editahead_models.copyspan.network.model import CopySpan
from editahead_models.export.onnx_graphs import Graph, round_to_half, write_model
from editahead_models.layers.recurrent import gru_weights

FAMILY = "copyspan"
MEMORY = ("memory", "keys", "copy_keys", "first", "last")
INPUTS = {"encode": ("tokens",), "step": ("token", "state", *MEMORY)}
OUTPUTS = {"encode": (*MEMORY, "state"), "step": ("gen", "left", "right", "state_next")}
AXES: dict[str, dict[str, dict[int, str]]] = {
    "encode": {"tokens": {0: "n"}, **{name: {0: "n"} for name in MEMORY}},
    "step": {
        **{name: {0: "R"} for name in ("token", "state", "gen", "state_next")},
        **{name: {0: "n"} for name in MEMORY},
        **{name: {0: "R", 1: "n"} for name in ("left", "right")},
    },
}


class EncodeGraph(nn.Module):
    """One input, without a batch. Tokens (N,)."""

    def __init__(self, model: CopySpan) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens_N: Tensor) -> tuple[Tensor, ...]:
        """The encoder's memory, keys and start state of one input of N tokens."""
        m = self.model
        r_1NH, final_LBh = m.encoder(m.embed(tokens_N)[None])
        valid_1N = torch.ones_like(tokens_N, dtype=torch.bool)[None]
        encoded = m.prepared(r_1NH, final_LBh, valid_1N, None)
        rows = (encoded.r_BNH, encoded.keys_BND, encoded.copy_keys_BND, encoded.first_BND, encoded.last_BND)
        return (*(row[0] for row in rows), encoded.state_BD)


class StepGraph(nn.Module):
    """One token read by every hypothesis, all over the same input.

    Hypotheses R over N input tokens: states (R, D), memory (N, H).
    """

    def __init__(self, model: CopySpan) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, token_R: Tensor, state_RD: Tensor, memory_NH: Tensor, keys_ND: Tensor, copy_keys_ND: Tensor,
        first_ND: Tensor, last_ND: Tensor,
    ) -> tuple[Tensor, ...]:  # fmt: skip
        """Scores and next states of R hypotheses after one action."""
        m = self.model
        h_RD = _recur(m.decoder, m.embed(token_R), state_RD)
        a_RD = torch.tanh(m.combine(_attended(h_RD, keys_ND, memory_NH)))
        gen_RV = m.write(a_RD) @ m.embed.weight[: m.config.vocab].t() + m.bias
        b_RD = torch.tanh(m.copy_combine(_attended(h_RD, copy_keys_ND, memory_NH)))
        return gen_RV, b_RD @ first_ND.t(), b_RD @ last_ND.t(), h_RD


def _attended(h_RD: Tensor, keys_ND: Tensor, memory_NH: Tensor) -> Tensor:
    return torch.cat([torch.softmax(h_RD @ keys_ND.t(), -1) @ memory_NH, h_RD], -1)


def _recur(gru: nn.GRU, x_RE: Tensor, h_RD: Tensor) -> Tensor:
    """One step of the recurrent unit, as torch defines it."""
    input_weight, input_bias, state_weight, state_bias = gru_weights(gru)
    x_r, x_z, x_n = nn.functional.linear(x_RE, input_weight, input_bias).chunk(3, -1)
    h_r, h_z, h_n = nn.functional.linear(h_RD, state_weight, state_bias).chunk(3, -1)
    update = torch.sigmoid(x_z + h_z)
    new = torch.tanh(x_n + torch.sigmoid(x_r + h_r) * h_n)
    return new + update * (h_RD - new)


def graphs(model: CopySpan) -> dict[str, Graph]:
    """Both graphs with their examples. ValueError for a model that reads an edit vector or copies single tokens."""
    if model.config.edit or model.config.single:
        raise ValueError("a model that reads an edit vector or copies single tokens cannot be exported")
    model.eval()
    torch.manual_seed(0)
    encode, step = EncodeGraph(model).eval(), StepGraph(model).eval()
    tokens = torch.randint(1, model.config.vocab, (7,))
    with torch.no_grad():
        encoded = encode(tokens)
    token = torch.randint(1, model.config.vocab, (3,))
    examples = {"encode": (tokens,), "step": (token, torch.tanh(torch.randn(3, model.config.decoder)), *encoded[:-1])}
    modules: dict[str, nn.Module] = {"encode": encode, "step": step}
    return {
        name: Graph(modules[name], dict(zip(INPUTS[name], values, strict=True)), OUTPUTS[name], AXES[name])
        for name, values in examples.items()
    }


def export(
    model: CopySpan,
    vocabulary: SpanVocabulary,
    out: Path,
    *,
    language: str,
    version: str,
    manifest: Mapping[str, Any],
) -> Bundle:
    """Write `out`/copyspan-LANGUAGE-VERSION; `manifest` adds limits, recipe, data, licences, calibration, metrics.

    Rounds the weights of `model`. ValueError for one that cannot be served.
    """
    round_to_half(model)
    vocab = vocabulary.to_json()
    return write_model(out, FAMILY, language, version, graphs=graphs(model), vocab=vocab, manifest=manifest)
