"""Which actions are correct: the common runs of an input and its target, and the list of actions that they allow.

B sequences, N input positions (sentinels included), M target positions (end symbol included), P actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
KINDS = ("all", "single", "longest")


class Actions(NamedTuple):
    """Correct actions of a batch as flat lists of length P, and which generations are allowed.

    Span p of sequence `row[p]` begins at target position `at[p]`, copies `length[p]` tokens from input position
    `start[p]`. `generate` (B, M) says whether writing the target token is correct.
    """

    row: Ints
    at: Ints
    start: Ints
    length: Ints
    generate: npt.NDArray[np.bool_]


def common_runs(source: Ints, target: Ints) -> Ints:
    """ell (B, M, N): the longest run that target[k:] and source[i:] begin with in common (spec: equal surface ids).

    Ids below 0 are padding and equal nothing.
    """
    B, N = source.shape
    M = target.shape[1]
    ell = np.zeros((B, M + 1, N + 1), np.int64)
    same = (target[:, :, None] == source[:, None, :]) & (target >= 0)[:, :, None]
    for k in range(M - 1, -1, -1):
        ell[:, k, :-1] = np.where(same[:, k], ell[:, k + 1, 1:] + 1, 0)
    return ell[:, :M, :N]


def correct_actions(source: Ints, target: Ints, known: npt.NDArray[np.bool_], kind: str = "all") -> Actions:
    """The correct actions of a batch of surface ids (B, N) and (B, M), padded with -1.

    `known` (B, M): the target token is in the vocabulary. An unknown one may be generated, as UNK, only where no input
    token equals it. `kind`: "all" spans, spans of one token ("single"), or at each place only the first of the
    longest ("longest"). Raises ValueError for another kind.
    """
    if kind not in KINDS:
        raise ValueError(f"spans must be one of {', '.join(KINDS)}, found {kind!r}")
    ell = common_runs(source, target)
    copyable = ell.any(-1)
    generate = (target >= 0) & (known | ~copyable)
    if kind == "longest":
        first = ell.argmax(-1)
        row, at = np.nonzero(copyable)
        start = first[row, at]
        return Actions(row, at, start, ell[row, at, start], generate)
    row, at, start = np.nonzero(ell)
    longest = ell[row, at, start]
    if kind == "single":
        return Actions(row, at, start, np.ones_like(longest), generate)
    again = np.repeat(np.arange(len(row)), longest)
    length = np.arange(len(again)) - np.repeat(np.cumsum(longest) - longest, longest) + 1
    return Actions(row[again], at[again], start[again], length, generate)


def surface_ids(*sequences: Sequence[Sequence[str]]) -> list[list[Ints]]:
    """Numbers for texts, equal where the texts are; shared by all the given lists of sequences. A row is (N,)."""
    table: dict[str, int] = {}
    return [
        [np.array([table.setdefault(token, len(table)) for token in row], np.int64) for row in rows]
        for rows in sequences
    ]
