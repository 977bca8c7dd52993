"""What one document sees of the others: the names of open documents and of the project, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from editahead.index.types import OPEN, Origin
from editahead.index.view import MOST, MOST_WITHOUT_PREFIX, View

DOCUMENTS_ASKED = 8  # those last touched
_NAMES_OF_DOCUMENT = 60
_DECAY = 0.7  # what a name in a document counts beside one in the document touched after it


class Surroundings:
    """Implements `types.Elsewhere` for one document. `own` is its path relative to the root of the project."""

    __slots__ = ("_answers", "_others", "_own", "_project")

    def __init__(self, others: Sequence[View], project: View, own: str | None = None) -> None:
        self._others = others[:DOCUMENTS_ASKED]
        self._project = project
        self._own = own
        self._answers: dict[str, Mapping[str, Origin]] = {}

    def names(self, prefix: str) -> Mapping[str, Origin]:
        """Names that begin with `prefix`, at most 200, or 50 without one: first those of open documents, the most
        frequent and most recent first, then those of the project, by the number of files.

        A name that stands in both is one of an open document; its count and files are the larger of the two. Open
        documents fill at most half of the places that the project can fill.
        """
        known = self._answers.get(prefix)
        if known is None:
            known = self._answers[prefix] = self._asked(prefix)
        return known

    def _asked(self, prefix: str) -> dict[str, Origin]:
        room = MOST if prefix else MOST_WITHOUT_PREFIX
        opened = self._opened(prefix)
        project = [pair for pair in self._project.best(prefix, self._own) if pair[0] not in opened]
        most_opened = max(room // 2, room - len(project))
        found = {word: self._widened(word, origin) for word, origin in list(opened.items())[:most_opened]}
        found.update(project[: room - len(found)])
        return found

    def _opened(self, prefix: str) -> dict[str, Origin]:
        weights: dict[str, float] = {}
        origins: dict[str, Origin] = {}
        weight = 1.0
        for view in self._others:
            for word, origin in view.best(prefix, most=_NAMES_OF_DOCUMENT):
                weights[word] = weights.get(word, 0.0) + weight * origin.count
                seen = origins.get(word)
                if seen is not None:
                    origin = Origin(OPEN, seen.where, seen.line, seen.count + origin.count, seen.files + 1)
                origins[word] = origin
            weight *= _DECAY
        ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        return {word: origins[word] for word, _ in ordered}

    def _widened(self, word: str, origin: Origin) -> Origin:
        saved = self._project.find(word)
        if saved is None or (saved.count <= origin.count and saved.files <= origin.files):
            return origin
        counts = max(saved.count, origin.count), max(saved.files, origin.files)
        return Origin(OPEN, origin.where, origin.line, *counts)
