"""Counts of n-grams in sorted arrays: a trie whose nodes are row numbers.

Row r of level n is one n-gram. Its key is (row of its first n - 1 words at level n - 1) * V + its last word, and the
keys of a level are sorted. So the followers of a context are one slice, a whole text is looked up level by level with
binary searches, and eight million tokens of code up to order 6 take about 180 MB. Level 0 is the empty context, row 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int32]
UNSEEN = -1


class NgramCounts:
    """Counts of the n-grams of 1 to `order` words over ids below `vocab`.

    `keys[n]` and `counts[n]` belong to level n (n = 0 is unused); `totals[n]` says how often a row of level n was
    followed by any word: the denominator of a conditional probability. Keys, counts and totals of order n are (N,).
    """

    def __init__(self, vocab: int, keys: Sequence[Ids], counts: Sequence[Counts], totals: Sequence[Counts]) -> None:
        self.vocab = vocab
        self.keys, self.counts, self.totals = tuple(keys), tuple(counts), tuple(totals)

    @property
    def order(self) -> int:
        """The longest n-gram."""
        return len(self.keys) - 1

    @classmethod
    def of(
        cls, streams: Sequence[npt.NDArray[np.integer[Any]]], vocab: int, order: int, *, given: int = 0
    ) -> NgramCounts:
        """Count some streams of ids; no n-gram reaches over the end of a stream.

        The first `given` tokens of each stream are only context (start symbols): they are never counted as words.
        Raises ValueError for ids outside the vocabulary. A stream is (T,).
        """
        word = np.concatenate([np.asarray(s, np.int64) for s in streams]) if streams else np.zeros(0, np.int64)
        at = np.concatenate([np.arange(len(s)) for s in streams]) if streams else np.zeros(0, np.int64)
        if len(word) and not 0 <= int(word.min()) <= int(word.max()) < vocab:
            raise ValueError(f"n-gram counts: ids must lie in 0..{vocab - 1}")
        counted = at >= given
        context = np.zeros(len(word), np.int64)  # row of the n - 1 words before each token
        keys, counts, totals = [np.zeros(1, np.int64)], [np.zeros(1, np.int32)], []
        for n in range(1, order + 1):
            there = at >= n - 1
            found, row = np.unique(context[there] * vocab + word[there], return_inverse=True)
            real = counted[there]
            totals.append(np.bincount(context[there][real], minlength=len(keys[-1])).astype(np.int32))
            keys.append(found)
            counts.append(np.bincount(row[real], minlength=len(found)).astype(np.int32))
            context = np.zeros(len(word), np.int64)
            context[1:][there[:-1]] = row[: int(there[:-1].sum())]
        return cls(vocab, keys, counts, totals)

    def find(self, level: int, context: Ids, word: npt.NDArray[np.integer[Any]]) -> Ids:
        """Rows at `level` of the n-grams `context` (rows one level below) then `word`; UNSEEN where there is none.

        All are (N,).
        """
        keys = self.keys[level]
        if not len(keys):
            return np.full(len(context), UNSEEN, np.int64)
        wanted = context * self.vocab + word
        row = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        known = (context != UNSEEN) & (word >= 0) & (word < self.vocab) & (keys[row] == wanted)
        return np.where(known, row, UNSEEN)

    def walk(self, stream: npt.NDArray[np.integer[Any]]) -> Ids:
        """(order + 1, T): the row of the n-gram of each length that ends with each token, or UNSEEN."""
        rows = np.full((self.order + 1, len(stream)), UNSEEN, np.int64)
        rows[0] = 0
        for n in range(1, self.order + 1):
            before = np.zeros(1, np.int64) if n == 1 else np.full(1, UNSEEN, np.int64)
            rows[n] = self.find(n, np.concatenate([before, rows[n - 1, :-1]]) if len(stream) else rows[0], stream)
        return rows

    def followers(self, level: int, row: int) -> tuple[Ids, Counts]:
        """The words seen after a context and how often each, in the order of their ids. Both are (N,)."""
        first = row * self.vocab
        start, end = np.searchsorted(self.keys[level + 1], (first, first + self.vocab))
        return self.keys[level + 1][start:end] - first, self.counts[level + 1][start:end]

    def count(self, level: int, rows: Ids) -> Ids:
        """How often each n-gram was counted; 0 for UNSEEN. (N,) to (N,)."""
        return _at(self.counts[level], rows)

    def total(self, level: int, rows: Ids) -> Ids:
        """How often each context was followed by any word; 0 for UNSEEN. (N,) to (N,)."""
        return _at(self.totals[level], rows)

    def without(self, stream: npt.NDArray[np.integer[Any]], *, given: int = 0) -> NgramCounts:
        """The same counts less those of a stream that was counted; nothing here changes. A stream is (T,)."""
        copy = NgramCounts(
            self.vocab, self.keys, *([a.copy() for a in arrays] for arrays in (self.counts, self.totals))
        )
        copy._forget(stream, given)
        return copy

    def _forget(self, stream: npt.NDArray[np.integer[Any]], given: int) -> None:
        """Take the counts of a stream (T,) out; rows stay. ValueError for an n-gram that was never counted."""
        rows = self.walk(stream)
        if any((rows[n, n - 1 :] == UNSEEN).any() for n in range(1, self.order + 1)):
            raise ValueError("n-gram counts: this text was not counted, so it cannot be left out")
        for n in range(1, self.order + 1):
            first = max(given, n - 1)
            np.add.at(self.counts[n], rows[n, first:], -1)
            context = rows[n - 1, first - 1 : -1] if n > 1 else np.zeros(max(0, len(stream) - first), np.int64)
            np.add.at(self.totals[n - 1], context[: len(stream) - first], -1)


def _at(values: Counts, rows: Ids) -> Ids:
    """values[rows], 0 where a row is UNSEEN."""
    return np.where(rows != UNSEEN, values[rows], 0) if len(values) else np.zeros(len(rows), np.int64)
