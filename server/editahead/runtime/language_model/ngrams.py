"""A local n-gram cache, which predicts the next token from n-grams of the file. Needs no bundle; learns while typing.

Interpolation of Hellendoorn and Devanbu (FSE 2017, section 3.3): from the unigram up to the longest context seen,
`p <- p/2 + count/context_count/2`, stop at the first unseen context, divide by the mass so far, 1 - 2^-hits. The
missing mass 2^-hits belongs to tokens that the file does not predict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from editahead.text.memo import RecentEntries

Words = tuple[str, ...]
Row = TypeVar("Row")
ORDER = 4
LINE_END = "\0"  # stands behind the last word of a line
BUCKETS = 3 * ORDER + 1
_BETWEEN = "\0\0"  # stands between lines, and is no word
_BLOCK = 64  # rows compared at once
_CAP = 1000.0  # of a level's weight


class CacheScores(NamedTuple):
    """A prediction of n-grams: words with probabilities that sum to at most `mass`, and the amount of evidence.

    `hits` is the number of contexts in the file, the empty context too; `times` is the count of the longest of them.
    `project_hits` and `project_times` are the same for the other files of the project, `project` is their part of
    `words`.
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
        total_mass = 1 - 2.0 ** -max(self.hits, hits)
        mine, theirs = (min(_CAP, 2.0**self.hits) if self.hits else 0.0), min(_CAP, 2.0**hits)
        scale = total_mass / (mine + theirs)
        project = {word: p * scale * theirs / (1 - 2.0**-hits) for word, p in words.items()}
        share = scale * mine / (1 - 2.0**-self.hits) if self.hits else 0.0
        mixed = {word: p * share for word, p in self.words.items()}
        for word, p in project.items():
            mixed[word] = mixed.get(word, 0.0) + p
        return CacheScores(mixed, self.hits, self.times, hits, times, project)


class NgramCache:
    """The n-grams of some lines, counted on demand; lines can be added, removed and replaced.

    A query is about a single context, and a jump of the cursor replaces all lines: searching that context among the
    words is cheaper than counting all n-grams that come and go.
    """

    def __init__(self, order: int = ORDER) -> None:
        self._order = order
        self._lines: list[Words] = []
        self._words: list[str] | None = None  # of all lines, in order; None where they are to be joined anew
        self._frequencies: Counter[str] = Counter()  # of them
        self._total = 0
        self.changes = 0  # versions of the lines so far: equal numbers, equal counts

    def __len__(self) -> int:
        return sum(map(len, self._lines))

    def learn(self, words: Sequence[str]) -> None:
        """Add a line."""
        self.replace(len(self._lines), len(self._lines), [tuple(words)])

    def forget(self, words: Sequence[str]) -> None:
        """Remove a line that was added before. Raises ValueError for any other line."""
        at = self._lines.index(tuple(words))
        self.replace(at, at + 1, [])

    def replace(self, first: int, last: int, lines: Sequence[Words]) -> None:
        """Replace the lines in [first, last)."""
        self._lines[first:last] = lines
        self._words = None
        self.changes += 1

    def predict(self, context: Sequence[str]) -> CacheScores:
        """Predict the token behind a context."""
        words, mixed = self._joined(), dict[str, float]()
        ends: list[int] = []  # the ends of the occurrences of the context
        hits = count = 0
        for length in range(min(self._order - 1, len(context)) + 1):
            if length:
                ends = _ends_of(words, context[-1]) if length == 1 else _longer(words, ends, length, context[-length])
            followers = Counter([words[end] for end in ends]) if length else self._frequencies
            total = len(ends) if length else self._total
            if not total:
                break
            hits, count = hits + 1, total
            mixed = {word: p / 2 for word, p in mixed.items()}
            for word, n in followers.items():
                mixed[word] = mixed.get(word, 0.0) + n / total / 2
        return CacheScores(mixed, hits, count)

    def _joined(self) -> list[str]:
        """The words of all lines, each line closed by _BETWEEN."""
        if self._words is None:
            self._words = [word for line in self._lines if line for word in (*line, _BETWEEN)]
            self._frequencies = Counter(self._words)
            self._total = len(self._words) - self._frequencies.pop(_BETWEEN, 0)
        return self._words


def _ends_of(words: list[str], word: str) -> list[int]:
    """The positions behind a word, where another word of its line follows."""
    ends, at = list[int](), -1
    with suppress(ValueError):  # there is no more
        while True:
            at = words.index(word, at + 1)
            if words[at + 1] != _BETWEEN:
                ends.append(at + 1)
    return ends


def _longer(words: list[str], ends: list[int], length: int, word: str) -> list[int]:
    """Those of `ends` that a word stands `length` words before."""
    return [end for end in ends if end >= length and words[end - length] == word]


class DocumentCaches(Generic[Row]):
    """One cache per document, updated with its lines; unchanged lines are mostly the same objects."""

    def __init__(self, words_of: Callable[[Row], Words], capacity: int = 8) -> None:
        self._words_of = words_of
        self._caches = RecentEntries[str, tuple[NgramCache, list[Row]]](capacity, by_document=True)

    def update(self, key: str, lines: list[Row]) -> NgramCache:
        """Return the cache of a document, updated to these lines."""
        cache, old = self._caches.pop(key, (NgramCache(), []))
        limit = min(len(old), len(lines))
        first = _alike(old, lines, limit)
        last = _alike(old[::-1], lines[::-1], limit - first) if first < limit else 0
        if first < max(len(old), len(lines)) - last:
            cache.replace(first, len(old) - last, [self._words_of(line) for line in lines[first : len(lines) - last]])
        self._caches.keep(key, (cache, lines))
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
