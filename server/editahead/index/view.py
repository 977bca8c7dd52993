"""Views of an index: sorted names, each with its counts and origin. Immutable, so any thread may use them.

F files, N names.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from editahead.index.sliced_work import prefix_range
from editahead.index.types import PROJECT, NameOrigin

MAX_NAMES = 200  # names with a prefix
MAX_WITHOUT_PREFIX = 50
_ORIGINS_KEPT = 20_000

Numbers = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class IndexView:
    """The N sorted names of an index, ranked by the number of files that contain a name, then by its count."""

    words: Sequence[str] = ()
    counts_N: Numbers = field(default_factory=lambda: np.zeros(0, np.uint32))
    spread_N: Numbers = field(default_factory=lambda: np.zeros(0, np.uint32))  # files that hold the name
    file_N: Numbers = field(default_factory=lambda: np.zeros(0, np.uint32))  # where the name comes from
    line_N: Numbers = field(default_factory=lambda: np.zeros(0, np.uint32))
    files: Sequence[str] = ()  # F paths relative to the root, or the URI of an open document
    source: str = PROJECT
    _worth_N: npt.NDArray[np.uint64] = field(init=False, repr=False)
    _best: npt.NDArray[np.int64] = field(init=False, repr=False)
    _origins: dict[int, NameOrigin] = field(default_factory=dict, init=False, repr=False)
    _named: dict[str, list[str]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_worth_N", rank_key(self.counts_N, self.spread_N))
        object.__setattr__(self, "_best", _largest(self._worth_N, MAX_WITHOUT_PREFIX))

    def __len__(self) -> int:
        return len(self.words)

    def numbers(self, prefix: str, most: int = MAX_NAMES) -> list[int]:
        """Return the indices in `words` of the highest ranked names that begin with `prefix`, in order of rank.

        At most `most`, and at most MOST_WITHOUT_PREFIX where the prefix is empty.
        """
        if prefix:
            first, last = prefix_range(self.words, prefix)
            chosen = _largest(self._worth_N[first:last], most) + first
        else:
            chosen = self._best[:most]
        numbers: list[int] = chosen.tolist()
        return numbers

    def best(self, prefix: str, own: str | None = None) -> list[tuple[str, NameOrigin]]:
        """Return the highest ranked names that begin with `prefix`, without those that only file `own` contains."""
        numbers = self.numbers(prefix)
        origins = self._origins_of(numbers)
        pairs = zip((self.words[number] for number in numbers), origins, strict=True)
        if own is None:
            return list(pairs)
        return [(word, origin) for word, origin in pairs if origin.files > 1 or origin.where != own]

    def number(self, word: str) -> int | None:
        """Return the index of a name in `words`, or None."""
        number = bisect_left(self.words, word)
        return number if number < len(self.words) and self.words[number] == word else None

    def find(self, word: str) -> NameOrigin | None:
        """Return the origin of a name, or None."""
        number = self.number(word)
        return None if number is None else self._origins_of([number])[0]

    def files_named(self, name: str) -> Sequence[str]:
        """Return the files that are called so, without ending; the first time in time linear in the files."""
        if not self._named:
            for path in self.files:
                self._named.setdefault(path.rpartition("/")[2].partition(".")[0], []).append(path)
        return self._named.get(name, ())

    def _origins_of(self, numbers: Sequence[int]) -> list[NameOrigin]:
        """Return the origins of names, given by their indices in `words`; cached, since they are needed repeatedly."""
        cached = self._origins
        missing = [number for number in numbers if number not in cached]
        if missing:
            if len(cached) > _ORIGINS_KEPT:
                cached.clear()
                missing = list(numbers)
            at = np.array(missing)
            parts = (part[at].tolist() for part in (self.file_N, self.line_N, self.counts_N, self.spread_N))
            for number, file, line, count, files in zip(missing, *parts, strict=True):
                cached[number] = NameOrigin(self.source, self.files[file], line, count, files)
        return [cached[number] for number in numbers]


def rank_key(counts_N: Numbers, spread_N: Numbers) -> npt.NDArray[np.uint64]:
    """Return sort keys (N,) of names: by files, then by count."""
    return (spread_N.astype(np.uint64) << np.uint64(32)) | counts_N


def _largest(worth_N: npt.NDArray[np.uint64], most: int) -> npt.NDArray[np.int64]:
    """Return the indices of the largest values, largest first; equal values keep their order."""
    if len(worth_N) > most:
        bar = np.partition(worth_N, len(worth_N) - most)[len(worth_N) - most]
        above = np.flatnonzero(worth_N > bar)
        chosen = np.concatenate((above, np.flatnonzero(worth_N == bar)[: most - len(above)]))
    else:
        chosen = np.arange(len(worth_N))
    return chosen[np.argsort(~worth_N[chosen], kind="stable")]


EMPTY = IndexView()
