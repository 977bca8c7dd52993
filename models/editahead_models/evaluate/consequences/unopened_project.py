"""The files of a project at its newest commit, none of which is open, as the server would lead into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from editahead.git import read_blobs, tree_files
from editahead.index.importers import importers, is_import_of
from editahead.index.lexicon import lexicon_of
from editahead.index.project_imports import EMPTY_IMPORTS, ProjectImports
from editahead.index.sliced_work import finish
from editahead.index.stream_table import StreamTable
from editahead.suggest.types import UNOPENED, Document
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer

from editahead_models.data.corpus.source_files import MAX_FILE_BYTES
from editahead_models.data.projects import Project
from editahead_models.evaluate.consequences.rename_replays import opened, uri_of
from editahead_models.evaluate.consequences.unopened_replays import MAX_FILES

_MOST_NAMES = 200_000


class UnopenedFolder:
    """Implements `suggest.types.UnopenedProject` for some files of one language; `open_paths` are left out."""

    def __init__(
        self, files: Mapping[str, str], language: Language, imports: ProjectImports, open_paths: frozenset[str]
    ) -> None:
        self._files, self._language, self._imports, self._open = files, language, imports, open_paths
        self.cut = set[str]()
        self._packages = frozenset(path.rpartition("/")[0] for path in files if path.endswith("__init__.py"))

    def importing(self, uri: str, name: str, check: Callable[[], None]) -> Iterator[Document]:
        """Yield the files that may use a name, as many as the server reads."""
        found = importers(self._imports, name, _path(uri), self._packages.__contains__, check)
        for path in islice((path for path in found if path not in self._open), MAX_FILES):
            yield replace(opened(path, self._files[path], self._language), version=UNOPENED)

    def unchanged(self) -> bool:
        """Nothing is written."""
        return True

    def leads_to(self, module: str, here: str, home: str) -> bool:
        """Whether a module or a type that is written in one file is of another."""
        return is_import_of(module, _path(here), _path(home), self._imports, self._packages.__contains__)

    def declares(self, name: str, package: str, but: str) -> bool:
        """Whether a file of a package declares a type of a name, but for one file."""
        return self._imports.packages.has_type(name, package, _path(but))


def sources(project: Project, language: Language) -> dict[str, str]:
    """The text of all files of a language at HEAD, in path order, but for huge ones and those that are not UTF-8."""
    tree = tree_files(project.path, "HEAD", bare=True)
    chosen = [(path, blob) for path, blob in tree if path.endswith(language.extensions)]
    contents = read_blobs(project.path, [blob for _, blob in chosen], bare=True, most=MAX_FILE_BYTES)
    found = dict[str, str]()
    for path, blob in sorted(chosen):
        try:
            found[path] = contents.get(blob, b"\r").decode()
        except UnicodeDecodeError:
            continue
    return {path: text for path, text in found.items() if "\r" not in text}


def imports_of(files: Mapping[str, str], language: Language) -> ProjectImports:
    """What the index knows of the imports of some files."""
    lexicon, streams = lexicon_of(language), StreamTable(_MOST_NAMES)
    if lexicon is None:
        return EMPTY_IMPORTS
    for path, text in files.items():
        finish(streams.read(path, Buffer(text.encode()), lexicon))
    ngrams = finish(streams.ngrams(files)).get(lexicon.family)
    return ngrams.imports if ngrams is not None else EMPTY_IMPORTS


def _path(uri: str) -> str:
    return uri.removeprefix(uri_of(""))
