"""A trained speller into the bundle of the language model whose states it reads: one graph of one step, one table.

Graph (N rows of the beam, M remembered pieces, A = N or 1, V pieces, d state, u hidden, k best pieces):
    speller: piece (N,), g (N,u), first (1,), state (1,d), memory (M,), before (M,), rank (M,), filled (M,),
             allowed (A,V) -> best (N,k) the highest p of allowed pieces, next (N,k) these, mass (N,) p of all
             allowed ones, g_next (N,u)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch
from editahead.encode.language_model.name_pieces import Pieces
from editahead.runtime.bundle import Bundle, load_bundle
from editahead.runtime.language_model.speller import ENCODER, GRAPH, TABLE
from editahead.runtime.manifest import thaw
from editahead.runtime.ort import select_providers
from editahead.runtime.selftest import GOLDEN, open_sessions, self_test
from torch import Tensor, nn

from editahead_models.export.bundle_writer import packed, write_bundle
from editahead_models.export.onnx_graphs import OPSET, Graph, convert, round_to_half
from editahead_models.families.speller import MAX_SCORE, Speller, SpellerConfig
from editahead_models.layers.recurrent import gru_weights

COMPARED = ("best", "mass", "g_next")  # golden outputs; the ids of near ties may differ between machines


class SpellerStep(nn.Module):
    """One step of a beam, as it is served: no logarithm, and the pointer touches the remembered pieces alone.

    Raises ValueError for a speller without a pointer. Names (N,), states (N, D), remembered pieces (M,), allowed pieces
    (N, V).
    """

    def __init__(self, model: Speller, k: int) -> None:
        super().__init__()
        if not model.config.pointer:
            raise ValueError("only a speller with a pointer can be served")
        self.model, self.k = model, k

    def forward(
        self, piece: Tensor, g: Tensor, first: Tensor, state: Tensor, memory: Tensor, before: Tensor, rank: Tensor,
        filled: Tensor, allowed: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
        """Scores of the next piece and the next state of each name that is spelled."""
        m = self.model
        table_VE = m.table()  # constant: computed when the graph is opened
        g_NU = first * torch.tanh(m.begin(state)) + (1 - first) * g
        g_NU = self.recur(table_VE[piece] + m.enter(state), g_NU)
        n_NE = torch.tanh(m.out(g_NU) + m.skip(state))
        y_NV = torch.softmax(n_NE @ table_VE.t() + m.bias, -1)
        core_M = m.core_V[memory]
        keys_MA = m.key_core(core_M) + m.key_before(m.core_V[before]) + m.key_rank(rank)
        query_NA = m.query(g_NU)
        r_NM = query_NA[:, :-1] @ keys_MA.t() * m.config.attention**-0.5 + query_NA[:, -1:]
        odds_NM = r_NM.clamp(max=MAX_SCORE).exp() * filled.to(r_NM.dtype)
        ids_MS = m.spellings_CS[core_M]
        odds_NMS = odds_NM.unsqueeze(-1) * (ids_MS >= 0).to(r_NM.dtype)
        index_NX = ids_MS.clamp_min(0).reshape(1, -1).expand(g.shape[0], -1)
        w_NV = y_NV * torch.ones_like(y_NV).scatter_add(1, index_NX, odds_NMS.flatten(1))
        p_NV = w_NV / w_NV.sum(-1, keepdim=True) * allowed.to(y_NV.dtype)
        best_NK, next_NK = torch.topk(p_NV, self.k, -1)
        return best_NK, next_NK, p_NV.sum(-1), g_NU

    def recur(self, x_NE: Tensor, g_NU: Tensor) -> Tensor:
        """One step of the GRU, as torch defines it. State (N, U)."""
        input_weight, input_bias, state_weight, state_bias = gru_weights(self.model.gru)
        x_r, x_z, x_n = nn.functional.linear(x_NE, input_weight, input_bias).chunk(3, -1)
        h_r, h_z, h_n = nn.functional.linear(g_NU, state_weight, state_bias).chunk(3, -1)
        z = torch.sigmoid(x_z + h_z)
        n = torch.tanh(x_n + torch.sigmoid(x_r + h_r) * h_n)
        return n + z * (g_NU - n)


def attach(run: Path, data: Path, bundle: Path, *, beam: int, steps: int, least: float) -> Bundle:
    """Write the speller of a run into a bundle, in place of an earlier one; its files are optional there.

    `least`: the mass of new names below which it is not asked. Raises ValueError for a run on another model's states.
    """
    into = load_bundle(bundle)
    config = json.loads((run / "config.json").read_text())
    pieces = Pieces(json.loads((run / "pieces.json").read_text()))
    model = Speller(SpellerConfig(**config["model"]), pieces.texts)
    model.load_state_dict(torch.load(run / "model.pt", weights_only=True))
    made_for = json.loads((data / "data.json").read_text())
    if made_for["encoder"] != into.manifest.files[ENCODER].sha256:
        raise ValueError(f"{run}: learnt from the states of another model than {into.manifest.name}")
    graph, golden = graph_of(model, beam)
    table = {
        "pieces": pieces.texts[1:],
        "encoder": made_for["encoder"],
        "recent": model.config.recent,
        "parts": model.config.parts,
        "hidden": model.config.hidden,
        "beam": beam,
        "steps": steps,
        "least": least,
    }
    about = {"recipe": config, "names": made_for["names"], "recipe_hash": _hash(config)}
    files = {
        f"{GRAPH}.onnx": graph,
        TABLE: json.dumps(table, separators=(",", ":")).encode(),
        GOLDEN: _golden(into, golden),
    }
    made = _with(into, files, about)
    self_test(made, open_sessions(made, select_providers("cpu")))  # raises where ONNX and torch differ
    return made


def graph_of(model: Speller, k: int) -> tuple[bytes, dict[str, npt.NDArray[Any]]]:
    """The graph with fp16 weights at rest, and its golden values. Rounds the weights of `model`."""
    model.eval()
    round_to_half(model)
    torch.manual_seed(0)
    c, V = model.config, len(model.core_V)
    N, M = 3, 7
    arguments = (
        torch.randint(1, V, (N,)), torch.tanh(torch.randn(N, c.hidden)), torch.zeros(1),
        torch.tanh(torch.randn(1, c.state)), torch.randint(0, V, (M,)), torch.randint(0, V, (M,)),
        torch.randint(0, c.recent, (M,)), torch.arange(M) < M - 1, torch.rand(N, V) < 0.5,
    )  # fmt: skip
    inputs = ["piece", "g", "first", "state", "memory", "before", "rank", "filled", "allowed"]
    outputs = ["best", "next", "mass", "g_next"]
    rows, remembered = {0: "rows"}, {0: "remembered"}
    axes = {
        **dict.fromkeys(("piece", "g", *outputs), rows),
        **dict.fromkeys(("memory", "before", "rank", "filled"), remembered),
        "allowed": {0: "masks"},
    }
    examples = dict(zip(inputs, arguments, strict=True))
    return convert(GRAPH, Graph(SpellerStep(model, k), examples, outputs, axes, golden=COMPARED, fold_constants=False))


def _golden(bundle: Bundle, more: Mapping[str, npt.NDArray[Any]]) -> bytes:
    kept = {key: value for key, value in bundle.arrays(GOLDEN).items() if key.split("/")[1] != GRAPH}
    return packed({**kept, **more})


def _with(bundle: Bundle, files: Mapping[str, bytes], about: Mapping[str, Any]) -> Bundle:
    manifest: dict[str, Any] = thaw(dict(bundle.manifest))
    manifest["graphs"] = {
        **{name: graph for name, graph in manifest["graphs"].items() if name != GRAPH},
        GRAPH: {"file": f"{GRAPH}.onnx", "opset": OPSET},
    }
    manifest["optional"] = sorted({*manifest.get("optional", ()), f"{GRAPH}.onnx", TABLE})
    manifest["speller"] = dict(about)
    for key in ("schema", "family", "language", "files"):
        manifest.pop(key, None)
    kept: dict[str, Path | bytes] = {name: bundle.read(name) for name in bundle.manifest.files}
    return write_bundle(
        bundle.path,
        family=bundle.manifest.family,
        language=bundle.manifest.language,
        files={**kept, **files},
        manifest=manifest,
    )


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
