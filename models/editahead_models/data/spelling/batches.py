"""Examples of a speller as batches: the pieces of each name, and of the names that the file used last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from editahead.encode.language_model.name_pieces import END, Pieces
from torch import Tensor

from editahead_models.data.spelling.spellings import Spellings
from editahead_models.families.speller import Memory

MAX_PIECES = 11  # of a name to learn, without the end; longer ones are 1 in 1000


@dataclass(frozen=True)
class SpellerBatch:
    """B names. `real` (B, T) marks the pieces with the end; `rows` are the examples' numbers."""

    state_BD: Tensor
    target_BT: Tensor
    real_BT: Tensor
    memory: Memory
    rows_B: npt.NDArray[np.int64]


class PieceTable:
    """The pieces of every name, once: (names, MAX_PIECES + 1) padded with END, and how many are real, end included."""

    def __init__(self, names: Sequence[str], pieces: Pieces) -> None:
        self.piece = np.full((len(names), MAX_PIECES + 1), END, np.int16)
        self.length = np.zeros(len(names), np.int16)
        for row, name in enumerate(names):
            split = pieces.split(name)
            if 0 < len(split) <= MAX_PIECES:
                self.piece[row, : len(split)] = split
                self.length[row] = len(split) + 1
        self.count = len(pieces)

    def frequencies(self, names: npt.NDArray[np.int32]) -> Tensor:
        """The share of each piece (V,) in names, the end among them, every piece imagined once more than seen."""
        real = np.arange(MAX_PIECES + 1)[None] < self.length[names][:, None]
        counts = np.bincount(self.piece[names][real], minlength=self.count) + 1.0
        return torch.from_numpy(counts / counts.sum()).float()


def usable(examples: Spellings, table: PieceTable) -> npt.NDArray[np.int64]:
    """Numbers of the examples whose name can be spelled. Numbers (N,)."""
    return np.flatnonzero(table.length[examples.name])


def batch_of(
    examples: Spellings, rows: npt.NDArray[np.int64], table: PieceTable, recent: int, parts: int
) -> SpellerBatch:
    """The batch of some examples. `rows` is (B,)."""
    name = examples.name[rows]
    longest = int(table.length[name].max())
    target = table.piece[name][:, :longest].astype(np.int64)
    real = np.arange(longest)[None] < table.length[name][:, None]
    return SpellerBatch(
        torch.from_numpy(examples.state[rows].astype(np.float32)),
        torch.from_numpy(target),
        torch.from_numpy(real),
        memory_of(examples.recent[rows, :recent], table, parts),
        rows,
    )


def memory_of(recent: npt.NDArray[np.int32], table: PieceTable, parts: int) -> Memory:
    """Memory from (B, R) numbers of names, newest first, -1 for none: at most `parts` pieces of each, and its end."""
    B, R = recent.shape
    piece = table.piece[recent.clip(0)][:, :, : parts + 1].astype(np.int64)  # (B, R, parts + 1)
    before = np.concatenate([np.full((B, R, 1), END), piece[:, :, :-1]], 2)
    length = np.where(recent >= 0, table.length[recent.clip(0)], 0)
    filled = np.arange(parts + 1)[None, None] < length[:, :, None]
    rank = np.broadcast_to(np.arange(R)[None, :, None], piece.shape)
    order = np.argsort(~filled.reshape(B, -1), 1, kind="stable")[:, : max(1, int(filled.sum((1, 2)).max()))]
    columns = [np.take_along_axis(x.reshape(B, -1), order, 1) for x in (piece, before, rank, filled)]
    return Memory(*(torch.from_numpy(column) for column in columns))


def batches(
    examples: Spellings, rows: npt.NDArray[np.int64], table: PieceTable, *, size: int, recent: int, parts: int,
    seed: int | None,
) -> Iterator[SpellerBatch]:  # fmt: skip
    """All rows once, in an order drawn from `seed`, or as they stand. `rows` is (N,)."""
    order = rows if seed is None else np.random.default_rng(seed).permutation(rows)
    for first in range(0, len(order), size):
        yield batch_of(examples, order[first : first + size], table, recent, parts)
