"""A local n-gram cache: what this file says after what stands before the cursor. Needs no bundle; learns as one types.

Interpolation of Hellendoorn and Devanbu (FSE 2017, section 3.3): from the unigram up to the longest context seen,
`p <- p/2 + count/context_count/2`, stop at the first unseen context, divide by the mass so far, 1 - 2^-hits. The
missing mass 2^-hits belongs to what the file does not say.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Sequence

Words = tuple[str, ...]
ORDER = 4


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

    def predict(self, context: Sequence[str]) -> tuple[dict[str, float], int]:
        """What follows a context, with probabilities that sum to 1 - 2^-hits, and the number of contexts that hit."""
        mixed: dict[str, float] = {}
        hits = 0
        for length in range(min(self._order - 1, len(context)) + 1):
            key = tuple(context[len(context) - length :])
            total = self._totals.get(key, 0)
            if not total:
                break
            hits += 1
            mixed = {word: p / 2 for word, p in mixed.items()}
            for word, n in self._followers[key].items():
                mixed[word] = mixed.get(word, 0.0) + n / total / 2
        return mixed, hits

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


class DocumentCaches:
    """One cache a document, kept in step with its lines: unchanged lines are recognised as the same objects."""

    def __init__(self, capacity: int = 8) -> None:
        self._capacity = capacity
        self._caches: OrderedDict[str, tuple[NgramCache, list[Words]]] = OrderedDict()

    def update(self, key: str, lines: list[Words]) -> NgramCache:
        """The cache of a document that now has these lines."""
        cache, old = self._caches.pop(key, (NgramCache(), []))
        first, limit = 0, min(len(old), len(lines))
        while first < limit and old[first] == lines[first]:
            first += 1
        last = 0
        while last < limit - first and old[len(old) - 1 - last] == lines[len(lines) - 1 - last]:
            last += 1
        for words in old[first : len(old) - last]:
            cache.forget(words)
        for words in lines[first : len(lines) - last]:
            cache.learn(words)
        self._caches[key] = (cache, lines)
        while len(self._caches) > self._capacity:
            self._caches.popitem(last=False)
        return cache
