"""Names outside one document: those of open documents and of the project, merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from editahead.index.ngram_index import EMPTY_NGRAMS, NgramIndex
from editahead.index.types import OPEN, NameOrigin, NgramPrediction, OtherImports
from editahead.index.view import MOST, MOST_WITHOUT_PREFIX, IndexView

DOCUMENTS_ASKED = 8  # those last touched
_NAMES_OF_DOCUMENT = 60
_ANSWERS_KEPT = 100
_DECAY = 0.7  # what a name in a document counts beside one in the document touched after it


@dataclass(slots=True)
class _Seen:
    """A name in open documents; `view` is that of the most recent one, and `number` the name's index in it."""

    weight: float
    count: int
    files: int
    view: IndexView
    number: int


class WorkspaceNames:
    """Implements `types.OutsideNames` for one document. `own` is its path relative to the root of the project."""

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
        """Return names that begin with `prefix`, at most 200, or 50 without one.

        Those of open documents precede those of the project; the former are ordered by frequency and recency, the
        latter by the number of files.

        A name in both counts as one of an open document; its count and files are the larger of the two. Open
        documents take at most half of the entries that the project can fill.
        """
        known = self._answers.get(prefix)
        if known is None:
            if len(self._answers) >= _ANSWERS_KEPT:
                self._answers.clear()
            known = self._answers[prefix] = self._asked(prefix)
        return known

    def same_as(self, other: WorkspaceNames) -> bool:
        """Whether both are made of the same views and documents."""
        mine, theirs = ((one._project, one._ngrams, *one._others) for one in (self, other))
        same = len(mine) == len(theirs) and all(a is b for a, b in zip(mine, theirs, strict=True))
        return same and self._own == other._own

    def origin(self, name: str) -> NameOrigin | None:
        """Return the origin of a name, in an open document or else in the project."""
        for view in self._others:
            if (found := view.find(name)) is not None:
                return found
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

    def _asked(self, prefix: str) -> dict[str, NameOrigin]:
        room = MOST if prefix else MOST_WITHOUT_PREFIX
        opened = self._opened(prefix)
        project = [pair for pair in self._project.best(prefix, self._own) if pair[0] not in opened]
        ordered = sorted(opened.items(), key=lambda item: (-item[1].weight, item[0]))
        found = {word: self._origin(word, seen) for word, seen in ordered[: max(room // 2, room - len(project))]}
        found.update(project[: room - len(found)])
        return found

    def _opened(self, prefix: str) -> dict[str, _Seen]:
        found: dict[str, _Seen] = {}
        weight = 1.0
        for view in self._others:
            numbers = view.numbers(prefix, _NAMES_OF_DOCUMENT)
            for number, count in zip(numbers, view.counts_N[numbers].tolist(), strict=True):
                word = view.words[number]
                seen = found.get(word)
                if seen is None:
                    found[word] = _Seen(weight * count, count, 1, view, number)
                else:
                    seen.weight += weight * count
                    seen.count += count
                    seen.files += 1
            weight *= _DECAY
        return found

    def _origin(self, word: str, seen: _Seen) -> NameOrigin:
        count, files, project = seen.count, seen.files, self._project
        saved = project.number(word)
        if saved is not None:
            count = max(count, int(project.counts_N[saved]))
            files = max(files, int(project.spread_N[saved]))
        return NameOrigin(OPEN, seen.view.files[0], int(seen.view.line_N[seen.number]), count, files)
