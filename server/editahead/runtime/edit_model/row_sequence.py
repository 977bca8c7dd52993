"""Rows that are appended while earlier states stay readable: the states share their memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

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
