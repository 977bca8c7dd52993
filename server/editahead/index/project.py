"""The index of a workspace folder: reads the files, follows their changes, and makes views.

It writes nothing, unless it has a store: then a file is read again only if it differs from what is stored of it.

First read is what the open documents are likely to name: modules that they import, then their own folders and what lies
near, of equals the file changed last. Files of other languages come at the end.
"""

from __future__ import annotations

import heapq
import os
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from editahead.exclusion import exclusion
from editahead.gitignore.rules import IGNORE_FILE, outer_files
from editahead.index.documents import OpenText
from editahead.index.import_paths import PATH_FAMILIES, READ, written_paths
from editahead.index.lexicon import NameOccurrences, language_family, names_in
from editahead.index.ngram_index import EMPTY_NGRAMS, NgramIndex
from editahead.index.sliced_work import Steps
from editahead.index.stream_table import StreamTable
from editahead.index.table import NameTable, is_below
from editahead.index.types import IndexState
from editahead.index.view import EMPTY, IndexView
from editahead.index.walk import CandidateFile, candidate_at, read_candidate, reason_not_indexable, stamp_of, walk
from editahead.settings import Settings

if TYPE_CHECKING:  # without a memory nothing is stored
    from editahead.index.stored_files import ProjectStore, StoredFile
    from editahead.text.buffer import Buffer
from editahead.text.diff import common_ends

MAX_DOCUMENTS = 3
_AT_ONCE, _RUN = 10, 500  # files that are ranked, and sorted, between two steps
_Rank = tuple[bool, bool, int, int]
_Files = dict[str, CandidateFile]  # by their paths
_IMPORT = re.compile(rb"^[ \t]*(?:pub[ \t]+)?(?:import|from|use|using|mod)\b([^\n;]*)", re.MULTILINE)
_WORD = re.compile(rb"\w+")
_PACKAGE_FILES = frozenset({"__init__", "index", "mod"})  # they stand for their folder
_FOLDER_FAMILIES = frozenset({"go"})  # their imports name folders
_FIRST_VIEW = 20  # files; then after four times as many, so that a long first reading is of use before its end
_FIRST_RESTORED_VIEW = 4 * _FIRST_VIEW
_LOOKED_AT_ONCE = 20
_SETTLED = 2_000_000_000  # ns, the coarsest clock of a file system


class _OpenFile(NamedTuple):
    """Where a document lies below the root, and the words of its imports."""

    family: str
    folder: tuple[str, ...]
    imported: frozenset[str]


def reading_order(
    files: Sequence[CandidateFile], documents: Sequence[OpenText], root: Path, settings: Settings
) -> Steps[Iterator[CandidateFile]]:
    """Return the files in the order in which they are read; as they stand without documents below the root.

    An excluded document is not looked at. Runs are sorted, and merged as the files are taken: no step sorts all.
    """
    allowed = (text for text in documents[:MAX_DOCUMENTS] if exclusion(settings, text.path, text.root) is None)
    open_files = [opened for text in allowed if (opened := _open_file(text, root)) is not None]
    yield
    if not open_files:
        return iter(files)
    runs: list[list[tuple[_Rank, int]]] = [[]]
    for number, file in enumerate(files):
        runs[-1].append((min(_rank(file, opened) for opened in open_files), number))
        if number % _AT_ONCE == 0:
            yield
        if len(runs[-1]) == _RUN:
            runs[-1].sort()
            runs.append([])
            yield
    runs[-1].sort()
    return (files[number] for _, number in heapq.merge(*runs))


def _open_file(text: OpenText, root: Path) -> _OpenFile | None:
    if text.path is None or not text.path.is_relative_to(root):
        return None
    family, data = language_family(text.language.id), text.buffer.data[:READ]
    if family in PATH_FAMILIES:
        statements = [data[path.start : path.end] for path in written_paths(data, family)]
    else:
        statements = _IMPORT.findall(data)
    words = frozenset(word.decode("utf-8", "replace") for part in statements for word in _WORD.findall(part))
    return _OpenFile(family, text.path.relative_to(root).parts[:-1], words)


