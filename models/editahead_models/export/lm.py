"""A trained sparse pointer network to a bundle: tables of names and two ONNX graphs, checked against torch.

Graphs (B contexts, T steps, K slots, R echoes, V symbols, e embedding, d hidden):
    encode: x (B,T,e), h (1,B,d), c (1,B,d), lengths (B) -> hidden (B,T,d), h_next, c_next behind each length
    head:   x (B,e), state (B,d), memory (B,K,d), mask (B,K), echo (B,K,R) -> log_y (B,V), alpha (B,K), log_lambda (B,2)

Tables have eight bits a number (`editahead.runtime.language_model.graphs`) and stand outside the graphs; other
weights are fp16 at rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from editahead.encode.language_model.encoder import ECHOES
from editahead.runtime.bundle import Bundle
from editahead.runtime.language_model.graphs import ENCODE, FILE, HEAD, NameTables, QuantizedTable
from editahead.runtime.ort import select_providers
from editahead.runtime.selftest import open_sessions, self_test
from editahead.syntax.normalise import NORMALISER_VERSION
from onnx import TensorProto, helper
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from editahead_models.data.corpus.source_files import languages_of_model
from editahead_models.export.bundle_writer import packed
from editahead_models.export.integer_products import CODES, STEPS, integer_output_layer
from editahead_models.export.onnx_graphs import Graph, round_to_half, write_model
from editahead_models.families.mixture import NEG
from editahead_models.families.spn import Spn, SpnConfig


class _Encode(nn.Module):
    def __init__(self, model: Spn) -> None:
        super().__init__()
        self.lstm = model.lstm

    def forward(self, x: Tensor, h: Tensor, c: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        if torch.onnx.is_in_onnx_export():  # `with_lengths` gives them to the operator
            hidden, (h_next, c_next) = self.lstm(x, (h, c))
            return hidden, h_next, c_next
        rows = pack_padded_sequence(x, lengths.long(), batch_first=True, enforce_sorted=False)
        hidden, (h_next, c_next) = self.lstm(rows, (h, c))
        return pad_packed_sequence(hidden, batch_first=True, total_length=x.shape[1])[0], h_next, c_next


def with_lengths(model: onnx.ModelProto) -> None:
    """Let the LSTM stop at the length of each row: its fifth input, which torch leaves empty."""
    graph = model.graph
    node = next(node for node in graph.node if node.op_type == "LSTM")
    node.input[4] = "lengths"
    if all(value.name != "lengths" for value in graph.input):
        graph.input.append(helper.make_tensor_value_info("lengths", TensorProto.INT32, ["batch"]))


class _Head(nn.Module):
    """The head; for the exporter it ends before the output layer, which `integer_output_layer` adds."""

    def __init__(self, model: Spn) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, x: Tensor, state: Tensor, memory: Tensor, mask: Tensor, echo: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        m = self.model
        scores_BK = m.scores_of(m.key(memory), m.query(state).unsqueeze(1))
        scores_BK = scores_BK + (echo.to(scores_BK.dtype) * m.echo(state).unsqueeze(1)).sum(-1)
        filled_BK = mask.to(scores_BK.dtype)
        alpha_BK = torch.softmax(scores_BK + (1 - filled_BK) * NEG, -1) * filled_BK
        c = (alpha_BK.unsqueeze(1) @ memory).squeeze(1)
        gate = m.mix(torch.cat([state, x, c], -1))
        empty = 1 - filled_BK.amax(-1, keepdim=True)
        gate = gate + torch.cat([torch.zeros_like(empty), empty * NEG], -1)
        n = m.widen(state, c)
        if not torch.onnx.is_in_onnx_export():
            n = torch.log_softmax(m.logits(torch.round(n * STEPS) / STEPS), -1)
        return n, alpha_BK, torch.log_softmax(gate, -1)


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
    """Write `out`/spn-LANGUAGE-VERSION from a run directory. `slots` is the memory length when serving.

    ValueError for a model without a tied softmax or spelling: only the served shape has tables of its own.
    """
    config = SpnConfig(**json.loads((run / "config.json").read_text())["model"])
    recipe = json.loads((run / "config.json").read_text())["recipe"]
    manifest = json.loads((data / "data.json").read_text())
    language = str(manifest["language"])
    model = Spn(config)
    model.load_state_dict(torch.load(run / "model.pt", weights_only=True))
    model.eval()
    tables = round_as_served(model)
    languages = [one.id for one in languages_of_model(language)]
    known = cut_vocabulary(json.loads((data / "vocab.json").read_text()), recipe.get("vocabulary"))
    vocab = {**known, "spacing": dict(spacing), "keywords": keywords}
    bundle = write_model(
        out,
        "spn",
        language,
        version,
        graphs=_graphs(model, tables),
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
                **({"languages": languages} if languages != [language] else {}),
            },
            "calibration": dict(calibration or {}),
            "metrics": dict(metrics or {}),
        },
        files={FILE: packed(tables.arrays())},
    )
    self_test(bundle, open_sessions(bundle, select_providers("cpu")))  # raises where ONNX and torch differ
    return bundle


def cut_vocabulary(vocab: Mapping[str, Any], size: int | None) -> dict[str, Any]:
    """The vocabulary of a run that saw only its `size` most frequent symbols; all of it for None."""
    return {key: value[:size] if isinstance(value, list) else value for key, value in vocab.items()}


def round_as_served(model: Spn) -> NameTables:
    """Give the model the weights that ship, tables of eight bits and fp16 elsewhere; the tables. Raises ValueError."""
    if not (model.config.tied and model.config.spelling and model.config.echo and model.config.mask_empty):
        raise ValueError("only a network with a tied softmax, spelling, echo and masked empty slots can be served")
    round_to_half(model)
    with torch.no_grad():
        word, part = (QuantizedTable.of(table.weight.numpy()) for table in (model.word, model.part))
        for table, kept in ((model.word, word), (model.part, part)):
            table.weight.copy_(torch.from_numpy(kept.rows(np.arange(len(kept.scales)))))
    return NameTables(word, part, model.kind.weight.detach().numpy().astype(np.float16).astype(np.float32))


def _graphs(model: Spn, tables: NameTables) -> dict[str, Graph]:
    torch.manual_seed(0)
    d, e = model.config.hidden, model.config.embedding
    B, T, K = 2, 12, 5  # the golden rows differ in length
    encode = {
        "x": torch.randn(B, T, e) * 0.1,
        "h": torch.randn(1, B, d) * 0.1,
        "c": torch.randn(1, B, d) * 0.1,
        "lengths": torch.tensor([T, T - 5], dtype=torch.int32),
    }
    head = {
        "x": torch.randn(B, e) * 0.1,
        "state": torch.tanh(torch.randn(B, d)),
        "memory": torch.tanh(torch.randn(B, K, d)),
        "mask": torch.arange(K) < torch.tensor([[K - 1], [2]]),
        "echo": torch.rand(B, K, ECHOES) < 0.4,
    }
    batch, slots = {0: "batch"}, {0: "batch", 1: "slots"}
    read, carried = {0: "batch", 1: "steps"}, {1: "batch"}
    read_axes = {
        "x": read, "h": carried, "c": carried, "lengths": batch, "hidden": read, "h_next": carried, "c_next": carried,
    }  # fmt: skip
    asked_axes = {
        "x": batch, "state": batch, "memory": slots, "mask": slots, "echo": slots,
        "log_y": batch, "alpha": slots, "log_lambda": batch,
    }  # fmt: skip
    return {
        ENCODE: Graph(_Encode(model), encode, ("hidden", "h_next", "c_next"), read_axes, finish=with_lengths),
        HEAD: Graph(
            _Head(model), head, ("log_y", "alpha", "log_lambda"), asked_axes,
            finish=integer_output_layer("log_y", tables.word, model.bias.detach().numpy()),
            shared={CODES: f"{FILE}:word"},
        ),
    }  # fmt: skip


def _hash(value: object) -> str:
    import hashlib

    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
