"""What the edit model computed: encoded windows, decoder states and the scores of contents, all immutable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead.encode.edit_model.sequences import Edit, EditState
from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.window import Window

ROOM = 8  # rows that new memory has beside those in it; at least an eighth of these

Rows = npt.NDArray[Any]


class _Memory:
    """Memory for (capacity, ...) rows, of which the first `used` belong to some sequence."""

    __slots__ = ("rows", "used")

    def __init__(self, first: Rows, capacity: int) -> None:
        self.rows = np.empty((capacity, *first.shape[1:]), dtype=first.dtype)
        self.rows[: len(first)] = first
        self.used = len(first)


class RowSequence:
    """An immutable sequence of rows. Not thread-safe.

    A sequence that is extended k times keeps a single array, where k concatenations keep k of them.
    """

    __slots__ = ("_memory", "array")

    def __init__(self, array: Rows, _memory: _Memory | None = None) -> None:
        """`array`: (N, ...), not to be written to from now on."""
        self.array = array
        self._memory = _memory

    def extend(self, more: Rows) -> RowSequence:
        """Return these rows (N, ...) and `more` (M, ...) behind them. Copies `more` alone where it is the first."""
        size = len(self.array) + len(more)
        memory = self._memory
        if memory is None or memory.used != len(self.array) or size > len(memory.rows):
            memory = _Memory(self.array, size + max(ROOM, size // 8))
        memory.rows[len(self.array) : size] = more
        memory.used = size
        return RowSequence(memory.rows[:size], memory)


Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EncodedWindow:
    """An encoded initial state of n tokens."""

    window: Window
    tensors: dict[str, Floats]
    around: Ints  # [n, 5] identities of each token's neighbourhood
    lid: Ints  # [n]
    slot: Ints  # [n] class, or V + identity for unlisted tokens
    lids: dict[str, int]

    @property
    def size(self) -> int:
        """The number of initial tokens."""
        return len(self.lid)


@dataclass(frozen=True, eq=False)
class DecoderState:
    """An encoded state with some settled edits. `position` is ln P by name, stop last; None before the first edit."""

    encoded: EncodedWindow
    edits: tuple[Edit, ...]
    state: EditState
    caches: dict[str, RowSequence]
    codes: tuple[int, ...]  # contents as numbers: equal contents, equal numbers
    slots: tuple[int, ...]
    match: RowSequence  # [T, n]
    lids: dict[str, int]
    position: Floats | None = None
    change: Floats | None = None

    def key(self, name: int) -> EditToken:
        """Return the token with a name."""
        return self.encoded.window.keys[name] if name < self.encoded.size else self.state.keys[name]


@dataclass(frozen=True, slots=True)
class EditContent:
    """The content of an edit with ln P, gap included; key None deletes."""

    key: EditToken | None
    logp: float


@dataclass(frozen=True, eq=False)
class ContentScores:
    """Scores of all contents at K positions of a decoder state.

    `shares` [K, V + identities] with copies merged by token, gap features `hidden` [K, H], and texts by identity.
    """

    decoder: DecoderState
    shares: Floats
    hidden: Floats
    texts: tuple[str, ...]
