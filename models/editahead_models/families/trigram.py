"""Interpolated trigram over closed-vocabulary ids (Chen and Rivera 2019, section 2.1).

    p(w | u, v) = sum_n a_n q_n / sum of a_n over contexts that were seen,   q_3 = c(u,v,w)/c(u,v), q_2, q_1 likewise

As printed the sum falls short of 1 behind an unseen context; dividing by the weights of the seen contexts repairs that.
Counts come from whole streams, so that no n-gram is lost at a chunk's border. Shapes: T tokens, V words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead_models.families.ngram_counts import UNSEEN, Ids, NgramCounts
from editahead_models.families.ngram_scores import Floats, Scores, scores_by_context

PUBLISHED = (0.9, 0.05, 0.05)  # on trigram, bigram, unigram
ORDER = 3


class Trigram:
    """Counts and weights (a_3, a_2, a_1), which sum to 1. Raises ValueError for others."""

    def __init__(self, counts: NgramCounts, weights: tuple[float, float, float] = PUBLISHED) -> None:
        if min(weights) < 0 or abs(sum(weights) - 1) > 1e-6 or weights[2] <= 0:
            raise ValueError(f"trigram weights must be non-negative, sum to 1 and keep the unigram, found {weights}")
        self.counts, self.weights = counts, weights
        found = np.zeros(counts.vocab)
        found[counts.keys[1]] = counts.counts[1]
        # Ids that training never showed must not have probability 0: then, and only then, one is added to all.
        found += not found.all()
        self.unigram: Floats = found / found.sum()

    @classmethod
    def train(
        cls,
        streams: Sequence[npt.NDArray[np.integer[Any]]],
        vocab: int,
        weights: tuple[float, float, float] = PUBLISHED,
        *,
        given: int = 0,
    ) -> Trigram:
        """Count streams of ids below `vocab`; the first `given` tokens of each are context alone. A stream is (T,)."""
        return cls(NgramCounts.of(streams, vocab, ORDER, given=given), weights)

    def fit_weights(
        self, held_out: Sequence[npt.NDArray[np.integer[Any]]], *, given: int = 0, steps: int = 100
    ) -> Trigram:
        """The same counts with the weights that make `held_out` most likely, by EM.

        A trigram context is only seen with its bigram context, so the weights are two choices, each of closed form:
        s_3, to trust the trigram where there is one, and s_2, to trust the bigram among the rest. A stream is (T,).
        """
        parts = [self._terms(stream) for stream in held_out]
        q = np.concatenate([part[0][:, given:] for part in parts], 1)
        seen = np.concatenate([part[1][:, given:] for part in parts], 1)
        s3 = s2 = 0.5
        for _ in range(steps):
            third = np.where(seen[0], s3, 0.0)
            second = (1 - third) * np.where(seen[1], s2, 0.0)
            share = np.stack([third, second, 1 - third - second]) * q
            share /= share.sum(0)
            before = (s3, s2)
            s3 = float(share[0].sum() / max(1, seen[0].sum()))
            backed = share[1:, seen[1]].sum(1)
            s2 = float(backed[0] / max(1e-300, backed.sum()))
            if max(abs(s3 - before[0]), abs(s2 - before[1])) < 1e-7:
                break
        weights = (s3, (1 - s3) * s2, max(1e-12, (1 - s3) * (1 - s2)))
        total = sum(weights)
        return Trigram(self.counts, (weights[0] / total, weights[1] / total, weights[2] / total))

    def logp(self, stream: npt.NDArray[np.integer[Any]]) -> Floats:
        """ln p (T,) of every token given the tokens before it in the stream; nats."""
        q, seen = self._terms(stream)
        a = np.array(self.weights)[:, None] * seen
        log_p: Floats = np.log((a * q).sum(0) / a.sum(0))
        return log_p

    def distribution(self, context: Sequence[int]) -> Floats:
        """p (V,) of the next token after `context`; its last two tokens matter."""
        rows = self.counts.walk(np.array(context[-2:], np.int64))
        pair = int(rows[2, -1]) if len(context) > 1 else UNSEEN
        return self._distribution(pair, int(rows[1, -1]) if len(context) else UNSEEN)

    def score(
        self, streams: Sequence[npt.NDArray[np.integer[Any]]], silent: npt.NDArray[np.bool_] | None = None
    ) -> list[Scores]:
        """`Scores` of every stream. Ids marked in `silent` (V,) are no candidates: such a target ranks 10^6."""
        return scores_by_context(
            streams,
            [np.stack(self._contexts(stream)) for stream in streams],
            lambda rows: self._distribution(int(rows[0]), int(rows[1])),
            silent,
        )

    # -- the terms of the sum

    def _contexts(self, stream: npt.NDArray[np.integer[Any]]) -> tuple[Ids, Ids]:
        """Rows (T,) of the two words and of the word before each token; UNSEEN where nothing followed them before."""
        rows = self.counts.walk(stream)
        before = np.full((2, len(stream)), UNSEEN, np.int64)
        for place, n in enumerate((2, 1)):
            before[place, 1:] = np.where(self.counts.total(n, rows[n, :-1]) > 0, rows[n, :-1], UNSEEN)
        return before[0], before[1]

    def _terms(self, stream: npt.NDArray[np.integer[Any]]) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """q (3, T), from the trigram down, and whether its context was seen (3, T)."""
        counts, rows = self.counts, self.counts.walk(stream)
        q = np.zeros((3, len(stream)))
        q[2] = self.unigram[stream]
        contexts = self._contexts(stream)
        for place, n in enumerate((3, 2)):
            q[place] = counts.count(n, rows[n]) / np.maximum(1, counts.total(n - 1, contexts[place]))
            q[place, contexts[place] == UNSEEN] = 0.0
        return q, np.stack([contexts[0] != UNSEEN, contexts[1] != UNSEEN, np.ones(len(stream), np.bool_)])

    def _distribution(self, pair: int, single: int) -> Floats:
        a3, a2, a1 = self.weights
        p, mass = a1 * self.unigram, a1
        for level, row, a in ((1, single, a2), (2, pair, a3)):
            total = 0 if row == UNSEEN else int(self.counts.totals[level][row])
            if total:
                words, found = self.counts.followers(level, row)
                p[words] += a * found / total
                mass += a
        return p / mass
