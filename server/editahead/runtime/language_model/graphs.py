"""The two graphs of a language model over a set of tables, for a single context or for a batch.

`encode` turns embedded tokens into LSTM states (prefill and step alike, the state goes in and comes out); `head` turns
the state at a position and the memory into ln y, alpha and ln lambda. Rows of a batch may differ in length: shorter
rows are padded, and each gets the state behind its own last step.

Shapes: B contexts, T steps, K slots, R echoes, V symbols, e embedding, d hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.encode.language_model.encoder import LmArrays
from editahead.runtime.language_model.name_tables import NameTables
from editahead.runtime.ort import Array, Cancel, GraphSession

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
        """Read a block of a context."""
        return self.encode_all([block], [state], cancel)[0]

    def encode_all(
        self, blocks: Sequence[LmArrays], states: Sequence[LstmState], cancel: Cancel | None = None
    ) -> list[EncodedBlock]:
        """Read a block of each context (B of them, each of 1 step or more) in a single run."""
        rows = [self._tables.embed(block.word, block.kind, block.parts) for block in blocks]
        lengths_B = np.array([len(row) for row in rows], np.int32)
        x_BTE = _pad(rows)
        h_1BD, c_1BD = (np.concatenate([state[at] for state in states], 1) for at in (0, 1))
        feeds: dict[str, Array] = {"x": x_BTE, "h": h_1BD, "c": c_1BD, "lengths": lengths_B}
        hidden_BTD, h_next, c_next = self._encode.run(("hidden", "h_next", "c_next"), feeds, cancel)
        return [
            EncodedBlock(hidden_BTD[b, :n], rows[b][-1:].copy(), LstmState(h_next[:, b : b + 1], c_next[:, b : b + 1]))
            for b, n in enumerate(lengths_B.tolist())
        ]

    def head(self, at: HeadInput, cancel: Cancel | None = None) -> HeadOutput:
        """The mixture at a position."""
        return self.head_all([at], cancel)[0]

    def head_all(self, places: Sequence[HeadInput], cancel: Cancel | None = None) -> list[HeadOutput]:
        """The mixtures at a position of each context, in a single run."""
        feeds: dict[str, Array] = {
            "x": np.concatenate([at.x for at in places]),
            "state": np.concatenate([at.state for at in places]),
            "memory": _pad([at.memory for at in places]),
            "mask": _pad([at.mask for at in places]),
            "echo": _pad([at.echo for at in places]),
        }
        log_y, alpha, log_lambda = self._head.run(("log_y", "alpha", "log_lambda"), feeds, cancel)
        return [HeadOutput(log_y[b], alpha[b, : len(at.mask)], log_lambda[b]) for b, at in enumerate(places)]


def _pad(rows: Sequence[Array]) -> Array:
    """Rows (N_b, ...) as an array (B, max N_b, ...) with zeros behind the shorter rows."""
    if len(rows) == 1:
        return rows[0][None]
    width = max(map(len, rows))
    array = np.zeros((len(rows), width, *rows[0].shape[1:]), rows[0].dtype)
    for padded, row in zip(array, rows, strict=True):
        padded[: len(row)] = row
    return array
