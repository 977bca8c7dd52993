"""Views of an index: sorted names, each with its counts and origin, merged with those of open documents. Immutable.

F files, N names.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from editahead.index.ngram_index import EMPTY_NGRAMS, NgramIndex
from editahead.index.sliced_work import prefix_range
from editahead.index.types import OPEN, PROJECT, NameOrigin, NgramPrediction, OtherImports

MAX_NAMES = 200  # names with a prefix
MAX_WITHOUT_PREFIX = 50
_ORIGINS_KEPT = 20_000

Numbers = npt.NDArray[np.uint32]
DOCUMENTS_ASKED = 8  # those last touched
_NAMES_OF_DOCUMENT = 60
_ANSWERS_KEPT = 100
_DECAY = 0.7  # the weight of a name relative to a name in the next more recent document


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


@dataclass(slots=True)
class _Seen:
    """A name in open documents; `view` is that of the most recent document, and `number` the name's index in it."""

    weight: float
    count: int
    files: int
    view: IndexView
    number: int


class WorkspaceNames:
    """Implements `types.OutsideNames` for a document. `own` is its path relative to the root of the project."""

    __slots__ = ("_answers", "_ngrams", "_others", "_own", "_project")

    def __init__(
        self, others: Sequence[IndexView], project: IndexView, own: str | None = None, ngrams: NgramIndex = EMPTY_NGRAMS
    ) -> None:
        self._others = others[:DOCUMENTS_ASKED]
        self._project = project
        self._own = own
        self._ngrams = ngrams
        self._answers: dict[str, Mapping[str, NameOrigin]] = {}

    def names(self, prefix: str) -> Mapping[str, NameOrigin]:
        """Return names that begin with `prefix`, at most 200, or 50 if the prefix is empty.

        Those of open documents, by frequency and recency, precede those of the project, by the number of files.

        A name in both counts as a name of an open document; its count and files are the larger of the two. Open
        documents take at most half of the entries that the project can fill.
        """
        answer = self._answers.get(prefix)
        if answer is None:
            if len(self._answers) >= _ANSWERS_KEPT:
                self._answers.clear()
            answer = self._answers[prefix] = self._compute(prefix)
        return answer

    def is_same_as(self, other: WorkspaceNames) -> bool:
        """Whether both consist of the same views and documents."""
        mine, theirs = ((names._project, names._ngrams, *names._others) for names in (self, other))
        same = len(mine) == len(theirs) and all(a is b for a, b in zip(mine, theirs, strict=True))
        return same and self._own == other._own

    def origin(self, name: str) -> NameOrigin | None:
        """Return the origin of a name, in an open document or else in the project."""
        for view in self._others:
            if (name_origin := view.find(name)) is not None:
                return name_origin
        return self._project.find(name)

    def files_named(self, name: str) -> Sequence[str]:
        """Return the files of the project that are called so, without ending."""
        return self._project.files_named(name)

    def followers(self, context: Sequence[str]) -> NgramPrediction:
        """Predict the token behind a context from the other files of the project."""
        return self._ngrams.followers(context, self._own)

    @property
    def imports(self) -> OtherImports:
        """What the other files of the project import."""
        return OtherImports(self._ngrams.imports, self._own)

    @property
    def reliable_context(self) -> int:
        """The number of tokens of context for which the project is large enough."""
        return self._ngrams.reliable_context

    def _compute(self, prefix: str) -> dict[str, NameOrigin]:
        limit = MAX_NAMES if prefix else MAX_WITHOUT_PREFIX
        opened = self._opened(prefix)
        project = [pair for pair in self._project.best(prefix, self._own) if pair[0] not in opened]
        ordered = sorted(opened.items(), key=lambda item: (-item[1].weight, item[0]))
        merged = {word: self._origin(word, seen) for word, seen in ordered[: max(limit // 2, limit - len(project))]}
        merged.update(project[: limit - len(merged)])
        return merged

    def _opened(self, prefix: str) -> dict[str, _Seen]:
        seen_by_name: dict[str, _Seen] = {}
        weight = 1.0
        for view in self._others:
            numbers = view.numbers(prefix, _NAMES_OF_DOCUMENT)
            for number, count in zip(numbers, view.counts_N[numbers].tolist(), strict=True):
                word = view.words[number]
                seen = seen_by_name.get(word)
                if seen is None:
                    seen_by_name[word] = _Seen(weight * count, count, 1, view, number)
                else:
                    seen.weight += weight * count
                    seen.count += count
                    seen.files += 1
            weight *= _DECAY
        return seen_by_name

    def _origin(self, word: str, seen: _Seen) -> NameOrigin:
        count, files, project = seen.count, seen.files, self._project
        saved = project.number(word)
        if saved is not None:
            count = max(count, int(project.counts_N[saved]))
            files = max(files, int(project.spread_N[saved]))
        return NameOrigin(OPEN, seen.view.files[0], int(seen.view.line_N[seen.number]), count, files)
