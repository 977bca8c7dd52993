"""Tables of name embeddings, quantised to eight bits and shared by all graphs of a language model.

Shapes: T steps, P parts of a spelling, N names of a table, e embedding.

A number is code * scale, with a scale per name (symmetric quantisation by row). The bundle stores the codes once, in
`names.npz`; they are gathered here for the first graph and shared with the output layer of the second. Each name is a
column, which is the layout that the product of the output layer needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
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
