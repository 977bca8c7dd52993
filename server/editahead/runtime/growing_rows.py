"""Rows that are appended one by one to an array whose earlier states stay readable, in memory that the states share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

ROOM = 16  # rows of a new array beside those that it begins with; at least an eighth of these

Rows = npt.NDArray[Any]


class _Shared(np.ndarray[Any, np.dtype[Any]]):
    """Memory for more rows than are in use. `used`: how many rows some state has."""

    used: int


def append_rows(rows: Rows, more: Rows) -> Rows:
    """Return rows (n, ...) and more (m, ...) as one array (n + m, ...), as `np.concatenate` does.

    Neither argument changes. Where `rows` came from here and nothing was appended to it before, only `more` is copied.
    Arrays that share their memory must not be written to. For one thread at a time.
    """
    size = len(rows) + len(more)
    shared = rows.base
    if not (isinstance(shared, _Shared) and shared.used == len(rows) and size <= len(shared)):
        shared = np.empty((size + max(ROOM, size // 8), *rows.shape[1:]), dtype=rows.dtype).view(_Shared)
        shared[: len(rows)] = rows
    shared[len(rows) : size] = more
    shared.used = size
    return shared[:size].view(np.ndarray)
