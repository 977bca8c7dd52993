"""Log-probability and rank of every token under a counting model, one distribution for each distinct context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from editahead_models.families.ngram_counts import Ids

Floats = npt.NDArray[np.float64]
NO_CANDIDATE = 10**6  # the rank of a target that cannot be shown
_FEW = 8  # targets of a context that are compared with all words rather than looked up in sorted ones


class Scores(NamedTuple):
    """Of every token (T,): ln p, its rank with ties against the model, and the best probability that can be shown."""

    log_p: Floats
    rank: Ids
    best: Floats


def scores_by_context(
    streams: Sequence[npt.NDArray[np.integer[Any]]],
    contexts: Sequence[Ids],
    distribution: Callable[[Ids], Floats],
    silent: npt.NDArray[np.bool_] | None = None,
) -> list[Scores]:
    """`Scores` of every stream (T,), whose tokens have the contexts (L, T); `distribution` of a context (L,) is (V,).

    Ids marked in `silent` (V,) are no candidates: such a target ranks `NO_CANDIDATE`.
    """
    if not streams:
        return []
    word = np.concatenate([np.asarray(stream, np.int64) for stream in streams])
    context = np.concatenate(list(contexts), 1)
    log_p, rank, best = np.zeros(len(word)), np.zeros(len(word), np.int64), np.zeros(len(word))
    order = np.lexsort(context)
    changed = (np.diff(context[:, order]) != 0).any(0)
    for group in np.split(order, np.flatnonzero(changed) + 1):
        if not len(group):
            continue
        p = distribution(context[:, group[0]])
        goal = p[word[group]]
        log_p[group] = np.log(goal)
        if silent is not None:
            p[silent] = 0.0
        best[group] = p.max()
        if len(group) < _FEW:
            rank[group] = [np.count_nonzero(p >= value) for value in goal]
        else:
            rank[group] = len(p) - np.searchsorted(np.sort(p), goal, side="left")
    if silent is not None:
        rank[silent[word]] = NO_CANDIDATE
    ends = np.cumsum([len(stream) for stream in streams])[:-1]
    return [Scores(*parts) for parts in zip(*(np.split(a, ends) for a in (log_p, rank, best)), strict=True)]
