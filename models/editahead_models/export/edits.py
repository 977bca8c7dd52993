"""A trained implicit-attention model to a bundle: the graphs of `edit_graphs`, and embedding tables."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from editahead.runtime.bundle import Bundle
from torch import Tensor, nn

from editahead_models.export.edit_graphs import (
    STEP_INPUTS,
    STEP_OUTPUTS,
    WHAT_INPUTS,
    WHAT_OUTPUTS,
    Encode,
    Gap,
    Step,
    What,
)
from editahead_models.export.onnx_graphs import Graph, round_to_half, write_model
from editahead_models.families.implicit_attention import ImplicitAttention


def tables(model: ImplicitAttention) -> dict[str, npt.NDArray[np.float16]]:
    """The embedding tables, scaled to what the graphs expect, in half precision."""
    embed = model.embed
    named = {"token": embed.token, "part": embed.part, "identity": embed.identity, "gap": embed.gap}
    return {name: table.weight.detach().half().numpy() for name, table in named.items()}


def example_inputs(model: ImplicitAttention, n: int = 9, t: int = 3, k: int = 2) -> dict[str, dict[str, Tensor]]:
    """Random inputs of every graph, of small consistent sizes: for tracing and for golden values."""
    torch.manual_seed(0)
    d, replay = model.config.dim, model.position_replay.heads * model.position_replay.size
    names, edits = n + t + 1, t + 1

    def rows(count: int, width: int = d) -> Tensor:
        return torch.randn(count, width)

    step: dict[str, Tensor] = {
        "raw_row": rows(1),
        "index": torch.tensor([4]),
        "root": torch.tensor([4]),
        "start": torch.tensor([1]),
        "name": torch.tensor([4]),
        "same": torch.arange(edits).remainder(4)[None],
        "live": torch.ones(names + 1, dtype=torch.bool),
        "bins": torch.arange(names),
        "match": torch.arange(edits * n).reshape(edits, n).remainder(32),
        **{key: rows(n) for key in ("states", "read_k", "read_v", "pointer_k")},
        **{key: rows(t) for key in ("raw", "edits", "pointer_e", "edit_k", "edit_v")},
        **{key: rows(t + 1) for key in ("pos_k", "pos_v", "con_k", "con_v")},
        "replay_k": rows(t, replay),
    }
    what: dict[str, Tensor] = {
        "name": torch.tensor([2, n + 1])[:k],
        "change": rows(1),
        "same": torch.arange(t).remainder(4)[None],
        "code": torch.arange(k * t).reshape(k, t),
        "copyable": torch.ones(n, dtype=torch.bool),
        "copied": torch.ones(t, dtype=torch.bool),
        "states": rows(n),
        "copy_k": rows(n),
        "edits": rows(t),
        "copy_e": rows(t),
        "table": rows(8).repeat(model.config.vocab // 8 + 1, 1)[: model.config.vocab].t().contiguous(),
    }
    return {
        "encode": {"rows": rows(n)},
        "step": {key: step[key] for key in STEP_INPUTS},
        "what": {key: what[key] for key in WHAT_INPUTS},
        "gap": {"hidden": rows(k, 64), "row": rows(k)},
    }


AXES: dict[str, dict[str, dict[int, str]]] = {
    "encode": {"rows": {0: "N"}, **{key: {0: "N"} for key in ("states", "read_k", "read_v", "pointer_k", "copy_k")}},
    "step": {
        "same": {1: "J"},
        "live": {0: "columns"},
        "bins": {0: "names"},
        "match": {0: "J", 1: "N"},
        **{key: {0: "N"} for key in ("states", "read_k", "read_v", "pointer_k")},
        **{key: {0: "T"} for key in ("raw", "edits", "pointer_e", "edit_k", "edit_v", "replay_k")},
        **{key: {0: "times"} for key in ("pos_k", "pos_v", "con_k", "con_v")},
        "position": {1: "columns"},
    },
    "what": {
        "name": {0: "K"},
        "same": {1: "T"},
        "code": {0: "K", 1: "T"},
        "copyable": {0: "N"},
        "copied": {0: "T"},
        "states": {0: "N"},
        "copy_k": {0: "N"},
        "edits": {0: "T"},
        "copy_e": {0: "T"},
        "table_p": {0: "K"},
        "from_state": {0: "K", 1: "N"},
        "from_edits": {0: "K", 1: "T"},
        "hidden": {0: "K"},
    },
    "gap": {"hidden": {0: "K"}, "row": {0: "K"}, "gap": {0: "K"}},
}
OUTPUTS: dict[str, tuple[str, ...]] = {
    "encode": ("states", "read_k", "read_v", "pointer_k", "copy_k", "pos_k0", "pos_v0", "con_k0", "con_v0"),
    "step": STEP_OUTPUTS,
    "what": WHAT_OUTPUTS,
    "gap": ("gap",),
}


def graphs(model: ImplicitAttention) -> dict[str, Graph]:
    """The four graphs with their examples."""
    model.eval()
    modules: dict[str, nn.Module] = {
        "encode": Encode(model),
        "step": Step(model),
        "what": What(model),
        "gap": Gap(model),
    }
    return {
        name: Graph(modules[name], inputs, OUTPUTS[name], AXES[name]) for name, inputs in example_inputs(model).items()
    }


def export(
    model: ImplicitAttention,
    vocab_tokens: list[str],
    out: Path,
    *,
    version: str,
    manifest: Mapping[str, Any],
    language: str = "python-java",
) -> Bundle:
    """Write `out`/implicit-attention-LANGUAGE-VERSION; `manifest` adds recipe, data, licences, calibration, metrics."""
    round_to_half(model)
    held = io.BytesIO()
    # Not packed: half a megabyte smaller is not worth a slower start.
    np.savez(held, **cast(dict[str, Any], tables(model)))
    return write_model(
        out, "implicit-attention", language, version,
        graphs=graphs(model), vocab={"tokens": vocab_tokens}, manifest=manifest,
        files={"tables.npz": held.getvalue()},
    )  # fmt: skip
