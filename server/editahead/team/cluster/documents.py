"""The documents of a client on the server: rebuilt from its edits, dropped when unused."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from editahead.index.types import NameOrigin, NgramPrediction
from editahead.settings import Settings, parse_settings
from editahead.suggest.types import Document, Rejection
from editahead.syntax.chunks.chunked import next_snapshot, open_snapshot
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.team.wire import messages as wire
from editahead.team.wire.messages import MAX_PATH, SENT_SETTINGS, is_applicable, server_uri
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import HistoryView, reverted_text


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """The limits of a client. Times are in seconds, sizes in bytes."""

    message: int = wire.MAX_MESSAGE
    documents: int = 100
    text: int = 32 << 20  # of all its documents
    requests_per_second: float = 50.0
    burst: int = 150  # requests at once after a pause
    document_seconds: float = 900.0  # after which an unused document is dropped
    connections: int = 8  # with the same token
    hello_seconds: float = 10.0  # for the first message


class TokenBucket:
    """A rate limit: `burst` requests at once, refilled at `rate` a second."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = float(burst)
        self._at = clock()

    def take(self) -> bool:
        """Take a request from the bucket; False if it is empty."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class UnknownDocumentError(LookupError):
    """The server does not have a document as the client believes; `number` must be sent again."""

    def __init__(self, number: int) -> None:
        super().__init__(f"document {number} must be sent again")
        self.number = number


class LimitError(ValueError):
    """A client exceeded a limit; the text is a single line."""


class SentNames:
    """The names that a request took along, as the names outside a document. They name no file."""

    reliable_context = 0
    imports = None

    def __init__(self, names: Sequence[wire.ProjectName]) -> None:
        self._names = {
            each.name: NameOrigin(each.source, "", each.line, max(1, each.count), max(1, each.files)) for each in names
        }

    def names(self, prefix: str) -> Mapping[str, NameOrigin]:
        """Return the names that begin with `prefix`."""
        return MappingProxyType({name: origin for name, origin in self._names.items() if name.startswith(prefix)})

    def origin(self, name: str) -> NameOrigin | None:
        """Return the counts of a name, or None."""
        return self._names.get(name)

    def files_named(self, name: str) -> Sequence[str]:
        """Return nothing: the files of a project are not on the server."""
        return ()

    def followers(self, context: Sequence[str]) -> NgramPrediction:
        """Return nothing: the n-grams of a project stay on its laptop."""
        return NgramPrediction({}, 0, 0)


@dataclass
class _Held:
    """One document: its text as of `serial`, and the history of the last request."""

    path: str
    language: str
    serial: int
    syntax: SyntaxSnapshot
    used: float
    history: HistoryView


def server_settings(values: Mapping[str, Any]) -> Settings:
    """Return the settings of a client; none of them lets the server read a file for it."""
    settings = parse_settings(values).settings
    kept = {name: getattr(settings, name) for name in SENT_SETTINGS}
    return Settings(
        **kept,
        exclude=(),
        secrets=(),
        respect_gitignore=False,
        completion_imports=False,
        index_enabled=False,
        index_environment=False,
    )


class ClientDocuments:
    """The documents of a connection, by the numbers that the client gave them."""

    def __init__(self, client: str, limits: ClientLimits, clock: Callable[[], float]) -> None:
        self._client = client
        self._limits = limits
        self._clock = clock
        self._held: dict[int, _Held] = {}
        self._bytes = 0
        self.settings = server_settings({})

    def __len__(self) -> int:
        return len(self._held)

    def put(self, message: wire.PutDocument) -> None:
        """Begin a document. Raises LimitError, and UnknownDocumentError for a language that is not served."""
        self.drop(message.document)
        language = by_id(message.language)
        size = len(message.text)
        if len(self._held) >= self._limits.documents or self._bytes + size > self._limits.text:
            raise LimitError(f"more than {self._limits.documents} documents or {self._limits.text} bytes of text")
        if language is None or len(message.path) > MAX_PATH:
            return
        try:
            language.grammar()
        except GrammarMissing:
            return
        try:
            message.text.decode("utf-8")
        except UnicodeDecodeError:
            raise LimitError("a text that is not UTF-8") from None
        buffer = Buffer(message.text)
        syntax = open_snapshot(buffer, language)
        history = HistoryView(anchor=buffer, settled=(), pending=None, generation=-1)
        self._held[message.document] = _Held(message.path, language.id, message.serial, syntax, self._clock(), history)
        self._bytes += size

    def change(self, message: wire.Change) -> None:
        """Apply edits.

        Raises UnknownDocumentError where they do not lead to the text that the client has, and LimitError.
        """
        held = self._held.get(message.document)
        if held is None or held.serial != message.base or len(message.edits) > wire.MAX_EDITS:
            raise self._lost(message.document)
        buffer = held.syntax.buffer
        before = len(buffer.data)
        for edit in message.edits:
            if not is_applicable(edit, buffer.data):
                raise self._lost(message.document)
            buffer = buffer.apply(edit)
        if len(buffer.data) != message.size or zlib.crc32(buffer.data) != message.checksum:
            raise self._lost(message.document)
        if self._bytes + len(buffer.data) - before > self._limits.text:
            raise LimitError(f"more than {self._limits.text} bytes of text")
        held.syntax = next_snapshot(held.syntax, buffer, message.edits)
        held.serial, held.used = message.serial, self._clock()
        self._bytes += len(buffer.data) - before

    def drop(self, number: int) -> str | None:
        """Drop a document; return its URI, or None if it is not stored."""
        held = self._held.pop(number, None)
        if held is None:
            return None
        self._bytes -= len(held.syntax.buffer.data)
        return server_uri(self._client, held.path)

    def expire(self) -> list[str]:
        """Drop the documents that were not used for a while; returns their URIs."""
        oldest = self._clock() - self._limits.document_seconds
        unused = [number for number, held in self._held.items() if held.used < oldest]
        return [uri for number in unused if (uri := self.drop(number)) is not None]

    def drop_all(self) -> list[str]:
        """Drop every document; returns their URIs."""
        return [uri for number in list(self._held) if (uri := self.drop(number)) is not None]

    def document(self, ask: wire.Ask) -> Document:
        """Return the document of a request as the engine sees it. Raises UnknownDocumentError."""
        own = self._at(ask.at, ask)
        others = tuple(self._at(version, ask) for version in ask.others)
        elsewhere = SentNames(ask.names) if ask.names else None
        rejections = tuple(Rejection(key, time) for key, time in ask.rejections)
        own = replace(own, idle=ask.idle, filtered_by_client=ask.filtered_by_client)
        return replace(own, others=others, elsewhere=elsewhere, rejections=rejections)

    def _at(self, version: wire.DocumentVersion, ask: wire.Ask) -> Document:
        held = self._held.get(version.document)
        if held is None or held.serial != version.serial:
            raise self._lost(version.document)
        held.used = self._clock()
        if version.history is not None:
            held.history = self._history(held, version.history, version.document)
        return Document(
            uri=server_uri(self._client, held.path),
            path=None,
            language_id=held.language,
            version=held.serial,
            syntax=held.syntax,
            history=held.history,
            settings=self.settings,
            declined=ask.declined,
            now=ask.now,
        )

    def _history(self, held: _Held, change: wire.HistoryChange, number: int) -> HistoryView:
        """Return the history after a change; its edits must lead from its anchor to the text."""
        previous = held.history
        begins = change.kept < 0
        if not begins and (change.generation != previous.generation or change.kept > len(previous.settled)):
            raise self._lost(number)
        settled = (*(() if begins else previous.settled[: change.kept]), *change.more)
        edits = (*settled, change.pending) if change.pending else settled
        data = held.syntax.buffer.data
        if begins:
            try:
                anchor = Buffer(reverted_text(data, edits))
            except ValueError:
                raise self._lost(number) from None
        else:
            anchor = previous.anchor
        history = HistoryView(
            anchor, settled, change.pending, change.generation, change.undone_at, tuple(change.undone)
        )
        grown = sum(edit.delta for edit in edits)
        try:
            right = len(anchor.data) + grown == len(data) and (not begins or history.current() == data)
        except ValueError:
            right = False
        if not right:
            raise self._lost(number)
        return history

    def _lost(self, number: int) -> UnknownDocumentError:
        """Drop a document that differs from the client's."""
        self.drop(number)
        return UnknownDocumentError(number)
