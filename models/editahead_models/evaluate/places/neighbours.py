"""What a document of a dev project would see of its surroundings: the product's own index, over the other files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from zlib import crc32

import numpy as np
from editahead.index.lexicon import NameOccurrences, lexicon_of, names_in
from editahead.index.ngram_index import EMPTY_NGRAMS
from editahead.index.sliced_work import finish
from editahead.index.stream_table import StreamTable
from editahead.index.table import NameTable
from editahead.index.types import OPEN
from editahead.index.view import IndexView, WorkspaceNames
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer

_MOST_NAMES = 200_000


class Neighbourhood:
    """The files of one project; `around` leaves one of them out.

    Raises ValueError for a language that is not indexed.
    """

    def __init__(self, files: Iterable[tuple[str, bytes]], language: Language) -> None:
        lexicon = lexicon_of(language)
        if lexicon is None:
            raise ValueError(f"nothing is indexed for {language.id}")
        self._found: dict[str, NameOccurrences] = {}
        streams = StreamTable(_MOST_NAMES)
        for path, text in files:
            buffer = Buffer(text)
            self._found[path] = finish(names_in(buffer, lexicon))
            finish(streams.read(path, buffer, lexicon))
        self._phrases = finish(streams.ngrams(self._found)).get(lexicon.family, EMPTY_NGRAMS)
        self._family = lexicon.family
        self._table = NameTable(_MOST_NAMES)
        for path, found in self._found.items():
            self._put(path, found)

    def around(self, path: str, opened: int = 0) -> WorkspaceNames:
        """The surroundings of a file as if it were new, with the `opened` files that stand nearest to it open."""
        self._table.forget(path)
        project = finish(self._table.views()).get(self._family, IndexView())
        self._put(path, self._found[path])
        others = [_open(other, self._found[other]) for other in self._nearest(path)[:opened]]
        return WorkspaceNames(others, project, path, self._phrases)

    def _put(self, path: str, found: NameOccurrences) -> None:
        finish(self._table.put(path, self._family, (0, 0), found))

    def _nearest(self, path: str) -> list[str]:
        """The other files: those in the same folder first, then by how far up the folder is that holds both."""
        parts = PurePosixPath(path).parts[:-1]

        def apart(other: str) -> tuple[int, str]:
            theirs = PurePosixPath(other).parts[:-1]
            same = next((n for n, (a, b) in enumerate(zip(parts, theirs, strict=False)) if a != b), None)
            same = min(len(parts), len(theirs)) if same is None else same
            return len(parts) + len(theirs) - 2 * same, other

        return sorted((other for other in self._found if other != path), key=apart)


class Around:
    """The surroundings of sampled files of several projects, made anew when another file is asked for.

    A part of the files, `alone`, are treated as if nothing stood around them.
    """

    def __init__(self, projects: Mapping[str, Neighbourhood], alone: float = 0.0) -> None:
        self._projects = projects
        self._alone = alone
        self._last: tuple[str, str, WorkspaceNames | None] = ("", "", None)

    def of(self, project: str, path: str) -> WorkspaceNames | None:
        """What a file sees; None where it stands alone."""
        if self._last[:2] != (project, path):
            alone = project not in self._projects or crc32(path.encode()) < self._alone * 2**32
            self._last = (project, path, None if alone else self._projects[project].around(path))
        return self._last[2]


def _open(path: str, found: NameOccurrences) -> IndexView:
    order = np.array(sorted(range(len(found.words)), key=found.words.__getitem__), dtype=np.int64)
    words = [found.words[at] for at in order.tolist()]
    once_N, first_N = np.ones(len(words), np.uint32), np.zeros(len(words), np.uint32)
    return IndexView(words, found.counts_N[order], once_N, first_N, found.lines_N[order], (path,), OPEN)
