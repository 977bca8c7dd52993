"""Leftovers of a change: text that no longer fits the changed text, with the reason; which file a Python module is."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.check.texts import ChangedFile
from editahead.patterns.changes import NetChange
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import LeadsTo, is_module, path_of
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.words import IDENTIFIER, WORD_BYTES

PACKAGE_FILE = "__init__.py"
_NOT_OF_PROJECTS = sys.stdlib_module_names - {"test"}
_BINDING_BY_TEXT = re.compile(rb"\b(?:globals|vars)\s*\(\s*\)|\bsys\s*\.\s*modules\b|(?<![\w.])exec\s*\(")


def has_dynamic_bindings(data: bytes) -> bool:
    """Whether a module may bind names dynamically: by `globals()`, `exec(`, `sys.modules`."""
    return _BINDING_BY_TEXT.search(data) is not None


def module_test(exists: Callable[[str], bool]) -> LeadsTo:
    """A test whether an imported module is a given file; `exists` tests paths of the project.

    The roots of imports are unknown: any folder may be a root, but for a package. The nearest above the importer wins.
    """

    def is_module_of(module: str, uri: str, home_uri: str) -> bool:
        importing, declaring = path_of(uri), path_of(home_uri)
        if not is_module(module, "", declaring, importing):
            return False
        if module.startswith(".") or declaring.suffix not in (".py", ".pyi"):
            return True
        parts = module.split(".")
        if parts[0] in _NOT_OF_PROJECTS:
            return False
        own = declaring.parent if declaring.name == PACKAGE_FILE else declaring.with_suffix("")
        root = PurePosixPath(*own.parts[: -len(parts)])
        if exists(str(root / PACKAGE_FILE)):
            return False
        for folder in importing.parents:
            if folder == root:
                break
            stem = folder.joinpath(*parts)
            there = any(exists(str(path)) for path in (stem.with_name(f"{stem.name}.py"), stem / PACKAGE_FILE))
            if there and not exists(str(folder / PACKAGE_FILE)):
                return False
        return True

    return is_module_of


FILE = Path(__file__).with_name("left_rates.json")


@cache
def left_rates() -> dict[str, float]:
    """Probability by kind, if every second change missed an edit."""
    table: dict[str, float] = json.loads(FILE.read_text(encoding="utf-8"))
    return table


def left_rate(kind: str) -> float:
    """The probability that a leftover of this kind tells of a missed edit; 0 where nothing was measured."""
    return left_rates().get(kind, 0.0)


MAX_LEFT = 50  # leftovers of a rule about the same name; a change with more has skipped them on purpose
MAX_NAME_BYTES = 200  # bytes around a change in which the beginning and the end of a name are looked for
WORD = re.compile(IDENTIFIER)
_BEGUN, _ENDED = re.compile(rb"[" + WORD_BYTES + rb"]*\Z"), re.compile(rb"[" + WORD_BYTES + rb"]*")


@dataclass(frozen=True, eq=False)
class Leftover:
    """Bytes [start, end) of a document's text that do not fit the change.

    `kind` names the rule; `reason` is a sentence for people; `name` is the name that it is about;
    `cause`: the path and the zero-based line of the change, if any. `owner`: for a member the name of the
    class that does not declare it.
    """

    document: Document
    start: int
    end: int
    kind: str
    name: str
    reason: str
    cause: tuple[str, int] | None = None
    owner: str = ""

    @property
    def where(self) -> str:
        """The path of the file."""
        return self.document.uri

    @property
    def line(self) -> int:
        """The zero-based line that it begins on."""
        return self.document.syntax.buffer.line_at(self.start)

    @property
    def probability(self) -> float:
        """How probable it is that it tells of a missed edit."""
        return left_rate(self.kind)


class NamesOf:
    """The names of documents, each read on demand."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Document, Resolver | None]] = {}

    def __call__(self, document: Document) -> Resolver | None:
        """The names of a document; None in a language without a table of scopes."""
        cached = self._known.get(id(document))
        if cached is None:
            cached = self._known[id(document)] = document, resolver_of(document.syntax, path=document.uri)
        return cached[1]


