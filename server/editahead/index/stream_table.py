"""Token streams of the files of a workspace folder, from which n-gram indexes are built."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from editahead.index import project_imports
from editahead.index.import_paths import PATH_FAMILIES, read_path_imports
from editahead.index.lexicon import Lexicon
from editahead.index.ngram_index import FAMILIES, FIXED, LINE, NgramIndex, TokenIds, Words, build_ngram_index, stream_of
from editahead.index.packages import FAMILIES as PACKAGE_FAMILIES
from editahead.index.packages import MAX_TOKENS as LONGEST_NAME
from editahead.index.packages import FilePackage, TokenFiles, build_packages, read_package
from editahead.index.sliced_work import Steps, merge_sorted
from editahead.text.buffer import Buffer

if TYPE_CHECKING:  # without a memory nothing is stored
    from editahead.index.stored_files import IndexedFile

_WITH_STATEMENTS = "python"  # the family whose imports stand in the tokens
_TYPES = ("class", "interface", "enum", "record")
_MAX_STATEMENTS = 1_000  # statements of a file that import, and that declare: a few milliseconds
_KEYS_AT_ONCE = 200
TOKENS_PER_NAME = 8  # bounds the tokens of a project, 20 bytes each, by the most names


class StreamTable:
    """The token streams of a project's files by path. For a single thread."""

    def __init__(self, most_names: int) -> None:
        self._most_words, self._most_tokens = most_names, TOKENS_PER_NAME * most_names
        self._words: dict[str, Words] = {}
        self._files: dict[str, tuple[str, TokenIds]] = {}
        self._ngrams: dict[str, NgramIndex] = {}
        self._imports: dict[str, project_imports.FileImports] = {}
        self._packages: dict[str, FilePackage] = {}
        self._changed: set[str] = set()  # families whose ngrams are not as the files are
        self._full = False  # the last new file did not fit; reset when a file is removed
        self.tokens = 0

    def read(self, where: str, buffer: Buffer | None, lexicon: Lexicon) -> Steps[bool]:
        """Add or replace a file while there is room; returns whether anything changed."""
        family = lexicon.family
        if not self._has_room(where, family):
            return False
        words = self._vocabulary(family)
        stream = np.zeros(0, np.uint32) if buffer is None else (yield from stream_of(buffer, lexicon, words))
        yield
        imports, package = project_imports.FileImports(), FilePackage()
        if buffer is not None and family in PATH_FAMILIES:
            imports = project_imports.FileImports(*read_path_imports(buffer.data, family, where))
        elif family == _WITH_STATEMENTS:
            imports = _imports_of(stream, words)
        elif family in PACKAGE_FAMILIES:
            package = _package_of(stream, words)
        return (yield from self._put(where, family, stream, imports, package))

    def restore(self, where: str, entry: IndexedFile) -> Steps[bool]:
        """Add or replace a file that was stored, as `read` would; returns whether anything changed."""
        if not self._has_room(where, entry.family):
            return False
        numbers = self._vocabulary(entry.family).intern(entry.texts)
        yield
        stream = np.array([*numbers, 0], np.uint32)[entry.stream_T]
        return (yield from self._put(where, entry.family, stream, entry.imports, entry.package))

    def tokens_of(
        self, where: str, family: str
    ) -> tuple[list[str], TokenIds, project_imports.FileImports, FilePackage] | None:
        """Return the texts and tokens (T,) of a file, its imports and its package, as `IndexedFile` has them.

        None where they are not complete: a limit is reached, and reading the file again might give more.
        """
        imports = self._imports.get(where, project_imports.FileImports())
        package = self._packages.get(where, FilePackage())
        if family not in FAMILIES:
            return [], np.zeros(0, np.uint32), imports, package
        if where not in self._files or self._words[family].is_full:
            return None
        numbers, stream = np.unique(self._files[where][1], return_inverse=True)
        texts = [self._words[family].texts[number] for number in numbers.tolist()]
        return texts, stream.astype(np.uint32), imports, package

    def _has_room(self, where: str, family: str) -> bool:
        return family in FAMILIES and not (self._full and where not in self._files)

    def _vocabulary(self, family: str) -> Words:
        return self._words.setdefault(family, Words(self._most_words))

    def _put(
        self, where: str, family: str, stream: TokenIds, imports: project_imports.FileImports, package: FilePackage
    ) -> Steps[bool]:
        yield
        old = self._files.get(where)
        same = old is not None and old[0] == family and np.array_equal(old[1], stream)
        if same and self._imports[where] == imports:
            return False
        self.forget(where)
        self._full = self.tokens + len(stream) > self._most_tokens
        if not self._full:
            self._files[where] = (family, stream)
            self.tokens += len(stream)
            self._changed.add(family)
            self._imports[where], self._packages[where] = imports, package
        return True

    def forget(self, where: str) -> None:
        """Remove a file, if it is stored."""
        family, stream = self._files.pop(where, (None, None))
        self._imports.pop(where, None)
        self._packages.pop(where, None)
        if family is not None and stream is not None:
            self.tokens -= len(stream)
            self._full = False
            self._changed.add(family)

    def ngrams(self, wanted: Container[str]) -> Steps[dict[str, NgramIndex]]:
        """Build the n-gram index of each family from the files in `wanted`, and drop all others."""
        for where in [where for where in self._files if where not in wanted]:
            self.forget(where)
        for family in sorted(self._changed):
            yield
            mine = yield from self._alive(family)
            index = yield from build_ngram_index(mine, self._words[family])
            for where, (start, end) in index.spans.items():  # a slice of this array instead of an array for each file
                self._files[where] = (family, index.stream_T[start:end])
            files = {where: self._imports[where] for where in mine}
            imports = yield from project_imports.build_project_imports(files, dotted=family == _WITH_STATEMENTS)
            if family in PACKAGE_FAMILIES:
                ends = np.array([end for _, end in index.spans.values()], np.int64)
                tokens = TokenFiles(index.stream_T, tuple(index.spans), ends, index.words.numbers)
                packages = yield from build_packages({where: self._packages[where] for where in mine}, tokens)
                imports = replace(imports, packages=packages)
            self._ngrams[family] = replace(index, imports=imports)
            self._changed.discard(family)
        return dict(self._ngrams)

    def _alive(self, family: str) -> Steps[dict[str, TokenIds]]:
        """Return the files of a family, after dropping words that no file contains."""
        words = self._words[family]
        files = {where: stream for where, (named, stream) in self._files.items() if named == family}
        keys: list[str] = []
        for number, where in enumerate(files):
            keys.append(_walk_key(where))
            if number % _KEYS_AT_ONCE == 0:
                yield
        ordered = yield from merge_sorted((), keys)
        mine = {where: files[where] for where in map(_path_of, ordered)}  # whatever was read first
        fixed = np.arange(len(FIXED), dtype=np.uint32)
        alive = np.unique(np.concatenate([fixed, *mine.values()]))
        yield
        if len(alive) < len(words.texts):
            renamed = np.zeros(len(words.texts), np.uint32)
            renamed[alive] = np.arange(len(alive), dtype=np.uint32)
            self._words[family] = yield from words.only(alive.astype(np.int64))
            for where, stream in mine.items():
                mine[where] = renamed[stream]
                self._files[where] = (family, mine[where])
                yield
        return mine


