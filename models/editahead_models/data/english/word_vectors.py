"""Word vectors to start an embedding from: skip-gram with negative sampling (Mikolov et al. 2013).

Shapes: V words, D dimensions, P pairs of a batch, N negative words that the pairs of a batch share.

    maximise  ln s(v_c . u_o) + n * mean over negatives k of ln s(-v_c . u_k),   s the logistic function

Two liberties make one core enough: a batch shares its negatives, so that they are one matrix product, and each row
keeps its own step size (Adagrad with one accumulator a row), so that frequent words may occur many times in a batch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

Ids = npt.NDArray[np.int64]
PAIRS = 8192  # P
SHARED = 64  # N
BLOCK = 1 << 18  # tokens whose pairs are shuffled together


@dataclass(frozen=True)
class WordVectors:
    """Vectors (V, D), zero where `found` (V,) is False; `counts` (V,) of the texts they were made for."""

    vectors: npt.NDArray[np.float32]
    found: npt.NDArray[np.bool_]
    counts: Ids

    def filled(self, seed: int) -> npt.NDArray[np.float32]:
        """Vectors for all words.

        Those without one are drawn from a normal distribution with the mean and deviation of the found ones in each
        dimension. Shape (V, D).
        """
        if not self.found.any():
            return self.vectors.copy()
        known = self.vectors[self.found]
        drawn = np.random.default_rng(seed).normal(known.mean(0), known.std(0), self.vectors.shape)
        return np.where(self.found[:, None], self.vectors, drawn).astype(np.float32)


def train_vectors(
    streams: Sequence[npt.NDArray[np.integer[Any]]],
    vocab: int,
    dim: int,
    seed: int,
    *,
    window: int = 5,
    negatives: float = 5.0,
    subsample: float = 1e-4,
    minimum: int = 5,
    epochs: int = 3,
    rate: float = 0.1,
) -> WordVectors:
    """Vectors of the ids below `vocab` that occur at least `minimum` times in the streams.

    A context is up to `window` words on either side, fewer at random, after frequent words (a share of the tokens
    above `subsample`) have been thinned out. `rate` falls to a tenth over the run. A run with the same seed repeats. A
    stream is (T,).
    """
    word = np.concatenate([np.asarray(stream, np.int64) for stream in streams])
    text = np.repeat(np.arange(len(streams)), [len(stream) for stream in streams])
    counts = np.bincount(word, minlength=vocab).astype(np.int64)
    found = counts >= minimum
    random = np.random.default_rng(seed)
    torch_random = torch.Generator().manual_seed(seed)
    centre_VD = (torch.rand(vocab, dim, generator=torch_random) - 0.5) / dim
    outer_VD = torch.zeros(vocab, dim)
    centre_size, outer_size = torch.full((vocab,), 1e-8), torch.full((vocab,), 1e-8)
    noise = torch.from_numpy(np.where(found, counts, 0).astype(np.float64) ** 0.75).cumsum(0)
    share = counts / max(1, len(word))
    keep = np.where(found, np.minimum(1.0, np.sqrt(subsample / np.maximum(share, 1e-12))), 0.0)
    for epoch in range(epochs if found.any() else 0):
        kept = random.random(len(word)) < keep[word]
        thin, thin_text = word[kept], text[kept]
        for start, centre, other in word_pairs(thin, thin_text, window, random):
            progress = (epoch + start / max(1, len(thin))) / epochs
            step = rate * (1 - 0.9 * progress)
            c_P, o_P = torch.from_numpy(centre), torch.from_numpy(other)
            drawn = torch.rand(SHARED, generator=torch_random, dtype=torch.float64) * noise[-1]
            n_N = torch.searchsorted(noise, drawn, right=True).clamp_max(vocab - 1)
            v_PD, u_PD, k_ND = centre_VD[c_P], outer_VD[o_P], outer_VD[n_N]
            pull_P = 1 - torch.sigmoid((v_PD * u_PD).sum(1))
            push_PN = torch.sigmoid(v_PD @ k_ND.t()) * (-negatives / SHARED)
            _climb(centre_VD, centre_size, c_P, torch.addmm(pull_P[:, None] * u_PD, push_PN, k_ND), step)
            _climb(outer_VD, outer_size, o_P, pull_P[:, None] * v_PD, step)
            _climb(outer_VD, outer_size, n_N, push_PN.t() @ v_PD, step)
    vectors = np.where(found[:, None], centre_VD.numpy(), 0).astype(np.float32)
    return WordVectors(vectors, found, counts)


def word_pairs(word: Ids, text: Ids, window: int, random: np.random.Generator) -> Iterator[tuple[int, Ids, Ids]]:
    """Batches of (where, centre (P,), context (P,)), shuffled within a block of the text."""
    for start in range(0, len(word), BLOCK):
        here, there = word[start : start + BLOCK], text[start : start + BLOCK]
        reach = random.integers(1, window + 1, len(here))
        found = []
        for offset in range(1, window + 1):
            same = np.flatnonzero(there[offset:] == there[:-offset]) if offset < len(here) else np.zeros(0, np.int64)
            right, left = same[reach[same] >= offset], same[reach[same + offset] >= offset]
            found += [np.stack([here[right], here[right + offset]]), np.stack([here[left + offset], here[left]])]
        pairs = np.concatenate(found, 1)
        pairs = pairs[:, random.permutation(pairs.shape[1])]
        for first in range(0, pairs.shape[1], PAIRS):
            where = start + len(here) * first // max(1, pairs.shape[1])
            yield where, *np.ascontiguousarray(pairs[:, first : first + PAIRS])


def _climb(table_VD: Tensor, size_V: Tensor, row_P: Tensor, gradient_PD: Tensor, rate: float) -> None:
    """One ascent step of the rows that occur, each scaled by the root of its own summed squared gradients."""
    row_U, place_P = torch.unique(row_P, return_inverse=True)
    sum_UD = torch.zeros(len(row_U), table_VD.shape[1]).index_add_(0, place_P, gradient_PD)
    size_V[row_U] += sum_UD.square().mean(1)
    table_VD[row_U] += rate * sum_UD / size_V[row_U].sqrt().unsqueeze(1)
