"""The two graphs of a language model over a set of tables, for a single context.

`encode` turns embedded tokens into LSTM states (prefill and step alike, the state goes in and comes out); `head` turns
the state at a position and the memory into ln y, alpha and ln lambda. Both have a batch dimension, here of 1.

Embeddings of names are quantised to eight bits: a number is code * scale, with a scale per name (symmetric quantisation
by row). The bundle stores the codes once, in `names.npz`; they are gathered here for the first graph and shared with
the output layer of the second. Each name is a column, which is the layout that the product of the output layer needs.

Shapes: B contexts, T steps, K slots, R echoes, V symbols, P parts of a spelling, N names of a table, e embedding, d
hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.language_model.encoder import LmArrays
from editahead.runtime.ort import Array, Cancel, GraphSession

Ids = npt.NDArray[np.integer[Any]]
FILE = "names.npz"
HIGHEST = 127  # the largest code


@dataclass(frozen=True, eq=False)
class QuantizedTable:
    """A quantised table: codes (e, N) of type int8 and scales (N,) of type float32."""

    codes: npt.NDArray[np.int8]
    scales: Floats

    @classmethod
    def of(cls, rows_NE: Floats) -> QuantizedTable:
        """Quantise `rows_NE`."""
        scales_N = (np.abs(rows_NE).max(1) / HIGHEST).astype(np.float32)
        codes_NE = np.rint(rows_NE / np.where(scales_N > 0, scales_N, 1)[:, None])
        return cls(np.ascontiguousarray(codes_NE.T.astype(np.int8)), scales_N)

    def __post_init__(self) -> None:
        """Raise ValueError where the shapes of the arrays do not match."""
        right = self.codes.ndim == 2 and self.codes.dtype == np.int8 and self.scales.shape == self.codes.shape[1:]
        if not right:
            raise ValueError(f"codes {self.codes.dtype} {self.codes.shape} with scales {self.scales.shape}")

    def rows(self, ids_T: Ids) -> Floats:
        """Return the vectors (T, e) of names. Raises IndexError for an unknown id."""
        return self.codes[:, ids_T].T * self.scales[ids_T, None]


@dataclass(frozen=True, eq=False)
class NameTables:
    """The embedding tables of a step: words, kinds of tokens (9, e), and parts of the spelling."""

    word: QuantizedTable
    part: QuantizedTable
    kind: Floats

    def embed(self, word_T: Ids, kind_T: Ids, parts_TP: Ids) -> Floats:
        """Return the embeddings x (T, e) of tokens: word, kind and spelling."""
        x_TE: Floats = self.part.rows(parts_TP.reshape(-1)).reshape(*parts_TP.shape, -1).sum(1)
        x_TE += self.word.rows(word_T)
        x_TE += self.kind[kind_T]
        return x_TE

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the tables by name, as stored in a bundle."""
        return {
            "word": self.word.codes,
            "word_scale": self.word.scales,
            "part": self.part.codes,
            "part_scale": self.part.scales,
            "kind": self.kind,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> NameTables:
        """Load the tables from `arrays`. Raises KeyError or ValueError for missing arrays or mismatched shapes."""
        word = QuantizedTable(arrays["word"], arrays["word_scale"])
        part = QuantizedTable(arrays["part"], arrays["part_scale"])
        kind = arrays["kind"].astype(np.float32)
        if not len(word.codes) == len(part.codes) == kind.shape[-1]:
            raise ValueError(f"{FILE}: tables of {len(word.codes)}, {len(part.codes)} and {kind.shape[-1]} features")
        return cls(word, part, kind)


Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
ENCODE, HEAD = "encode", "head"


class LstmState(NamedTuple):
    """What the LSTM carries from step to step: h and c, each (1, 1, d)."""

    h: Floats
    c: Floats


class EncodedBlock(NamedTuple):
    """The result of `encode` for a block: states (T, d), the last step's embedding x (1, e), the state behind it."""

    hidden: Floats
    last_x: Floats
    state: LstmState


class HeadInput(NamedTuple):
    """One position: x (1, e), state (1, d), memory (K, d), mask (K,) and echo (K, R) of its slots."""

    x: Floats
    state: Floats
    memory: Floats
    mask: Flags
    echo: Flags


class HeadOutput(NamedTuple):
    """ln y (V,), alpha (K,), ln lambda (2,)."""

    log_y: Floats
    alpha: Floats
    log_lambda: Floats


class LanguageModelGraphs:
    """Runs the graphs. Raises Cancelled, or InferenceError with a single line."""

    def __init__(self, sessions: Mapping[str, GraphSession], tables: NameTables) -> None:
        """Raises KeyError for a missing graph, and ValueError for graphs that take a single context only."""
        self._encode, self._head, self._tables = sessions[ENCODE], sessions[HEAD], tables
        if "lengths" not in self._encode.inputs:
            raise ValueError("its graphs take a single context at a time: export it again")

    def encode(self, block: LmArrays, state: LstmState, cancel: Cancel | None = None) -> EncodedBlock:
        """Read a block of 1 step or more."""
        x_TE = self._tables.embed(block.word, block.kind, block.parts)
        lengths_B = np.array([len(x_TE)], np.int32)
        feeds: dict[str, Array] = {"x": x_TE[None], "h": state.h, "c": state.c, "lengths": lengths_B}
        hidden_BTD, h_next, c_next = self._encode.run(("hidden", "h_next", "c_next"), feeds, cancel)
        return EncodedBlock(hidden_BTD[0], x_TE[-1:].copy(), LstmState(h_next, c_next))

    def head(self, at: HeadInput, cancel: Cancel | None = None) -> HeadOutput:
        """The mixture at a position."""
        feeds: dict[str, Array] = {
            "x": at.x, "state": at.state, "memory": at.memory[None], "mask": at.mask[None], "echo": at.echo[None],
        }  # fmt: skip
        log_y, alpha, log_lambda = self._head.run(("log_y", "alpha", "log_lambda"), feeds, cancel)
        return HeadOutput(log_y[0], alpha[0], log_lambda[0])