def _walk_key(where: str) -> str:
    """A text by which paths sort as a walk meets them: level by level, each folder's files together."""
    return f"{where.count('/'):05}{where.replace('/', chr(0))}"


def _path_of(key: str) -> str:
    return key[5:].replace(chr(0), "/")


def _imports_of(stream: TokenIds, words: Words) -> project_imports.FileImports:
    """What a file (T,) imports and declares, each once."""

    def starts(*first: str) -> Iterator[list[str]]:
        return _behind(stream, words, first, project_imports.MAX_STATEMENT_TOKENS if "import" in first else 4)

    imports = (pair for texts in starts("from", "import") for pair in project_imports.imports_of(texts))
    declared = (project_imports.declared_by(texts) for texts in starts("class", "def"))
    return project_imports.FileImports(
        tuple(dict.fromkeys(islice(imports, project_imports.MAX_IMPORTS_OF_FILE))),
        tuple(dict.fromkeys(islice(filter(None, declared), project_imports.MAX_DECLARED))),
    )


def _package_of(stream: TokenIds, words: Words) -> FilePackage:
    """The package of a file (T,), what it imports, and the types that it declares."""
    types = _behind(stream, words, _TYPES, 2, line_start=False)
    return read_package(_behind(stream, words, ("package", "import"), LONGEST_NAME), (tokens[-1] for tokens in types))


def _behind(
    stream: TokenIds, words: Words, first: Collection[str], most: int, *, line_start: bool = True
) -> Iterator[list[str]]:
    """At most `most` tokens of a file (T,) from each of some words on, at the start of a line or anywhere."""
    numbers = [words.numbers[text] for text in first if text in words.numbers]
    begins = np.isin(stream[1:], numbers)
    if line_start:
        begins &= stream[:-1] == words.numbers[LINE]
    starts = np.flatnonzero(begins)[:_MAX_STATEMENTS] + 1
    for at in starts.tolist():
        yield [words.texts[n] for n in stream[at : at + most].tolist()]
