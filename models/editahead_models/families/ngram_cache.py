"""Nested n-gram cache over real names (Hellendoorn and Devanbu, FSE 2017, section 3): corpus, project, file.

Shapes: T tokens of a file, N surfaces known to corpus or project. `order` n, contexts of 0 to n - 1 tokens.

    in a level    p <- p/2 + count/context_count/2 from the empty to the longest context seen, then / (1 - 2^-hits)
    two levels    p = (w_1 p_1 + w_2 p_2) / (w_1 + w_2),  w = 2^hits, at most 1000; nested outward from corpus to file
    floor         the mass 2^-hits (the most hits of any level) goes evenly to all known surfaces and to one unknown

The file level learns each token after it has been predicted and forgets what lies more than `WINDOW` tokens back; the
project level holds the other files of the project.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead_models.families.ngram_counts import UNSEEN, Ids, NgramCounts

Floats = npt.NDArray[np.float64]
ORDER = 6
WINDOW = 5000  # tokens
CAP = 1000.0  # of a level's weight
GIVEN = 1  # the start symbol of a file is never predicted


class Followers(NamedTuple):
    """What followed one context: words, how often each, and the sum of all."""

    words: Ids
    counts: npt.NDArray[np.integer]
    total: int


class CacheStep(NamedTuple):
    """Before one token: p (N,) of the known surfaces, the mass of all others, hits of corpus, project and file.

    `p` is used again for the next step: copy what is to be kept.
    """

    p: Floats
    unknown: float
    hits: tuple[int, int, int]


@dataclass(frozen=True)
class GlobalCounts:
    """The corpus level: counts over ids, where id n is the surface with the n-th smallest hash."""

    surfaces: Ids
    counts: NgramCounts

    @classmethod
    def train(cls, files: Sequence[Ids], order: int = ORDER) -> GlobalCounts:
        """Count the surface hashes of some files, each with its start symbol. A file is (T,)."""
        surfaces = np.unique(np.concatenate(files)) if files else np.zeros(0, np.int64)
        streams = [np.searchsorted(surfaces, file) for file in files]
        return cls(surfaces, NgramCounts.of(streams, len(surfaces), order, given=GIVEN))


class LocalCounts:
    """Counts of a small text in dictionaries: tokens enter and leave one by one."""

    def __init__(self, order: int = ORDER) -> None:
        self.order = order
        self.followers: dict[tuple[int, ...], Counter[int]] = {}
        self.totals: Counter[tuple[int, ...]] = Counter()

    def change(self, gram: Sequence[int], by: int) -> None:
        """Count (or take back) the last token of `gram` behind each of its contexts."""
        word, before = gram[-1], tuple(gram[:-1])
        for start in range(len(before) + 1):
            context = before[start:]
            row = self.followers.setdefault(context, Counter())
            row[word] += by
            self.totals[context] += by
            if not row[word]:
                del row[word]
            if not self.totals[context]:
                del self.totals[context], self.followers[context]

    def after(self, context: tuple[int, ...]) -> Followers | None:
        """What followed a context, or None."""
        row = self.followers.get(context)
        if row is None:
            return None
        n = len(row)
        return Followers(np.fromiter(row, np.int64, n), np.fromiter(row.values(), np.int64, n), self.totals[context])


def level_shares(hits: Sequence[int]) -> list[float]:
    """What each level contributes when levels are nested in this order, the inmost first; 0 for one without hits."""
    shares = [0.0] * len(hits)
    most = 0
    for number, mine in enumerate(hits):
        if mine:
            weight, others = min(CAP, 2.0**mine), min(CAP, 2.0**most) if most else 0.0
            shares = [share * others / (weight + others) for share in shares]
            shares[number] = weight / (weight + others)
            most = max(most, mine)
    return shares


class ProjectCache:
    """The three levels for the files of one project, given as surface hashes. A file is (T,)."""

    def __init__(
        self, corpus: GlobalCounts, files: Sequence[Ids], *, project: bool = True, window: int = WINDOW
    ) -> None:
        own = np.unique(np.concatenate(files)) if files else np.zeros(0, np.int64)
        self._corpus, self._window = corpus, window
        self._new = np.setdiff1d(own, corpus.surfaces)  # get the ids behind those of the corpus
        self.size = len(corpus.surfaces) + len(self._new)
        self.streams = [self.ids(file) for file in files]
        self._project = NgramCounts.of(self.streams if project else [], self.size, corpus.counts.order, given=GIVEN)
        self._whole = project
        self._corpus_share = _shares(corpus.counts, self.size)

    def ids(self, surfaces: Ids) -> Ids:
        """Ids below `size` of surface hashes, UNSEEN for those that neither corpus nor project has. (T,) to (T,)."""
        ids = np.full(len(surfaces), UNSEEN, np.int64)
        for known, first in ((self._corpus.surfaces, 0), (self._new, len(self._corpus.surfaces))):
            if len(known):
                place = np.minimum(np.searchsorted(known, surfaces), len(known) - 1)
                ids = np.where(known[place] == surfaces, place + first, ids)
        return ids

    def read(self, number: int) -> Iterator[CacheStep]:
        """One step for every token of a file after its first. Several files may be read at once."""
        stream = self.streams[number]
        corpus = self._corpus.counts
        project = self._project.without(stream, given=GIVEN) if self._whole else self._project
        rows = corpus.walk(stream), project.walk(stream)
        project_share = _shares(project, self.size)
        known = (self._corpus_share > 0) | (project_share > 0)
        file = LocalCounts(corpus.order)
        kept: deque[list[int]] = deque()
        tokens: list[int] = stream.tolist()
        p, scratch = np.empty(self.size), np.empty(self.size)
        for t in range(GIVEN, len(tokens)):
            before = tokens[max(0, t - corpus.order + 1) : t]
            levels = [_seen(corpus, rows[0][:, t - 1]), _seen(project, rows[1][:, t - 1]), _local(file, before)]
            hits = (len(levels[0]), len(levels[1]), len(levels[2]))
            floor = 2.0 ** -max(hits) / (np.count_nonzero(known) + 1)
            np.multiply(known, floor, out=p)
            unigrams = (self._corpus_share, project_share, None)
            for level, share, dense in zip(levels, level_shares(hits), unigrams, strict=True):
                weight = (1 - 2.0 ** -max(hits)) * share / (1 - 2.0 ** -len(level)) if level else 0.0
                for length, found in enumerate(level):
                    here = weight * 2.0 ** (length - len(level))
                    if not length and dense is not None:
                        p += np.multiply(dense, here, out=scratch)
                    else:
                        p[found.words] += here / found.total * found.counts
            yield CacheStep(p, floor, hits)
            gram = [*before, tokens[t]]
            file.change(gram, 1)
            known[tokens[t]] = True
            kept.append(gram)
            if len(kept) > self._window:
                file.change(kept.popleft(), -1)


def _shares(counts: NgramCounts, size: int) -> Floats:
    """Relative frequency (N,) of every id."""
    shares = np.zeros(size)
    shares[counts.keys[1]] = counts.counts[1]
    return shares / max(1, int(counts.totals[0][0]))


_EMPTY = np.zeros(0, np.int64)


def _seen(counts: NgramCounts, rows: Ids) -> list[Followers]:
    """What followed the contexts that end in these rows (one a length), up to the longest one seen."""
    found = []
    for length in range(counts.order):
        row = int(rows[length])
        total = 0 if row == UNSEEN else int(counts.totals[length][row])
        if not total:
            break
        found.append(Followers(*counts.followers(length, row), total) if length else Followers(_EMPTY, _EMPTY, total))
    return found


def _local(counts: LocalCounts, tokens: Sequence[int]) -> list[Followers]:
    found = []
    for length in range(min(counts.order, len(tokens) + 1)):
        here = counts.after(tuple(tokens[len(tokens) - length :]))
        if here is None:
            break
        found.append(here)
    return found
