"""The two graphs of a language model over a set of tables, for a single context.

`encode` turns embedded tokens into LSTM states (prefill and step alike, the state goes in and comes out); `head` turns
the state at a position and the memory into ln y, alpha and ln lambda. Both have a batch dimension, here of 1.

Shapes: B contexts, T steps, K slots, R echoes, V symbols, e embedding, d hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
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
