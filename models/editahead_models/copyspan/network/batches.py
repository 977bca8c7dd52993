"""Pairs of token sequences to padded tensors, with the list of the actions that write each target.

B sequences, N input positions (sentinels included), M target positions (end symbol included), P actions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from editahead.encode.span_copying.tokens import END, PAD, SPECIAL, START, UNK, SpanVocabulary
from torch import Tensor

from editahead_models.copyspan.network.alignment import correct_actions, surface_ids

Tokens = tuple[str, ...]


class Pair(NamedTuple):
    """An input and its target, as surface tokens without sentinels."""

    source: Tokens
    target: Tokens


class Batch(NamedTuple):
    """Tensors of a batch.

    `shifted` is what the decoder reads (`<s>` first), `written` the ids it should write; actions as in
    `alignment.Actions`, the generations of targets behind the spans (`length` 1, `start` -1).
    """

    source_BN: Tensor
    source_lengths_B: Tensor
    shifted_BM: Tensor
    written_BM: Tensor
    target_lengths_B: Tensor
    row_P: Tensor
    at_P: Tensor
    start_P: Tensor
    length_P: Tensor
    extra: object = None


def _padded(rows: Sequence[np.ndarray], fill: int) -> np.ndarray:
    out = np.full((len(rows), max(map(len, rows))), fill, np.int64)
    for at, row in enumerate(rows):
        out[at, : len(row)] = row
    return out


def make_batch(pairs: Sequence[Pair], vocabulary: SpanVocabulary, kind: str = "all") -> Batch:
    """Tensors of some pairs; `kind` of correct spans as in `alignment.correct_actions`."""
    start, end = SPECIAL[START], SPECIAL[END]
    sources = [(start, *pair.source, end) for pair in pairs]
    targets = [(*pair.target, end) for pair in pairs]
    surface_in, surface_out = surface_ids(sources, targets)
    written = [np.array([*map(vocabulary.output_id, pair.target), END], np.int64) for pair in pairs]
    written_BM = _padded(written, PAD)
    actions = correct_actions(_padded(surface_in, -2), _padded(surface_out, -1), written_BM != UNK, kind)
    row, at = np.nonzero(actions.generate)
    ones = np.ones_like(row)
    tensors = (
        _padded([vocabulary.wrap(pair.source) for pair in pairs], PAD),
        np.array([len(source) for source in sources]),
        _padded([vocabulary.wrap(pair.target)[:-1] for pair in pairs], PAD),
        written_BM,
        np.array([len(target) for target in targets]),
        np.concatenate([actions.row, row]),
        np.concatenate([actions.at, at]),
        np.concatenate([actions.start, -ones]),
        np.concatenate([actions.length, ones]),
    )
    return Batch(*(torch.from_numpy(array) for array in tensors))


def batches(pairs: Sequence[Pair], size: int, rng: random.Random | None = None) -> Iterator[list[int]]:
    """Indices of batches of pairs of about the same length; in random order, and mixed a little, with `rng`."""
    noise = [rng.random() * 6 if rng else 0.0 for _ in pairs]
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i].source) + len(pairs[i].target) + noise[i])
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    if rng is not None:
        rng.shuffle(groups)
    return iter(groups)
