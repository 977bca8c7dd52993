"""What leaves the laptop: messages that bring documents up to date; and the server's values in the laptop's terms."""

from __future__ import annotations

import re
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from editahead.exclusion import RecentExclusions
from editahead.suggest import types
from editahead.suggest.completion.import_paths.complete import place_of
from editahead.suggest.types import Document
from editahead.team.wire import messages as wire
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import HistoryView
from editahead.text.edits import minimal_diff

OTHER_SOURCES = ("open", "project")  # sources of names outside the document
_MAX_BYTES = 200  # bytes before the cursor that are searched
_PREFIX = re.compile(r"[^\W\d]\w*\Z")
_DISK = re.compile(r"(?:\.\s*|^\s*(?:import|from)\b.*)\Z")
MAX_DOCUMENTS = 60  # that are kept on the server; the least recently used ones are dropped
MAX_TEXT = 12 << 20  # bytes of these documents: less than a server takes, and than may wait to be sent


def in_local_terms(value: Any, document: types.Document, documents: Mapping[str, types.Document]) -> Any:
    """Return a value with local URIs, versions and origins; `documents` are those of the request by server URI.

    Raises WireError for a document that was not part of the request.
    """
    names = {uri: local.uri for uri, local in documents.items()}
    if isinstance(value, types.Completions):
        return replace(value, items=tuple(_with_origin(item, document) for item in value.items))
    if isinstance(value, types.InlineSuggestion):
        tokens = (replace_origin(token) for token in value.tokens)
        return replace(value, tokens=tuple(tokens))
    if isinstance(value, types.NextEdit):
        return replace(value, key=with_names(value.key, names), group=with_names(value.group, names))
    if isinstance(value, types.QueuedEdit):
        return _queued(value, documents, names)
    if isinstance(value, types.NextEdits):
        return types.NextEdits(tuple(_queued(item, documents, names) for item in value.items))
    if isinstance(value, types.RequestedEdits):
        return replace(value, items=tuple(replace(item, key=with_names(item.key, names)) for item in value.items))
    return value


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with some URIs replaced by others, the longest first."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, names[name])
    return text


def replace_origin(token: Any) -> Any:
    """Return a token of ghost text without the position of a name in a file that the server named."""
    return token._replace(origin_line=None, origin_where=None) if token.origin_where is not None else token


def _with_origin(item: Any, document: types.Document) -> Any:
    if item.source not in OTHER_SOURCES:
        return replace(item, origin_where=None, import_from="", import_edit=None)
    origin = document.elsewhere.origin(item.label) if document.elsewhere is not None else None
    line, where = (origin.line, origin.where) if origin is not None else (None, None)
    return replace(item, origin_line=line, origin_where=where, import_from="", import_edit=None)


def _queued(
    item: types.QueuedEdit, documents: Mapping[str, types.Document], names: Mapping[str, str]
) -> types.QueuedEdit:
    document = documents.get(item.uri)
    if document is None:
        raise wire.WireError("an edit in a document that was not part of the request")
    return replace(
        item,
        uri=document.uri,
        version=document.version,
        key=with_names(item.key, names),
        pattern=with_names(item.pattern, names),
        group=with_names(item.group, names),
    )


def _before(document: types.Document, byte: int) -> str:
    """Return the line of the cursor up to it, at most its last part."""
    data = document.syntax.buffer.data
    start = max(data.rfind(b"\n", 0, byte) + 1, byte - _MAX_BYTES)
    return data[start:byte].decode("utf-8", "replace")


def typed_prefix(document: types.Document, byte: int) -> str:
    """Return the part of a name that stands in front of the cursor."""
    match = _PREFIX.search(_before(document, byte))
    return match.group() if match is not None else ""


def has_disk_candidates(document: types.Document, byte: int) -> bool:
    """Whether members, modules or import paths are completed: what they hold is read from files that never leave."""
    line = _before(document, byte)
    named = _DISK.search(line[: len(line) - len(typed_prefix(document, byte))]) is not None
    return named or place_of(document, byte) is not None


def project_names(document: types.Document, byte: int) -> list[wire.ProjectName]:
    """Return the names of the project that begin as typed, at most MAX_NAMES."""
    if document.elsewhere is None:
        return []
    names = document.elsewhere.names(typed_prefix(document, byte))
    return [
        wire.ProjectName(name, origin.source, origin.line, origin.count, origin.files)
        for name, origin in islice(names.items(), wire.MAX_NAMES)
    ]


