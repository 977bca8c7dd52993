"""A trained span-copying model as a bundle: one graph that reads a region, one that takes a step for each ray.

Graphs (n input tokens with both sentinels, R rays, V symbols that can be written, H encoder, D decoder):
    encode: tokens (n,) int64 -> memory (n,H), keys (n,D), copy_keys (n,D), first (n,D), last (n,D), state (1,D)
    step:   token (R,) int64, state (R,D), and the five tensors of `encode` -> gen (R,V), left (R,n), right (R,n) raw
            scores, state_next (R,D)
A token is one of `editahead.encode.region_tokens`; its number is that of `SpanVocabulary.input_id`.
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
from editahead.encode.span_vocab import SpanVocabulary
from editahead.runtime.bundle import Bundle, write_bundle
from torch import Tensor, nn

from editahead_models.copyspan.model import CopySpan
from editahead_models.export.lm import OPSET, with_half_weights

FAMILY = "copyspan"
TOLERANCE = 2e-3
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
    """One input, without a batch."""

    def __init__(self, model: CopySpan) -> None:
        super().__init__()
        self.model = model

    def forward(self, tokens_N: Tensor) -> tuple[Tensor, ...]:
        m = self.model
        r_1NH, final_LBh = m.encoder(m.embed(tokens_N)[None])
        valid_1N = torch.ones_like(tokens_N, dtype=torch.bool)[None]
        encoded = m.prepared(r_1NH, final_LBh, valid_1N, None)
        rows = (encoded.r_BNH, encoded.keys_BND, encoded.copy_keys_BND, encoded.first_BND, encoded.last_BND)
        return (*(row[0] for row in rows), encoded.state_BD)


class StepGraph(nn.Module):
    """One token read by every ray, all over the same input."""

    def __init__(self, model: CopySpan) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, token_R: Tensor, state_RD: Tensor, memory_NH: Tensor, keys_ND: Tensor, copy_keys_ND: Tensor,
        first_ND: Tensor, last_ND: Tensor,
    ) -> tuple[Tensor, ...]:  # fmt: skip
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
    x_r, x_z, x_n = nn.functional.linear(x_RE, gru.weight_ih_l0, gru.bias_ih_l0).chunk(3, -1)
    h_r, h_z, h_n = nn.functional.linear(h_RD, gru.weight_hh_l0, gru.bias_hh_l0).chunk(3, -1)
    update = torch.sigmoid(x_z + h_z)
    new = torch.tanh(x_n + torch.sigmoid(x_r + h_r) * h_n)
    return new + update * (h_RD - new)


def graphs(model: CopySpan) -> tuple[dict[str, bytes], bytes]:
    """Both graphs with their weights in half precision, and the packed golden values. Rounds the weights of `model`.
    Raises ValueError for a model that reads an edit vector or copies single tokens."""
    if model.config.edit or model.config.single:
        raise ValueError("a model that reads an edit vector or copies single tokens cannot be exported")
    model.eval()
    with torch.no_grad():  # what ships is what is measured
        for parameter in model.parameters():
            parameter.copy_(parameter.half().float())
    torch.manual_seed(0)
    encode, step = EncodeGraph(model).eval(), StepGraph(model).eval()
    tokens = torch.randint(1, model.config.vocab, (7,))
    with torch.no_grad():
        encoded = encode(tokens)
    token = torch.randint(1, model.config.vocab, (3,))
    arguments = {"encode": (tokens,), "step": (token, torch.tanh(torch.randn(3, model.config.decoder)), *encoded[:-1])}
    made: dict[str, bytes] = {}
    golden: dict[str, np.ndarray] = {}
    for name, module in (("encode", encode), ("step", step)):
        buffer = io.BytesIO()
        with torch.no_grad():
            torch.onnx.export(
                module, arguments[name], buffer, input_names=list(INPUTS[name]), output_names=list(OUTPUTS[name]),
                dynamic_axes=AXES[name], opset_version=OPSET, dynamo=False,
            )  # fmt: skip
            results = module(*arguments[name])
        made[name] = with_half_weights(onnx.load_model_from_string(buffer.getvalue())).SerializeToString()
        golden |= {f"in/{name}/{key}": value.numpy() for key, value in zip(INPUTS[name], arguments[name], strict=True)}
        golden |= {f"out/{name}/{key}": value.numpy() for key, value in zip(OUTPUTS[name], results, strict=True)}
    packed = io.BytesIO()
    np.savez_compressed(packed, **golden)
    return made, packed.getvalue()


def export(
    model: CopySpan,
    vocabulary: SpanVocabulary,
    out: Path,
    *,
    language: str,
    version: str,
    manifest: Mapping[str, Any],
) -> Bundle:
    """Write `out`/copyspan-LANGUAGE-VERSION; `manifest` adds limits, recipe, data, licences, calibration, metrics."""
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
