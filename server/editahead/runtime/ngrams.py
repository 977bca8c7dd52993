"""A local n-gram cache, which predicts the next token from n-grams of the file. Needs no bundle; learns while typing.

Interpolation of Hellendoorn and Devanbu (FSE 2017, section 3.3): from the unigram up to the longest context seen,
`p <- p/2 + count/context_count/2`, stop at the first unseen context, divide by the mass so far, 1 - 2^-hits. The
missing mass 2^-hits belongs to tokens that the file does not predict.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from editahead.text.memo import documents_kept

Words = tuple[str, ...]
Row = TypeVar("Row")
ORDER = 4
LINE_END = "\0"  # stands behind the last word of a line
BUCKETS = 3 * ORDER + 1
_BLOCK = 64  # rows compared at once
_CAP = 1000.0  # of a level's weight


class CacheScores(NamedTuple):
    """A prediction of n-grams: words with probabilities that sum to at most `mass`, and the amount of evidence.

    `hits` is the number of contexts found in the file, from the empty one up; `times` is the count of the longest of
    them. `project_hits` and `project_times` are the same for the other files of the project, `project` is their part
    of `words`.
    """

    words: dict[str, float]
    hits: int
    times: int
    project_hits: int = 0
    project_times: int = 0
    project: Mapping[str, float] = MappingProxyType({})

    @property
    def mass(self) -> float:
        """The mass 1 - 2^-hits of predicted tokens, for the larger of the two `hits`."""
        return 1 - 2.0 ** -max(self.hits, self.project_hits)

    @property
    def bucket(self) -> int:
        """The evidence in the file as a number below BUCKETS: context length, and count (once, a few times, often)."""
        if not self.hits:
            return 0
        return 1 + 3 * (self.hits - 1) + (0 if self.times < 2 else 1 if self.times < 5 else 2)

    def with_project(self, words: Mapping[str, float], hits: int, times: int) -> CacheScores:
        """Mix in a prediction of the project, whose words sum to at most 1 - 2^-hits.

        p = (w_1 p_1 + w_2 p_2) / (w_1 + w_2), w = 2^hits, at most 1000 (Hellendoorn and Devanbu, section 3.4).
        """
        if hits < 2:  # the project holds not even the token before
            return self
        known = 1 - 2.0 ** -max(self.hits, hits)
        mine, theirs = (min(_CAP, 2.0**self.hits) if self.hits else 0.0), min(_CAP, 2.0**hits)
        scale = known / (mine + theirs)
        project = {word: p * scale * theirs / (1 - 2.0**-hits) for word, p in words.items()}
        share = scale * mine / (1 - 2.0**-self.hits) if self.hits else 0.0
        mixed = {word: p * share for word, p in self.words.items()}
        for word, p in project.items():
            mixed[word] = mixed.get(word, 0.0) + p
        return CacheScores(mixed, self.hits, self.times, hits, times, project)


class NgramCache:
    """Counts of the n-grams of some lines; lines can be added and removed."""

    def __init__(self, order: int = ORDER) -> None:
        self._order = order
        self._followers: defaultdict[Words, Counter[str]] = defaultdict(Counter)
        self._totals: Counter[Words] = Counter()
        self.changes = 0  # lines learnt and forgotten so far: equal numbers, equal counts

    def __len__(self) -> int:
        return len(self._totals)

    def learn(self, words: Sequence[str]) -> None:
        """Add the n-grams of a line."""
        self._count(words, 1)

    def forget(self, words: Sequence[str]) -> None:
        """Remove the n-grams of a line that was added before."""
        self._count(words, -1)

    def predict(self, context: Sequence[str]) -> CacheScores:
        """Predict the token behind a context."""
        mixed: dict[str, float] = {}
        hits = count = 0
        for length in range(min(self._order - 1, len(context)) + 1):
            key = tuple(context[len(context) - length :])
            total = self._totals.get(key, 0)
            if not total:
                break
            hits, count = hits + 1, total
            mixed = {word: p / 2 for word, p in mixed.items()}
            for word, n in self._followers[key].items():
                mixed[word] = mixed.get(word, 0.0) + n / total / 2
        return CacheScores(mixed, hits, count)

    def _count(self, words: Sequence[str], by: int) -> None:
        """Add `by` to the counts of all n-grams of a line."""
        self.changes += 1
        for at, word in enumerate(words):
            for length in range(min(self._order - 1, at) + 1):
                key = tuple(words[at - length : at])
                followers = self._followers[key]
                followers[word] += by
                self._totals[key] += by
                if not followers[word]:
                    del followers[word]
                if not self._totals[key]:
                    del self._totals[key], self._followers[key]


class DocumentCaches(Generic[Row]):
    """One cache per document, updated with its lines; unchanged lines are mostly the same objects."""

    def __init__(self, words_of: Callable[[Row], Words], capacity: int = 8) -> None:
        self._words_of = words_of
        self._capacity = capacity
        self._caches: OrderedDict[str, tuple[NgramCache, list[Row]]] = OrderedDict()

    def update(self, key: str, lines: list[Row]) -> NgramCache:
        """Return the cache of a document, updated to these lines."""
        cache, old = self._caches.pop(key, (NgramCache(), []))
        limit = min(len(old), len(lines))
        first = _alike(old, lines, limit)
        last = _alike(old[::-1], lines[::-1], limit - first) if first < limit else 0
        for line in old[first : len(old) - last]:
            cache.forget(self._words_of(line))
        for line in lines[first : len(lines) - last]:
            cache.learn(self._words_of(line))
        self._caches[key] = (cache, lines)
        while len(self._caches) > documents_kept(self._capacity):
            self._caches.popitem(last=False)
        return cache

    def forget(self, key: str) -> None:
        """Delete the cache of a closed document."""
        self._caches.pop(key, None)


def _alike(old: list[Row], new: list[Row], limit: int) -> int:
    """Count the equal first rows, at most `limit`. Whole slices are compared at once, which is faster in Python."""
    at = 0
    while at < limit and (size := min(_BLOCK, limit - at)) and old[at : at + size] == new[at : at + size]:
        at += size
    while at < limit and old[at] == new[at]:
        at += 1
    return at
