"""The order in which the files of a project are read: first what the open documents are likely to name.

Modules that a document imports, then its own folder and what lies near it, of equals the file changed last. Files of
other languages come at the end.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from editahead.exclusion import exclusion
from editahead.index.documents import OpenText
from editahead.index.import_paths import PATH_FAMILIES, READ, written_paths
from editahead.index.lexicon import language_family
from editahead.index.sliced_work import Steps
from editahead.index.walk import CandidateFile
from editahead.settings import Settings

MAX_DOCUMENTS = 3
_AT_ONCE, _RUN = 10, 500  # files that are ranked, and sorted, between two steps
_Rank = tuple[bool, bool, int, int]
_IMPORT = re.compile(rb"^[ \t]*(?:pub[ \t]+)?(?:import|from|use|using|mod)\b([^\n;]*)", re.MULTILINE)
_WORD = re.compile(rb"\w+")
_PACKAGE_FILES = frozenset({"__init__", "index", "mod"})  # they stand for their folder
_FOLDER_FAMILIES = frozenset({"go"})  # their imports name folders


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
    shared = 0
    for mine, other in zip(folder, opened.folder, strict=False):
        if mine != other:
            break
        shared += 1
    distance = len(folder) + len(opened.folder) - 2 * shared
    return file.lexicon.family != opened.family, module not in opened.imported, distance, -file.stamp[0]
