"""Places that a change left behind: what no longer fits the changed text, with the reason."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.check.left_rates import left_rate
from editahead.check.python_modules import binds_by_text
from editahead.check.texts import ChangedFile
from editahead.patterns.changes import NetChange
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.words import IDENTIFIER, WORD_BYTES

MAX_LEFT = 50
"""Places that one rule names about one name; a change that leaves more has left them on purpose."""
LONGEST_NAME = 200
"""Bytes around a change in which the beginning and the end of a name are looked for."""
WORD = re.compile(IDENTIFIER)
_BEGUN, _ENDED = re.compile(rb"[" + WORD_BYTES + rb"]*\Z"), re.compile(rb"[" + WORD_BYTES + rb"]*")


@dataclass(frozen=True, eq=False)
class Leftover:
    """A place in bytes [start, end) of a document's text that does not fit the change.

    `kind` names the rule that tells so; `reason` is a sentence for people; `name` is the name that it is about;
    `cause`: the path and the zero-based line of the change, where one is known. `owner`: of a member the name of the
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
    """The names of documents, each read when it is first asked for."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Document, Resolver | None]] = {}

    def __call__(self, document: Document) -> Resolver | None:
        """The names of a document; None in a language without a table of scopes."""
        known = self._known.get(id(document))
        if known is None:
            known = self._known[id(document)] = document, resolver_of(document.syntax, path=document.uri)
        return known[1]


@dataclass(eq=False)
class FileVersions:
    """A changed file as it was and as it is, each with the meaning of its names; both are read when first asked for.

    `table` is that of its language, which has one.
    """

    file: ChangedFile
    table: ScopeTable
    _was: tuple[SyntaxSnapshot, Resolver | None] | None = field(default=None, repr=False)
    _is: tuple[Resolver | None] | None = field(default=None, repr=False)

    @property
    def now(self) -> Resolver | None:
        """The names of the current text."""
        if self._is is None:
            self._is = (resolver_of(self.file.document.syntax, path=self.file.document.uri),)
        return self._is[0]

    @property
    def before(self) -> Resolver | None:
        """The names of the text before the change."""
        return self._versions()[1]

    @property
    def syntax_before(self) -> SyntaxSnapshot:
        """The text before the change."""
        return self._versions()[0]

    def _versions(self) -> tuple[SyntaxSnapshot, Resolver | None]:
        if self._was is None:
            document = self.file.document
            syntax = open_snapshot(document.history.anchor, document.syntax.language)
            self._was = syntax, resolver_of(syntax, path=document.uri)
        return self._was

    def touched(self, start: int, end: int) -> bool:
        """Whether the change wrote something in bytes [start, end) of the current text, or took something from it."""
        return any(change.start <= end and start <= change.end for change in self.file.changes)

    def byte_before(self, byte: int) -> int:
        """Where an untouched byte of the current text stood before the change."""
        return byte + sum(len(one.old) - (one.end - one.start) for one in self.file.changes if one.end <= byte)

    def name_before(self, at: NameAt) -> NameAt | None:
        """An untouched occurrence as it stood before the change."""
        was = self.before
        return was.name_at(self.byte_before(at.start), at.occurrence.name) if was is not None else None

    @cached_property
    def binds_by_text(self) -> bool:
        """Whether the module is one of Python that may bind names which stand nowhere in it as names."""
        return self.table.classes.explicit_self and binds_by_text(self.file.document.syntax.buffer.data)

    def lost(self, name: str) -> bool:
        """Whether the module declared a name before the change and does so no more."""
        was, now = self.before, self.now
        if was is None or now is None or not was.exists(name, MODULE_SCOPE) or now.exists(name, MODULE_SCOPE):
            return False
        if self.binds_by_text:
            return False
        return not now.scopes.has_wildcard_import() and not now.exists("__getattr__", MODULE_SCOPE)

    @cached_property
    def _replaced(self) -> list[tuple[NetChange, list[bytes]]]:
        """Each change with the words that it took or altered, as they were."""
        found, data, shift = [], self.file.document.history.anchor.data, 0
        for change in self.file.changes:
            start = change.start + shift
            found.append((change, WORD.findall(_whole_words(data, start, start + len(change.old)))))
            shift += len(change.old) - (change.end - change.start)
        return found

    @cached_property
    def old_words(self) -> dict[bytes, int]:
        """The words that the change took or altered, as they were, each with the zero-based line of that change."""
        found: dict[bytes, int] = {}
        for change, words in self._replaced:
            for word in words:
                found.setdefault(word, self.file.document.syntax.buffer.line_at(change.start))
        return found

    def words_replaced(self, start: int, end: int) -> list[bytes]:
        """The words in whose place bytes [start, end) of the current text stand."""
        return [word for one, words in self._replaced if one.start <= end and start <= one.end for word in words]

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
    before, after = data[max(0, start - LONGEST_NAME) : start], data[end : end + LONGEST_NAME]
    begun, ended = _BEGUN.search(before), _ENDED.match(after)
    left, right = begun[0] if begun else b"", ended[0] if ended else b""
    return left + data[start:end] + right
