"""Files of the workspace that are not open, as documents: what a rename of an exported name leads to.

They are read on the inference thread, few at a time, and only those that the index would read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from editahead.index.importers import importers, is_import_of
from editahead.index.lexicon import language_family
from editahead.index.project_imports import ProjectImports
from editahead.index.walk import candidate_at, read_candidate, stamp_of
from editahead.lsp.rpc.uris import path_of
from editahead.suggest.types import UNOPENED, Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_path
from editahead.text.history import History
from editahead.text.memo import RecentEntries

MAX_FILES = 30  # files that are read for a name
MAX_BYTES = 300_000  # of a file
_KEPT = 60
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class UnopenedFiles:
    """The files that were read last. `view` is for the loop's thread, what it gives for the inference thread."""

    def __init__(self) -> None:
        self._documents = RecentEntries[Path, tuple[tuple[int, int], Document]](_KEPT)
        self._view: UnopenedView | None = None

    def view(self, document: Document, opened: frozenset[Path]) -> UnopenedView | None:
        """The project of a document without the open files; None where the index has no imports."""
        imports = document.elsewhere.imports if document.elsewhere is not None else None
        if imports is None or not imports.project.paths or document.root is None or document.path is None:
            return None
        last, view = self._view, UnopenedView(self, replace(document, elsewhere=None), imports.project, opened)
        self._view = last if last is not None and last.is_same_as(view) else view
        return self._view

    def forget(self) -> None:
        """Keep no text."""
        self._documents.clear()
        self._view = None

    def read_before(self, path: Path) -> Document | None:
        """A file that was read before."""
        kept = self._documents.get(path)
        return kept[1] if kept is not None else None

    def read(self, source: Document, where: str) -> Document | None:
        """A file below the root of the requesting document; None where it must not or cannot be read."""
        root = source.root
        assert root is not None
        candidate = candidate_at(root, where, source.settings)
        language, path = by_path(where), root / where
        if candidate is None or language is None or candidate.stamp[1] > MAX_BYTES:
            return None
        cached = self._documents.get(path)
        if cached is None or cached[0] != candidate.stamp:
            buffer = read_candidate(root, candidate)
            if buffer is None:
                return None
            history = History(buffer, lambda: 0.0).view()
            document = Document(
                path.as_uri(), path, language.id, UNOPENED, open_snapshot(buffer, language), history, source.settings,
                root=root,
            )  # fmt: skip
            cached = candidate.stamp, document
        self._documents.keep(path, cached)
        return replace(cached[1], settings=source.settings)


class UnopenedView:
    """Implements `suggest.types.UnopenedProject` for a snapshot of a session."""

    def __init__(
        self, files: UnopenedFiles, asking: Document, imports: ProjectImports, opened: frozenset[Path]
    ) -> None:
        self._files, self._asking, self._imports, self._opened = files, asking, imports, opened
        self._read = dict[str, tuple[int, int] | None]()  # stamps of the files that were looked at
        self.cut = set[str]()

    def is_same_as(self, other: UnopenedView) -> bool:
        """Whether both see the same files under the same settings."""
        mine, theirs = self._asking, other._asking
        same = (mine.root, mine.settings, self._opened) == (theirs.root, theirs.settings, other._opened)
        return same and self._imports is other._imports

    def importing(self, uri: str, name: str, check: Callable[[], None]) -> Iterator[Document]:
        """Yield the files that may use a name which the file of a URI declares, at most `MAX_FILES`.

        Beyond these, and where a file must not be written, the name is in `cut`.
        """
        declaring, root, family = self._where(uri), self._asking.root, language_family(self._asking.language_id)
        if declaring is None or root is None:
            return
        importing_files = importers(self._imports, name, declaring, self._is_package, check)
        paths = (path for path in importing_files if not self._is_open(root / path))
        for path in islice(paths, MAX_FILES):
            check()
            self._read[path] = stamp_of(root / path)
            if not _is_writable(root / path):
                self.cut.add(name)
                continue
            document = self._files.read(self._asking, path)
            if document is not None and language_family(document.language_id) == family:
                yield document
        if next(paths, None) is not None:
            self.cut.add(name)

    def unchanged(self) -> bool:
        """Whether the files that were read are unchanged; else all are read again."""
        root = self._asking.root
        assert root is not None
        same = all(stamp_of(root / path) == stamp for path, stamp in self._read.items())
        if not same:
            self._read.clear()
            self.cut.clear()
        return same

    def leads_to(self, module: str, here: str, home: str) -> bool:
        """Whether a module as it is written in the file of the URI `here` is the file of the URI `home`."""
        importing, declaring = self._where(here), self._where(home)
        return (
            importing is not None
            and declaring is not None
            and is_import_of(module, importing, declaring, self._imports, self._is_package)
        )

    def declares(self, name: str, package: str, but: str) -> bool:
        """Whether a file of a package declares a type of a name, other than the file of the URI `but`."""
        return self._imports.packages.has_type(name, package, self._where(but) or "")

    def read_before(self, uri: str) -> Document | None:
        """A file that was read before, by its URI; reads nothing."""
        path = path_of(uri)
        return self._files.read_before(path) if path is not None and not self._is_open(path) else None

    def _is_open(self, path: Path) -> bool:
        """Whether a file below the root is open, perhaps through a folder that is a link."""
        return path in self._opened or os.path.realpath(path) in self._opened_really

    @cached_property
    def _opened_really(self) -> frozenset[str]:
        return frozenset(map(os.path.realpath, self._opened))

    def _where(self, uri: str) -> str | None:
        path, root = path_of(uri), self._asking.root
        return path.relative_to(root).as_posix() if path is not None and root and path.is_relative_to(root) else None

    @property
    def _is_package(self) -> Callable[[str], bool]:
        root = self._asking.root
        return cache(lambda folder: os.path.lexists(f"{root}/{folder}/__init__.py"))


def _is_writable(path: Path) -> bool:
    """Whether the user may write a file, and it is not marked as generated or read-only."""
    try:
        return os.access(path, os.W_OK) and bool(os.stat(path).st_mode & _WRITABLE)
    except OSError:
        return True  # it is gone: reading it says so
