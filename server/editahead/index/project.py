"""The index of a workspace folder: reads the files, follows their changes, and makes views. Writes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from editahead.gitignore.rules import IGNORE_FILE, outer_files
from editahead.index.documents import OpenText
from editahead.index.names import names_in
from editahead.index.ngram_index import EMPTY_NGRAMS, NgramIndex
from editahead.index.reading_order import reading_order
from editahead.index.sliced_work import Steps
from editahead.index.stream_table import StreamTable
from editahead.index.table import NameTable
from editahead.index.types import IndexState
from editahead.index.view import EMPTY, IndexView
from editahead.index.walk import CandidateFile, candidate_at, read_candidate, reason_not_indexable, stamp_of, walk
from editahead.settings import Settings

_FIRST_VIEW = 20  # files; then after four times as many, so that a long first reading is of use before its end
_LOOKED_AT_ONCE = 20


class ProjectIndex:
    """The index of a folder. Not thread-safe, but for `view`, `ngrams`, `state` and `cancel`.

    `documents` returns the open documents, the last changed first: what they need is read first.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        changed: Callable[[IndexState], None] | None = None,
        documents: Callable[[], Sequence[OpenText]] = tuple,
    ) -> None:
        self.root = root
        self.settings = settings
        self.state = IndexState(share=0.0)  # not built yet
        self._changed = changed or (lambda state: None)
        self._documents = documents
        self._table = NameTable(settings.index_max_names)
        self._streams = StreamTable(settings.index_max_names)
        self._ignores: dict[str, tuple[object, ...]] = {}  # by folder, as they were when it was read
        self._views: Mapping[str, IndexView] = {}
        self._ngrams: Mapping[str, NgramIndex] = {}
        self._cancelled = False

    def view(self, family: str) -> IndexView:
        """Return the current view of a family of languages."""
        return self._views.get(family, EMPTY)

    def ngrams(self, family: str) -> NgramIndex:
        """Return the current n-gram index of a family of languages."""
        return self._ngrams.get(family, EMPTY_NGRAMS)

    def cancel(self) -> None:
        """Cancel the running build; what has been read is kept and updated."""
        self._cancelled = True

    def build(self) -> Steps[None]:
        """Read the whole folder."""
        self._cancelled = False
        if reason_not_indexable(self.root) is None:
            self._tell(share=0.0)
            yield from self._reread("", building=True)
        self._ignores = self._patterns()
        yield from self._publish()

    def update(self, paths: Collection[str]) -> Steps[None]:
        """Update the index for files and folders (relative paths with slashes), and detect other deletions."""
        changed = False
        for where in paths:
            folder, _, name = where.rpartition("/")
            if name == IGNORE_FILE:
                changed |= yield from self._reread(folder)
            elif os.path.isdir(self.root / where):
                changed |= yield from self._reread(where)
            else:
                changed |= yield from self._update_file(where)
        changed |= yield from self._sweep()
        if changed:
            yield from self._publish()

    def _reread(self, folder: str, building: bool = False) -> Steps[bool]:
        """Walk a folder, read new and changed files, and drop missing files; return whether anything changed."""
        missing = set(self._table.below(folder))
        max_files = self.settings.index_max_files - (len(self._table) - len(missing))
        changed: list[CandidateFile] = []
        for candidate in walk(self.root, self.settings, folder, max_files):
            yield
            if candidate is None:
                continue
            missing.discard(candidate.where)
            if self._table.stamp(candidate.where) != candidate.stamp:
                changed.append(candidate)
        for where in missing:
            self._table.forget(where)
        if building:
            yield from self._read_first_to_last(changed)
        else:
            for candidate in changed:
                if self._table.is_full:
                    break
                yield from self._read(candidate)
        return bool(missing or changed)

    def _read_first_to_last(self, files: Sequence[CandidateFile]) -> Steps[None]:
        """Read the files of a folder, first what the open documents need; views follow while the reading goes on."""
        opened: frozenset[str] | None = None
        remaining, count, next_view = {file.where: file for file in files}, len(files), _FIRST_VIEW
        order = iter(files)
        while remaining and not (self._table.is_full or self._cancelled):
            documents = self._documents()
            if opened != (opened := frozenset(text.uri for text in documents)):
                order = yield from reading_order(list(remaining.values()), documents, self.root, self.settings)
            file = next(order)
            del remaining[file.where]
            yield from self._read(file)
            number = count - len(remaining)
            self._tell(share=number / count, to_read=count)
            if number == next_view:
                next_view *= 4
                yield from self._make_views()

    def _update_file(self, where: str) -> Steps[bool]:
        candidate = candidate_at(self.root, where, self.settings)
        yield
        if candidate is None:
            gone = [*self._table.below(where), where]  # what was a folder is gone with all that was in it
            forgotten = [self._table.forget(file) for file in gone]  # all of them, not only up to the first
            return any(forgotten)
        if where not in self._table and (self._table.is_full or len(self._table) >= self.settings.index_max_files):
            return False
        return (yield from self._read(candidate))

    def _sweep(self) -> Steps[bool]:
        """Check whether the indexed files and the ignore files in their folders are unchanged.

        Not every client reports every change.
        """
        changed = False
        for folder, stamps in self._patterns().items():
            yield
            if stamps != self._ignores.get(folder, stamps):
                changed |= yield from self._reread(folder)
        self._ignores = self._patterns()
        for number, where in enumerate(self._table.below("")):
            if number % _LOOKED_AT_ONCE == 0:
                yield
            stamp = stamp_of(self.root / where)
            if stamp is None:
                changed |= self._table.forget(where)
            elif stamp != self._table.stamp(where):
                changed |= yield from self._update_file(where)
        return changed

    def _patterns(self) -> dict[str, tuple[object, ...]]:
        """Return the stamps of the ignore files in every folder at or above an indexed file.

        They include those above the root and of the whole repository.
        """
        folders = {""}
        for where in self._table.below(""):
            while (where := where.rpartition("/")[0]) and where not in folders:
                folders.add(where)
        stamps: dict[str, tuple[object, ...]] = {}
        for folder in sorted(folders):
            files = [str(self.root / folder / IGNORE_FILE), *(() if folder else outer_files(self.root))]
            stamps[folder] = tuple(stamp_of(file) for file in files)
        return stamps

    def _read(self, candidate: CandidateFile) -> Steps[bool]:
        buffer = read_candidate(self.root, candidate)
        yield
        names = None if buffer is None else (yield from names_in(buffer, candidate.lexicon))
        has_new_stream = yield from self._streams.read(candidate.where, buffer, candidate.lexicon)
        has_new_names = yield from self._table.put(candidate.where, candidate.lexicon.family, candidate.stamp, names)
        return has_new_stream or has_new_names

    def _publish(self) -> Steps[None]:
        yield from self._make_views()
        self._tell(share=None)

    def _make_views(self) -> Steps[None]:
        """Make the views and the n-gram indexes anew."""
        self._views = yield from self._table.views()
        self._ngrams = yield from self._streams.ngrams(self._table)

    def _tell(self, share: float | None, to_read: int = 0) -> None:
        """Report the state whenever the share of work done has changed by a percent."""
        table = self._table
        full = table.cut or table.is_full or len(table) >= self.settings.index_max_files
        rounded = None if share is None else int(100 * share) / 100
        if not share or rounded != self.state.share:  # always the beginning and the end
            self.state = IndexState(len(table), table.names, rounded, to_read, full)
            self._changed(self.state)