@dataclass(eq=False)
class FileVersions:
    """A changed file before and after, each with the meaning of its names; both are read on demand.

    `table` is the scope table of its language.
    """

    file: ChangedFile
    table: ScopeTable

    @cached_property
    def now(self) -> Resolver | None:
        """The names of the current text."""
        return resolver_of(self.file.document.syntax, path=self.file.document.uri)

    @cached_property
    def before(self) -> Resolver | None:
        """The names of the text before the change."""
        return resolver_of(self.syntax_before, path=self.file.document.uri)

    @cached_property
    def syntax_before(self) -> SyntaxSnapshot:
        """The text before the change."""
        document = self.file.document
        return open_snapshot(document.history.anchor, document.syntax.language)

    def is_touched(self, start: int, end: int) -> bool:
        """Whether the change inserted or removed text in bytes [start, end) of the current text."""
        return any(change.start <= end and start <= change.end for change in self.file.changes)

    def byte_before(self, byte: int) -> int:
        """The offset before the change of an untouched byte of the current text."""
        earlier = (change for change in self.file.changes if change.end <= byte)
        return byte + sum(len(change.old) - (change.end - change.start) for change in earlier)

    def name_before(self, at: NameAt) -> NameAt | None:
        """An untouched occurrence as it stood before the change."""
        was = self.before
        return was.name_at(self.byte_before(at.start), at.occurrence.name) if was is not None else None

    @cached_property
    def has_dynamic_bindings(self) -> bool:
        """Whether this is a Python module that may bind names dynamically."""
        return self.table.classes.explicit_self and has_dynamic_bindings(self.file.document.syntax.buffer.data)

    def has_lost(self, name: str) -> bool:
        """Whether the module declared a name before the change and no longer does."""
        was, now = self.before, self.now
        if was is None or now is None or not was.exists(name, MODULE_SCOPE) or now.exists(name, MODULE_SCOPE):
            return False
        if self.has_dynamic_bindings:
            return False
        return not now.scopes.has_wildcard_import() and not now.exists("__getattr__", MODULE_SCOPE)

    @cached_property
    def _replaced(self) -> list[tuple[NetChange, list[bytes]]]:
        """Each change with the words that it removed or altered, as they were."""
        replaced, data, shift = [], self.file.document.history.anchor.data, 0
        for change in self.file.changes:
            start = change.start + shift
            replaced.append((change, WORD.findall(_whole_words(data, start, start + len(change.old)))))
            shift += len(change.old) - (change.end - change.start)
        return replaced

    @cached_property
    def old_words(self) -> dict[bytes, int]:
        """The words that the change removed or altered, as they were, each with the zero-based line of that change."""
        line_by_word: dict[bytes, int] = {}
        for change, words in self._replaced:
            for word in words:
                line_by_word.setdefault(word, self.file.document.syntax.buffer.line_at(change.start))
        return line_by_word

    def words_replaced(self, start: int, end: int) -> list[bytes]:
        """The words that bytes [start, end) of the current text replaced."""
        rows = (words for change, words in self._replaced if change.start <= end and start <= change.end)
        return [word for words in rows for word in words]

    @cached_property
    def new_words(self) -> tuple[bytes, ...]:
        """The words that the change wrote or altered, as they are."""
        data = self.file.document.syntax.buffer.data
        texts = (_whole_words(data, change.start, change.end) for change in self.file.changes)
        return tuple(dict.fromkeys(word for text in texts for word in WORD.findall(text)))

    def line_of(self, name: str) -> int:
        """The zero-based line of the change that took a word away; 0 where none did."""
        return self.old_words.get(name.encode(), 0)


def _whole_words(data: bytes, start: int, end: int) -> bytes:
    """Bytes [start, end) of a text with the rest of the words that they begin or end in: most renames keep a part."""
    before, after = data[max(0, start - MAX_NAME_BYTES) : start], data[end : end + MAX_NAME_BYTES]
    begun, ended = _BEGUN.search(before), _ENDED.match(after)
    head, tail = begun[0] if begun else b"", ended[0] if ended else b""
    return head + data[start:end] + tail
