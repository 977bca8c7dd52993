"""Names outside a document: those of open documents and of the project, merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from editahead.index.ngram_index import EMPTY_NGRAMS, NgramIndex
from editahead.index.types import OPEN, NameOrigin, NgramPrediction, OtherImports
from editahead.index.view import MAX_NAMES, MAX_WITHOUT_PREFIX, IndexView

DOCUMENTS_ASKED = 8  # those last touched
_NAMES_OF_DOCUMENT = 60
_ANSWERS_KEPT = 100
_DECAY = 0.7  # the weight of a name relative to a name in the next more recent document


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
