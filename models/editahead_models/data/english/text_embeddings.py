"""Five ways to learn word vectors from a text, for the table of Chen and Rivera 2019, who downloaded theirs.

skip-gram    Mikolov et al. 2013: a word predicts the words around it (`word_vectors`)
cbow         the same paper: the mean of the words around it predicts a word
glove        Pennington et al. 2014: products of vectors approach logarithms of weighted co-occurrence counts
sub-words    Bojanowski et al. 2017 (fastText): skip-gram whose word is the mean of itself and its 3- to 6-grams
characters   Hashimoto et al. 2017: skip-gram whose word is the mean of its 2- to 4-grams alone

All learn from the same pairs of words at the same distances. Shapes: V words, D dimensions, P pairs, N negatives.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from editahead_models.data.english.word_vectors import PAIRS, SHARED, WordVectors, train_vectors, word_pairs

Ids = npt.NDArray[np.int64]
SKIP_GRAM, CBOW, GLOVE, SUB_WORDS, CHARACTERS = "skip-gram", "cbow", "glove", "sub-words", "characters"
METHODS = (SKIP_GRAM, CBOW, GLOVE, SUB_WORDS, CHARACTERS)
WINDOW, MINIMUM, EPOCHS, RATE = 5, 5, 3, 0.05
NEGATIVES = 5.0
SUBSAMPLE = 1e-4
GRAMS = {SUB_WORDS: (3, 6), CHARACTERS: (2, 4)}
BUCKETS = 20_000  # rows of a table of n-grams, which share them by a hash
GLOVE_MOST, GLOVE_POWER, GLOVE_EPOCHS = 100.0, 0.75, 25


def text_vectors(
    method: str, words: Ids, symbols: Sequence[str], dim: int, seed: int, *, subsample: float = SUBSAMPLE
) -> WordVectors:
    """Vectors (V, D) of the words of a text (T,) that occur five times or more, by one of METHODS.

    Words above a share of `subsample` are thinned out, but not for GloVe. A run with the same seed repeats. ValueError
    for another method.
    """
    if method not in METHODS:
        raise ValueError(f"word vectors are learnt by {', '.join(METHODS)}, not {method!r}")
    if method == SKIP_GRAM:
        return train_vectors([words], len(symbols), dim, seed, minimum=MINIMUM, subsample=subsample)
    counts = np.bincount(words, minlength=len(symbols)).astype(np.int64)
    found = counts >= MINIMUM
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    if method == GLOVE:
        vectors = _glove(np.where(found[words], words, -1), len(symbols), dim, random)
    else:
        keep = _kept_shares(counts, found, subsample)
        vectors = _predicted(method, words, counts, keep, symbols, dim, random)
    return WordVectors(np.where(found[:, None], vectors, 0).astype(np.float32), found, counts)


class _Bags(nn.Module):
    """A word as the mean of rows: of its n-grams, and with `own` its own row too."""

    def __init__(self, symbols: Sequence[str], dim: int, grams: tuple[int, int], own: bool) -> None:
        super().__init__()
        rows = [_rows_of(symbol, number if own else None, len(symbols), grams) for number, symbol in enumerate(symbols)]
        self.offset_V = torch.tensor(np.cumsum([0, *map(len, rows)])[:-1])
        self.length_V = torch.tensor([len(row) for row in rows])
        self.row_R = torch.tensor(np.concatenate(rows))
        self.table = nn.EmbeddingBag(len(symbols) + BUCKETS, dim, mode="mean", sparse=True)
        nn.init.uniform_(self.table.weight, -0.5 / dim, 0.5 / dim)

    def forward(self, word_P: Tensor) -> Tensor:
        """The words (P,) as vectors (P, D)."""
        length_P = self.length_V[word_P]
        start_P = length_P.cumsum(0) - length_P
        inside = torch.arange(int(length_P.sum())) - start_P.repeat_interleave(length_P)
        row = self.row_R[self.offset_V[word_P].repeat_interleave(length_P) + inside]
        vectors_PD: Tensor = self.table(row, start_P)
        return vectors_PD


def _rows_of(symbol: str, own: int | None, words: int, grams: tuple[int, int]) -> Ids:
    """The rows of a word: its own, if it has one, and those of its n-grams with marks at both ends."""
    marked = f"<{symbol}>"
    low, high = grams
    parts = {marked[i : i + n] for n in range(low, high + 1) for i in range(len(marked) - n + 1)} or {marked}
    rows = [words + zlib.crc32(part.encode()) % BUCKETS for part in sorted(parts)]
    return np.array([*([] if own is None else [own]), *rows], np.int64)


def _kept_shares(counts: Ids, found: npt.NDArray[np.bool_], subsample: float) -> npt.NDArray[np.float64]:
    """The share of its occurrences that each word (V,) keeps; none for a word without a vector."""
    share = counts / max(1, int(counts.sum()))
    return np.where(found, np.minimum(1.0, np.sqrt(subsample / np.maximum(share, 1e-12))), 0.0)


def _predicted(
    method: str,
    words: Ids,
    counts: Ids,
    keep: npt.NDArray[np.float64],
    symbols: Sequence[str],
    dim: int,
    random: np.random.Generator,
) -> npt.NDArray[np.float32]:
    """Vectors that tell words around a word from words drawn at random. Shape (V, D)."""
    inner: nn.Module
    if method == CBOW:
        inner = nn.Embedding(len(symbols), dim, sparse=True)
        nn.init.uniform_(inner.weight, -0.5 / dim, 0.5 / dim)
    else:
        inner = _Bags(symbols, dim, GRAMS[method], own=method == SUB_WORDS)
    outer = nn.Embedding(len(symbols), dim, sparse=True)
    nn.init.zeros_(outer.weight)
    optimiser = torch.optim.Adagrad([*inner.parameters(), *outer.parameters()], lr=RATE)
    noise = torch.from_numpy(np.where(keep > 0, counts, 0) ** 0.75)
    for _ in range(EPOCHS if keep.any() else 0):
        thin = words[random.random(len(words)) < keep[words]]
        for told_P, vector_PD in _questions(method, inner, thin, random):
            never_N = torch.multinomial(noise, SHARED, replacement=True)
            right_P = logsigmoid((vector_PD * outer(told_P)).sum(1))
            wrong_PN = logsigmoid(-(vector_PD @ outer(never_N).t()))
            loss = -right_P.mean() - wrong_PN.mean() * NEGATIVES
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
    with torch.no_grad():
        vectors: npt.NDArray[np.float32] = inner(torch.arange(len(symbols))).numpy()
    return vectors


def _questions(
    method: str, inner: nn.Module, thin: Ids, random: np.random.Generator
) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of words to predict (P,) and the vectors that predict them (P, D)."""
    if method != CBOW:
        for _, centre, other in word_pairs(thin, np.zeros(len(thin), np.int64), WINDOW, random):
            yield torch.from_numpy(other), inner(torch.from_numpy(centre))
        return
    offset_W = np.array([*range(-WINDOW, 0), *range(1, WINDOW + 1)])
    order = random.permutation(len(thin))
    reach = random.integers(1, WINDOW + 1, len(thin))
    for place_P in np.array_split(order, max(1, len(order) * WINDOW // PAIRS)):
        at_PW = place_P[:, None] + offset_W
        inside_PW = (at_PW >= 0) & (at_PW < len(thin)) & (np.abs(offset_W) <= reach[place_P][:, None])
        vector_PWD = inner(torch.from_numpy(thin[at_PW.clip(0, len(thin) - 1)]))
        share_PW = torch.from_numpy(inside_PW / np.maximum(1, inside_PW.sum(1, keepdims=True))).float()
        yield torch.from_numpy(thin[place_P]), (vector_PWD * share_PW[:, :, None]).sum(1)


def _glove(words: Ids, vocab: int, dim: int, random: np.random.Generator) -> npt.NDArray[np.float32]:
    """The sum of both vectors of each word, from counts weighted by 1 / distance; words below 0 are holes."""
    row, column, count = _cooccurrences(words, vocab)
    tables = nn.ModuleList(nn.Embedding(vocab, width, sparse=True) for width in (dim, dim, 1, 1))
    for parameter in tables.parameters():
        nn.init.uniform_(parameter, -0.5 / dim, 0.5 / dim)
    optimiser = torch.optim.Adagrad(tables.parameters(), lr=RATE)
    weight = np.minimum(1.0, count / GLOVE_MOST) ** GLOVE_POWER
    goal = np.log(count)
    for _ in range(GLOVE_EPOCHS if len(row) else 0):
        order = random.permutation(len(row))
        for part in np.array_split(order, max(1, len(row) // 8192)):
            r_P, c_P = torch.from_numpy(row[part]), torch.from_numpy(column[part])
            product_P = (tables[0](r_P) * tables[1](c_P)).sum(1) + (tables[2](r_P) + tables[3](c_P)).squeeze(1)
            error_P = product_P - torch.from_numpy(goal[part]).float()
            loss = (torch.from_numpy(weight[part]).float() * error_P.square()).sum()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
    first, second, *_ = tables.parameters()
    vectors: npt.NDArray[np.float32] = (first + second).detach().numpy()
    return vectors


def _cooccurrences(words: Ids, vocab: int) -> tuple[Ids, Ids, npt.NDArray[np.float64]]:
    """Pairs of words that stand at most WINDOW apart, both ways, each with the sum of 1 / distance."""
    keys, weights = [], []
    for offset in range(1, WINDOW + 1):
        left, right = words[:-offset], words[offset:]
        both = (left >= 0) & (right >= 0)
        for one, other in ((left[both], right[both]), (right[both], left[both])):
            keys.append(one * vocab + other)
            weights.append(np.full(len(one), 1 / offset))
    key, place = np.unique(np.concatenate(keys), return_inverse=True)
    count = np.bincount(place, np.concatenate(weights), minlength=len(key)).astype(np.float64)
    return key // vocab, key % vocab, count