def _rank(file: CandidateFile, opened: _OpenFile) -> _Rank:
    """How late a file is read: other language, not imported, folders between the two, time since its change."""
    path = PurePosixPath(file.where)
    folder = path.parts[:-1]
    stands_for_folder = path.stem in _PACKAGE_FILES or opened.family in _FOLDER_FAMILIES
    module = folder[-1] if stands_for_folder and folder else path.stem
    distance = len(folder) + len(opened.folder) - 2 * common_ends(folder, opened.folder)[0]
    return file.lexicon.family != opened.family, module not in opened.imported, distance, -file.stamp[0]


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
        store: ProjectStore | None = None,
    ) -> None:
        self.root = root
        self.is_restoring = False
        """Whether the build reads what is stored: some tenths of a second of work, for which nobody has to wait."""
        self._store = store
        self._stored: dict[str, StoredFile] = {}  # that have not been read since
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
            if self._store is not None:
                self.is_restoring = self._store.load() > 0
                yield
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
        missing, unread = set(self._table.below(folder)), {where for where in self._stored if is_below(where, folder)}
        max_files = self.settings.index_max_files - (len(self._table) - len(missing))
        changed: list[CandidateFile] = []
        for candidate in walk(self.root, self.settings, folder, max_files):
            yield
            if candidate is None:
                continue
            missing.discard(candidate.where)
            unread.discard(candidate.where)
            if self._table.stamp(candidate.where) != candidate.stamp:
                changed.append(candidate)
        for where in missing | unread:
            self._forget(where)
        if building:
            yield from self._read_first_to_last(changed)
        else:
            for candidate in changed:
                if self._table.is_full:
                    break
                yield from self._read(candidate)
        return bool(missing or changed)

    def _read_first_to_last(self, files: Sequence[CandidateFile]) -> Steps[None]:
        """Read the files of a folder: those that are as they were stored, then the others, whose progress is reported.

        First of each is what the open documents need; views follow while the reading goes on.
        """
        unchanged, others = yield from self._split(files)
        read, next_view = 0, _FIRST_RESTORED_VIEW if unchanged else _FIRST_VIEW
        for remaining in (unchanged, others):
            opened, count = None, len(remaining)
            while remaining and not (self._table.is_full or self._cancelled):
                documents = self._documents()
                if opened != (opened := frozenset(text.uri for text in documents)):
                    order = yield from reading_order(list(remaining.values()), documents, self.root, self.settings)
                file = next(order)
                del remaining[file.where]
                yield from self._read(file)
                read += 1
                if remaining is others:
                    self._tell(share=1 - len(others) / count, to_read=count)
                is_last = not remaining and remaining is unchanged and others
                if is_last or (read >= next_view and 4 * (len(files) - read) >= read):
                    next_view = 4 * read
                    yield from self._make_views()
            self.is_restoring = self.is_restoring and not others

    def _split(self, files: Sequence[CandidateFile]) -> Steps[tuple[_Files, _Files]]:
        """Take what is stored of the files; return those that are as they were stored, and the others."""
        unchanged: _Files = {}
        others: _Files = {}
        for number, file in enumerate(files):
            stored = self._store.take(file.where) if self._store is not None else None
            if stored is not None:
                self._stored[file.where] = stored
            (unchanged if stored is not None and _is_unchanged(file, stored) else others)[file.where] = file
            if number % _AT_ONCE == 0:
                yield
        return unchanged, others

    def _update_file(self, where: str) -> Steps[bool]:
        candidate = candidate_at(self.root, where, self.settings)
        yield
        if candidate is None:
            gone = [*self._table.below(where), where]  # what was a folder is gone with all that was in it
            was_indexed = any(file in self._table for file in gone)
            for file in gone:
                self._forget(file)
            return was_indexed
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
                self._forget(where)
                changed = True
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
        where, family = candidate.where, candidate.lexicon.family
        stored = self._stored.pop(where, None)
        entry = stored.entry(family) if stored is not None and _is_unchanged(candidate, stored) else None
        buffer = None
        is_new = entry is None
        if is_new:
            buffer = read_candidate(self.root, candidate)
            yield
            if stored is not None and stored.has_content(buffer):
                entry = stored.entry(family)
        if entry is not None:
            names = entry.names
            has_new_stream = yield from self._streams.restore(where, entry)
        else:
            names = None if buffer is None else (yield from names_in(buffer, candidate.lexicon))
            has_new_stream = yield from self._streams.read(where, buffer, candidate.lexicon)
        if is_new and self._store is not None:
            self._save(self._store, candidate, names, buffer)
            yield
        has_new_names = yield from self._table.put(where, family, candidate.stamp, names)
        return has_new_stream or has_new_names

    def _save(
        self, store: ProjectStore, candidate: CandidateFile, names: NameOccurrences | None, buffer: Buffer | None
    ) -> None:
        """Store what was read of a file, if it is complete, instead of what is stored."""
        from editahead.index.stored_files import Fingerprint, IndexedFile, StoredFile, digest_of, encode_entry

        tokens = self._streams.tokens_of(candidate.where, candidate.lexicon.family)
        if tokens is None:
            store.put(candidate.where, None)
        else:
            is_settled = candidate.changed < time.time_ns() - _SETTLED  # else a later change may have the same times
            changed = candidate.changed if is_settled else -1
            data = encode_entry(IndexedFile(candidate.lexicon.family, names, *tokens))
            store.put(candidate.where, StoredFile(Fingerprint(*candidate.stamp, changed, digest_of(buffer)), data))

    def _forget(self, where: str) -> None:
        """Remove a file that is missing, also from what is stored."""
        was_unread = self._stored.pop(where, None) is not None
        if (self._table.forget(where) or was_unread) and self._store is not None:
            self._store.put(where, None)

    def _publish(self) -> Steps[None]:
        yield from self._make_views()
        self._tell(share=None)
        if self._store is not None:
            self._store.flush()
        self.is_restoring = False

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


def _is_unchanged(file: CandidateFile, stored: StoredFile) -> bool:
    """Whether a file is as it was stored, by its size and times."""
    return stored.fingerprint[:3] == (*file.stamp, file.changed)
