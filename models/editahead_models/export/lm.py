"""A trained sparse pointer network to a bundle: two ONNX graphs, checked against torch, with fp16 weights at rest.

Graphs (T steps, K slots, V symbols, e embedding, d hidden):
    encode: word (1,T), kind (1,T), parts (1,T,P), h (1,1,d), c (1,1,d) -> hidden (T,d), last_x (1,e), h_next, c_next
    head:   x (1,e), state (1,d), memory (K,d), mask (K), echo (K,R) -> log_y (1,V), alpha (1,K), log_lambda (1,2)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from editahead.encode.language_model.encoder import ECHOES, PARTS
from editahead.runtime.bundle import Bundle
from editahead.runtime.ort import select_providers
from editahead.runtime.selftest import open_sessions, self_test
from editahead.syntax.language import by_id
from editahead.syntax.normalise import NORMALISER_VERSION
from torch import Tensor, nn

from editahead_models.export.onnx_graphs import Graph, round_to_half, write_model
from editahead_models.families.mixture import NEG
from editahead_models.families.spn import Spn, SpnConfig


class _Encode(nn.Module):
    def __init__(self, model: Spn) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, word: Tensor, kind: Tensor, parts: Tensor, h: Tensor, c: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        m = self.model
        x_TE = (m.word(word) + m.kind(kind) + m.part(parts).sum(2))[0]
        hidden, (h_next, c_next) = m.lstm(x_TE.unsqueeze(0), (h, c))
        return hidden[0], x_TE[-1:], h_next, c_next


class _Head(nn.Module):
    def __init__(self, model: Spn) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, x: Tensor, state: Tensor, memory: Tensor, mask: Tensor, echo: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        m = self.model
        scores_K = m.scores_of(m.key(memory), m.query(state))
        scores_K = scores_K + (echo.to(scores_K.dtype) * m.echo(state)).sum(-1)
        filled_K = mask.to(scores_K.dtype)
        alpha_K = torch.softmax(scores_K + (1 - filled_K) * NEG, -1) * filled_K
        c = alpha_K.unsqueeze(0) @ memory
        log_y = torch.log_softmax(m.logits(m.widen(state, c)), -1)
        gate = m.mix(torch.cat([state, x, c], -1))
        empty = 1 - filled_K.amax().reshape(1, 1)
        gate = gate + torch.cat([torch.zeros_like(empty), empty * NEG], -1)
        return log_y, alpha_K.unsqueeze(0), torch.log_softmax(gate, -1)


def export(
    run: Path,
    data: Path,
    out: Path,
    *,
    version: str,
    spacing: Mapping[str, bool],
    keywords: list[str],
    calibration: Mapping[str, Any] | None = None,
    metrics: Mapping[str, Any] | None = None,
    slots: int = 96,
) -> Bundle:
    """Write `out`/spn-LANGUAGE-VERSION from a run directory. `slots` is the memory length when serving."""
    config = SpnConfig(**json.loads((run / "config.json").read_text())["model"])
    recipe = json.loads((run / "config.json").read_text())["recipe"]
    manifest = json.loads((data / "data.json").read_text())
    language = str(manifest["language"])
    model = Spn(config)
    model.load_state_dict(torch.load(run / "model.pt", weights_only=True))
    model.eval()
    round_to_half(model)
    assert by_id(language) is not None
    vocab = {**json.loads((data / "vocab.json").read_text()), "spacing": dict(spacing), "keywords": keywords}
    bundle = write_model(
        out,
        "spn",
        language,
        version,
        graphs=_graphs(model),
        vocab=vocab,
        manifest={
            "flavour": manifest["flavour"],
            "normaliser_version": NORMALISER_VERSION,
            "recipe_hash": _hash({"model": config.to_json(), "recipe": recipe}),
            "recipe": {"model": config.to_json(), "training": recipe},
            "data_hash": manifest["data_hash"],
            "licences": [
                {"project": p["name"], "commit": p["commit"], "licence": p["licence"], "tokens": p["tokens"]}
                for p in manifest["projects"]
                if p["split"] == "train"
            ],
            "limits": {
                "slots": slots,
                "memory": config.memory,
                "hidden": config.hidden,
                "embedding": config.embedding,
                "typed": True,
            },
            "calibration": dict(calibration or {}),
            "metrics": dict(metrics or {}),
        },
    )
    self_test(bundle, open_sessions(bundle, select_providers("cpu")))  # raises where ONNX and torch differ
    return bundle


def _graphs(model: Spn) -> dict[str, Graph]:
    torch.manual_seed(0)
    d, e, V = model.config.hidden, model.config.embedding, model.config.vocab
    T, K = 12, 5
    encode = {
        "word": torch.randint(0, V, (1, T)),
        "kind": torch.randint(0, 9, (1, T)),
        "parts": torch.randint(0, 6144, (1, T, PARTS)),
        "h": torch.randn(1, 1, d) * 0.1,
        "c": torch.randn(1, 1, d) * 0.1,
    }
    head = {
        "x": torch.randn(1, e) * 0.1,
        "state": torch.tanh(torch.randn(1, d)),
        "memory": torch.tanh(torch.randn(K, d)),
        "mask": torch.arange(K) < K - 1,
        "echo": torch.rand(K, ECHOES) < 0.4,
    }
    steps, slots = {1: "steps"}, {0: "slots"}
    read_axes = {"word": steps, "kind": steps, "parts": steps, "hidden": {0: "steps"}}
    asked_axes = {"memory": slots, "mask": slots, "echo": slots, "alpha": {1: "slots"}}
    return {
        "encode": Graph(_Encode(model), encode, ("hidden", "last_x", "h_next", "c_next"), read_axes),
        "head": Graph(_Head(model), head, ("log_y", "alpha", "log_lambda"), asked_axes),
    }


def _hash(value: object) -> str:
    import hashlib

    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