class LeavingRule:
    """Decides by the rules of all suggestions. Untitled documents, cells of notebooks and large files never leave."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._exclusions = RecentExclusions(clock)

    def can_send(self, document: types.Document) -> bool:
        """Whether a document may be sent. Looks at the disk, at most once a second for each document."""
        path, settings = document.path, document.settings
        if path is None or not settings.enabled or not settings.language_enabled(document.language_id):
            return False
        if len(document.syntax.buffer.data) > min(settings.max_file_bytes, wire.MAX_DOCUMENT):
            return False
        return self._exclusions.reason(settings, path, document.root) is None


Key = tuple[str, str]  # URI and language: embedded code is a document of its own


@dataclass
class _Sent:
    """One document as the server has it."""

    number: int
    path: str
    serial: int
    buffer: Buffer
    history: HistoryView | None = None


class SentDocuments:
    """The documents of a connection. For the inference thread only."""

    def __init__(self) -> None:
        self._sent: OrderedDict[Key, _Sent] = OrderedDict()
        self._numbers = 0

    def sync(self, document: Document) -> tuple[list[wire.Update], wire.DocumentVersion, str]:
        """Return the messages that bring the server up to date, the version to ask about, and its path there."""
        key = document.uri, document.language_id
        buffer = document.syntax.buffer
        messages: list[wire.Update] = []
        sent = self._sent.get(key)
        if sent is None:
            self._numbers += 1
            path = self._unique(relative_path(document), key)
            sent = self._sent[key] = _Sent(self._numbers, path, 0, buffer)
            messages.append(wire.PutDocument(sent.number, path, document.language_id, 0, buffer.data))
        elif sent.buffer is not buffer and sent.buffer.data != buffer.data:
            messages.append(self._change(sent, buffer, document.language_id))
        self._sent.move_to_end(key)
        while len(self._sent) > 1 and (len(self._sent) > MAX_DOCUMENTS or self._size() > MAX_TEXT):
            _, oldest = self._sent.popitem(last=False)
            messages.append(wire.Drop(oldest.number))
        history = None if document.history == sent.history else _history_change(sent.history, document.history)
        sent.history = document.history
        return messages, wire.DocumentVersion(sent.number, sent.serial, history), sent.path

    def resend(self, number: int) -> None:
        """Send a document as a whole when it is needed next."""
        for key in [key for key, sent in self._sent.items() if sent.number == number]:
            del self._sent[key]

    def paths(self) -> dict[str, str]:
        """Return the paths on the server of the documents that it has, by their URIs here."""
        return {uri: sent.path for (uri, _), sent in self._sent.items()}

    def forget(self, uri: str) -> list[wire.Update]:
        """Return the messages that drop a closed document."""
        keys = [key for key in self._sent if key[0] == uri]
        return [wire.Drop(self._sent.pop(key).number) for key in keys]

    def _change(self, sent: _Sent, buffer: Buffer, language: str) -> wire.Update:
        edits = minimal_diff(sent.buffer.data, buffer.data)
        base, sent.serial, sent.buffer = sent.serial, sent.serial + 1, buffer
        if len(edits) > wire.MAX_EDITS or sum(len(edit.new) for edit in edits) > len(buffer.data) // 2:
            sent.history = None  # the server begins the document again
            return wire.PutDocument(sent.number, sent.path, language, sent.serial, buffer.data)
        return wire.Change(sent.number, base, sent.serial, edits, len(buffer.data), zlib.crc32(buffer.data))

    def _size(self) -> int:
        return sum(len(sent.buffer.data) for sent in self._sent.values())

    def _unique(self, path: str, key: Key) -> str:
        """Return the path, changed where a document of another workspace folder has the same path."""
        taken = {sent.path for (uri, _), sent in self._sent.items() if uri != key[0]}
        unique, count = path, 1
        while unique in taken:
            count += 1
            unique = f"{count}/{path}"
        return unique


def relative_path(document: Document) -> str:
    """Return the path of a document from its workspace folder on, with that folder's name; else its name alone."""
    path = document.path
    if path is None:
        return "untitled"
    root = document.root
    relative = path.relative_to(root.parent) if root is not None and path.is_relative_to(root) else path.name
    text = relative if isinstance(relative, str) else relative.as_posix()
    return text.encode("utf-8", "replace").decode()[-wire.MAX_PATH :]


def _history_change(old: HistoryView | None, new: HistoryView) -> wire.HistoryChange:
    kept = 0
    if old is not None and old.generation == new.generation and old.anchor is new.anchor:
        most = min(len(old.settled), len(new.settled))
        while kept < most and old.settled[kept] == new.settled[kept]:
            kept += 1
        return wire.HistoryChange(
            new.generation, kept, list(new.settled[kept:]), new.pending, new.undone_at, list(new.undone)
        )
    return wire.HistoryChange(new.generation, -1, list(new.settled), new.pending, new.undone_at, list(new.undone))
