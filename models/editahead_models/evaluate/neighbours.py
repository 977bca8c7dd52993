"""What a document of a dev project would see of its surroundings: the product's own index, over the other files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

import numpy as np
from editahead.index.elsewhere import Surroundings
from editahead.index.lexicon import lexicon_of
from editahead.index.names import Found, names_in
from editahead.index.steps import finish
from editahead.index.table import Table
from editahead.index.types import OPEN
from editahead.index.view import View
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer

_MOST_NAMES = 200_000


class Neighbourhood:
    """The files of one project; `around` leaves one of them out."""

    def __init__(self, files: Iterable[tuple[str, bytes]], language: Language) -> None:
        lexicon = lexicon_of(language)
        if lexicon is None:
            raise ValueError(f"nothing is indexed for {language.id}")
        self._found: dict[str, Found] = {path: finish(names_in(Buffer(text), lexicon)) for path, text in files}
        self._family = lexicon.family
        self._table = Table(_MOST_NAMES)
        for path, found in self._found.items():
            self._put(path, found)

    def around(self, path: str, opened: int = 0) -> Surroundings:
        """The surroundings of a file as if it were new, with the `opened` files that stand nearest to it open."""
        self._table.forget(path)
        project = finish(self._table.views()).get(self._family, View())
        self._put(path, self._found[path])
        return Surroundings([_open(other, self._found[other]) for other in self._nearest(path)[:opened]], project)

    def _put(self, path: str, found: Found) -> None:
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


def _open(path: str, found: Found) -> View:
    order = np.array(sorted(range(len(found.words)), key=found.words.__getitem__), dtype=np.int64)
    words = [found.words[at] for at in order.tolist()]
    once_N, first_N = np.ones(len(words), np.uint32), np.zeros(len(words), np.uint32)
    return View(words, found.counts_N[order], once_N, first_N, found.lines_N[order], (path,), OPEN)
