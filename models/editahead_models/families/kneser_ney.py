"""Interpolated Kneser-Ney smoothing of n-grams, with three discounts an order.

    p_n(w | h) = max(0, c(h w) - D(c(h w))) / c(h .) + g(h) p_(n-1)(w | h'),   g(h) = sum over followers of D / c(h .)

h' is h without its first word; p_0 is uniform. The highest order counts occurrences. Every lower one counts the
distinct words that stood before (the start of a stream is one of them): what a backed-off context must predict. D of 1,
2, and 3 or more is estimated from the counts of counts. Source: Kneser and Ney 1995, and Chen and Goodman 1999, "An
empirical study of smoothing techniques for language modeling", section 3. Shapes: T tokens, V words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead_models.families.ngram_counts import UNSEEN, Ids, NgramCounts
from editahead_models.families.ngram_scores import Floats, Scores, scores_by_context


class KneserNey:
    """N-grams of 1 to `order` words over ids below `vocab`, smoothed.

    `counts` of a level are (N,), as many as the trie has n-grams there. Raises ValueError for an order below 2.
    """

    def __init__(self, trie: NgramCounts, counts: Sequence[Floats]) -> None:
        if trie.order < 2:
            raise ValueError(f"Kneser-Ney needs an order of 2 or more, found {trie.order}")
        self.trie, self.order, self.vocab = trie, trie.order, trie.vocab
        self._counts = counts  # of the rows of each level; those of lower orders are of distinct words before
        self._discounts = [_discounts(level) for level in counts]
        self._totals, self._kept = _normalisers(trie, counts, self._discounts)

    @classmethod
    def train(
        cls, streams: Sequence[npt.NDArray[np.integer[Any]]], vocab: int, order: int, *, given: int = 0
    ) -> KneserNey:
        """Count streams of ids below `vocab`; the first `given` tokens of each are context alone. A stream is (T,)."""
        trie = NgramCounts.of(streams, vocab, order, given=given)
        counts = [np.zeros(1)] + [level.astype(np.float64) for level in trie.counts[1:]]
        suffix = np.zeros(len(trie.keys[1]), np.int64)
        for n in range(1, order):
            before, word = np.divmod(trie.keys[n + 1], vocab)
            longer = trie.find(n, suffix[before], word)  # rows of level n: each longer n-gram without its first word
            real = trie.counts[n + 1] > 0
            counts[n] = np.bincount(longer[real], minlength=len(trie.keys[n])).astype(np.float64)
            suffix = longer
        for stream in streams:
            rows = trie.walk(stream[: max(given + 1, order)])
            for n in range(1, order):
                if given <= n - 1 < rows.shape[1]:
                    counts[n][rows[n, n - 1]] += 1
        return cls(trie, counts)

    def distribution(self, context: Sequence[int]) -> Floats:
        """p (V,) of the next token after `context`; its last order - 1 tokens matter."""
        last = np.asarray(context[len(context) - min(len(context), self.order - 1) :], np.int64)
        rows = np.full(self.order - 1, UNSEEN, np.int64)
        for n in range(1, len(last) + 1):
            rows[n - 1] = self.trie.walk(last[len(last) - n :])[n, -1]
        return self._distribution(rows)

    def score(
        self, streams: Sequence[npt.NDArray[np.integer[Any]]], silent: npt.NDArray[np.bool_] | None = None
    ) -> list[Scores]:
        """`Scores` of every stream. Ids marked in `silent` (V,) are no candidates."""
        return scores_by_context(streams, [self._contexts(stream) for stream in streams], self._distribution, silent)

    def _contexts(self, stream: npt.NDArray[np.integer[Any]]) -> Ids:
        """(order - 1, T): the row of the last 1, 2, ... words before each token; UNSEEN where training lacks them."""
        before = np.full((self.order - 1, len(stream)), UNSEEN, np.int64)
        before[:, 1:] = self.trie.walk(stream)[1 : self.order, :-1]
        return before

    def _distribution(self, rows: Ids) -> Floats:
        p = np.full(self.vocab, 1 / self.vocab)
        for n in range(1, self.order + 1):
            row = 0 if n == 1 else int(rows[n - 2])
            if row == UNSEEN or self._totals[n - 1][row] == 0:
                continue
            first = row * self.vocab
            start, end = np.searchsorted(self.trie.keys[n], (first, first + self.vocab))
            words, found = self.trie.keys[n][start:end] - first, self._counts[n][start:end]
            p *= self._kept[n - 1][row]
            p[words] += np.maximum(0.0, found - _discount_of(found, self._discounts[n])) / self._totals[n - 1][row]
        return p


def _discounts(counts: Floats) -> Floats:
    """D of counts of 0, 1, 2 and 3 or more (Chen and Goodman 1999, equation 26); a half where too few were counted."""
    n1, n2, n3, n4 = (float(np.count_nonzero(counts == k)) for k in (1, 2, 3, 4))
    if not min(n1, n2, n3, n4):
        return np.array([0.0, 0.5, 0.5, 0.5])
    y = n1 / (n1 + 2 * n2)
    return np.array([0.0, 1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3]).clip(0.0)


def _discount_of(counts: Floats, discounts: Floats) -> Floats:
    found: Floats = discounts[np.minimum(counts, 3).astype(np.int64)]
    return found


def _normalisers(
    trie: NgramCounts, counts: Sequence[Floats], discounts: Sequence[Floats]
) -> tuple[list[Floats], list[Floats]]:
    """For the contexts of each level: the sum of their followers' counts, and the share g left to lower orders."""
    totals: list[Floats] = []
    kept: list[Floats] = []
    for n in range(1, trie.order + 1):
        context = trie.keys[n] // trie.vocab
        size = len(trie.keys[n - 1])
        total: Floats = np.bincount(context, weights=counts[n], minlength=size).astype(np.float64)
        taken = np.bincount(
            context, weights=np.minimum(counts[n], _discount_of(counts[n], discounts[n])), minlength=size
        )
        totals.append(total)
        kept.append(np.divide(taken, total, out=np.ones(size), where=total > 0))
    return totals, kept
