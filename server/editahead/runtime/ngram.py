"""A local n-gram cache: what this file says after what stands before the cursor. Needs no bundle; learns as one types.

Interpolation of Hellendoorn and Devanbu (FSE 2017, section 3.3): from the unigram up to the longest context seen,
`p <- p/2 + count/context_count/2`, stop at the first unseen context, divide by the mass so far, 1 - 2^-hits. The
missing mass 2^-hits belongs to what the file does not say.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

Words = tuple[str, ...]
Row = TypeVar("Row")
ORDER = 4
LINE_END = "\0"  # stands behind the last word of a line
BUCKETS = 3 * ORDER + 1


class Cached(NamedTuple):
    """What a cache says: words with probabilities that sum to 1 - 2^-hits, and how much evidence it has.

    `hits` counts the contexts found, from the empty one up; `times` is how often the longest of them was seen.
    """

    words: dict[str, float]
    hits: int
    times: int

    @property
    def bucket(self) -> int:
        """Evidence as one number below BUCKETS: context length, then seen once, a few times, or often."""
        if not self.hits:
            return 0
        return 1 + 3 * (self.hits - 1) + (0 if self.times < 2 else 1 if self.times < 5 else 2)


class NgramCache:
    """Counts of the n-grams of some lines; a line can be learnt and forgotten again."""

    def __init__(self, order: int = ORDER) -> None:
        self._order = order
        self._followers: defaultdict[Words, Counter[str]] = defaultdict(Counter)
        self._totals: Counter[Words] = Counter()

    def __len__(self) -> int:
        return len(self._totals)

    def learn(self, words: Sequence[str]) -> None:
        """Count a line."""
        self._count(words, 1)

    def forget(self, words: Sequence[str]) -> None:
        """Take back what `learn` counted for the same line."""
        self._count(words, -1)

    def predict(self, context: Sequence[str]) -> Cached:
        """What follows a context."""
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
        return Cached(mixed, hits, count)

    def _count(self, words: Sequence[str], by: int) -> None:
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
    """One cache a document, kept in step with its lines: unchanged lines are mostly the same objects."""

    def __init__(self, words_of: Callable[[Row], Words], capacity: int = 8) -> None:
        self._words_of = words_of
        self._capacity = capacity
        self._caches: OrderedDict[str, tuple[NgramCache, list[Row]]] = OrderedDict()

    def update(self, key: str, lines: list[Row]) -> NgramCache:
        """The cache of a document that now has these lines."""
        cache, old = self._caches.pop(key, (NgramCache(), []))
        first, limit = 0, min(len(old), len(lines))
        while first < limit and _same(old[first], lines[first]):
            first += 1
        last = 0
        while last < limit - first and _same(old[len(old) - 1 - last], lines[len(lines) - 1 - last]):
            last += 1
        for line in old[first : len(old) - last]:
            cache.forget(self._words_of(line))
        for line in lines[first : len(lines) - last]:
            cache.learn(self._words_of(line))
        self._caches[key] = (cache, lines)
        while len(self._caches) > self._capacity:
            self._caches.popitem(last=False)
        return cache


def _same(one: object, other: object) -> bool:
    return one is other or one == other
