"""Table of the files of a workspace folder with the names of each. Totals are computed for each view.

No sums are kept while files change: a view is computed from the current files, so that an updated index equals a
rebuilt index. W distinct names, F files, P pairs of a file and a name in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from editahead.index.lexicon import NameOccurrences
from editahead.index.sliced_work import Steps, merge_sorted, select_items
from editahead.index.view import IndexView, Numbers, rank_key
from editahead.index.walk import Stamp

PAIRS_PER_NAME = 50  # bounds the memory of pairs, 12 bytes each, by the most names
_SLACK = 2  # names may grow to so many times the most before the least useful go
_DEAD_SHARE = 0.1  # of names that no file holds any more, before they are dropped
_COUNT, _LINE, _DECLARED = 1, 2, np.uint32(1)
_AT_ONCE, _FILES_AT_ONCE = 500, 8  # names and files between two steps


@dataclass(slots=True)
class _File:
    family: str
    stamp: Stamp
    cells_3P: Numbers  # name numbers, counts, and lines times two, plus 1 for a declaration


@dataclass(frozen=True)
class _Totals:
    """Sums for the N names in the files of a family, by number; `file_N` indexes the sorted paths of all files."""

    ids_N: npt.NDArray[np.int64]
    counts_N: Numbers
    spread_N: Numbers
    file_N: Numbers
    line_N: Numbers


class NameTable:
    """The files of a folder by their paths relative to the root. For a single thread."""

    def __init__(self, most_names: int) -> None:
        self._most = most_names
        self._numbers: dict[str, int] = {}
        self._words: list[str] = []
        self._sorted: list[str] = []  # the first of `_words`, as far as they are sorted
        self._order_W = np.zeros(0, dtype=np.int64)  # the numbers of these
        self._files: dict[str, _File] = {}
        self._pairs = 0
        self.cut = False  # names have been dropped

    def __contains__(self, where: object) -> bool:
        return where in self._files

    def __len__(self) -> int:
        return len(self._files)

    @property
    def names(self) -> int:
        """The number of distinct names in memory."""
        return len(self._words)

    @property
    def is_full(self) -> bool:
        """Whether the limit of names is reached."""
        return self._pairs >= PAIRS_PER_NAME * self._most

    def stamp(self, where: str) -> Stamp | None:
        """Return the stamp of a file when it was read; None for an unknown file."""
        file = self._files.get(where)
        return file.stamp if file else None

    def below(self, folder: str) -> list[str]:
        """Return the files below a folder; all for the root, which is the empty text."""
        return [where for where in self._files if is_below(where, folder)]

    def put(self, where: str, family: str, stamp: Stamp, names: NameOccurrences | None) -> Steps[bool]:
        """Add or replace a file; `names` is None for a file without readable names.

        Returns whether that changes any view.
        """
        cells_3P = np.zeros((3, 0 if names is None else len(names.words)), dtype=np.uint32)
        if names is not None:
            for column, word in enumerate(names.words):
                number = self._numbers.get(word)
                if number is None:
                    number = self._numbers[word] = len(self._words)
                    self._words.append(word)
                cells_3P[0, column] = number
                if column % _AT_ONCE == 0:
                    yield
            cells_3P[_COUNT] = names.counts_N
            cells_3P[_LINE] = names.lines_N * 2 + names.declared_N
        old = self._files.get(where)
        self.forget(where)
        self._files[where] = _File(family, stamp, cells_3P)
        self._pairs += cells_3P.shape[1]
        if len(self._words) > _SLACK * self._most:
            yield from self._shrink()
        return old is None or old.family != family or not np.array_equal(old.cells_3P, cells_3P)

    def forget(self, where: str) -> bool:
        """Remove a file; return whether it was stored."""
        file = self._files.pop(where, None)
        if file is not None:
            self._pairs -= file.cells_3P.shape[1]
        return file is not None

    def views(self) -> Steps[dict[str, IndexView]]:
        """Return a view of each family of languages."""
        ordered = yield from merge_sorted((), list(self._files))
        totals = yield from self._totals(ordered)
        alive = self._alive(totals)
        dead = len(self._words) - len(alive)
        if len(alive) > self._most or dead > _DEAD_SHARE * len(self._words):
            yield from self._shrink()
            totals = yield from self._totals(ordered)
        order_W = yield from self._alphabet()
        position_W = np.zeros(len(self._words), dtype=np.int64)
        views = {}
        for family, total in totals.items():
            position_W[:] = -1
            position_W[total.ids_N] = np.arange(len(total.ids_N))
            order_N = position_W[order_W]
            order_N = order_N[order_N >= 0]
            yield
            words = yield from select_items(self._words, total.ids_N[order_N].tolist())
            counts, spread = total.counts_N[order_N], total.spread_N[order_N]
            views[family] = IndexView(words, counts, spread, total.file_N[order_N], total.line_N[order_N], ordered)
            yield
        return views

    def _alphabet(self) -> Steps[npt.NDArray[np.int64]]:
        if len(self._sorted) < len(self._words):
            self._sorted = yield from merge_sorted(self._sorted, self._words[len(self._sorted) :])
            order_W = np.empty(len(self._sorted), dtype=np.int64)
            for start in range(0, len(order_W), _AT_ONCE):
                order_W[start : start + _AT_ONCE] = [self._numbers[w] for w in self._sorted[start : start + _AT_ONCE]]
                yield
            self._order_W = order_W
        return self._order_W

    def _totals(self, ordered: Sequence[str]) -> Steps[dict[str, _Totals]]:
        parts: dict[str, list[tuple[int, Numbers]]] = {}
        for number, where in enumerate(ordered):
            file = self._files[where]
            parts.setdefault(file.family, []).append((number, file.cells_3P))
        totals = {}
        for family, files in parts.items():
            totals[family] = yield from _summed(files, len(self._words))
        return totals

    def _alive(self, totals: Mapping[str, _Totals]) -> npt.NDArray[np.int64]:
        held_W = np.zeros(len(self._words), dtype=np.bool_)
        for family_totals in totals.values():
            held_W[family_totals.ids_N] = True
        return np.flatnonzero(held_W)

    def _shrink(self) -> Steps[None]:
        """Drop unused names, and the least useful ones beyond the limit. Must not be interrupted."""
        size = len(self._words)
        counts_W, spread_W = np.zeros(size, dtype=np.uint32), np.zeros(size, dtype=np.uint32)
        for number, file in enumerate(self._files.values()):
            counts_W[file.cells_3P[0]] += file.cells_3P[_COUNT]
            spread_W[file.cells_3P[0]] += 1
            if number % _FILES_AT_ONCE == 0:
                yield
        alive = np.flatnonzero(spread_W)
        if len(alive) > self._most:
            value = rank_key(counts_W[alive], spread_W[alive])
            alive = np.sort(alive[np.argpartition(value, len(alive) - self._most)[len(alive) - self._most :]])
            self.cut = True
        renamed_W = np.full(size, -1, dtype=np.int64)
        renamed_W[alive] = np.arange(len(alive))
        words = yield from select_items(self._words, alive.tolist())
        for number, file in enumerate(self._files.values()):
            ids = renamed_W[file.cells_3P[0]]
            file.cells_3P = file.cells_3P[:, ids >= 0]
            file.cells_3P[0] = ids[ids >= 0]
            if number % _FILES_AT_ONCE == 0:
                yield
        self._words = words
        self._numbers = {word: number for number, word in enumerate(words)}
        self._sorted, self._order_W = [], np.zeros(0, dtype=np.int64)
        self._pairs = sum(file.cells_3P.shape[1] for file in self._files.values())


def is_below(where: str, folder: str) -> bool:
    """Whether a path lies below a folder; any does below the root, which is the empty text."""
    return not folder or where.startswith(folder + "/")


def _summed(files: Sequence[tuple[int, Numbers]], size: int) -> Steps[_Totals]:
    """Sum over files, given by number, for `size` names.

    A name comes from the first file that declares it, else from the first that uses it.
    """
    counts_W, spread_W, file_W, line_W = (np.zeros(size, dtype=np.uint32) for _ in range(4))
    declared_W = np.zeros(size, dtype=np.bool_)
    for step, (number, cells_3P) in enumerate(files):
        ids, more, marks = cells_3P
        declared = (marks & _DECLARED).astype(np.bool_)
        better = (spread_W[ids] == 0) | (declared & ~declared_W[ids])
        taken = ids[better]
        file_W[taken] = number
        line_W[taken] = marks[better] >> 1
        declared_W[taken] = declared[better]
        counts_W[ids] += more
        spread_W[ids] += 1
        if step % _FILES_AT_ONCE == 0:
            yield
    ids_N = np.flatnonzero(spread_W)
    return _Totals(ids_N, counts_W[ids_N], spread_W[ids_N], file_W[ids_N], line_W[ids_N])
