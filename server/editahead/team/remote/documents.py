"""What the server has of the documents of this laptop, and the messages that bring it up to date."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from dataclasses import dataclass

from editahead.suggest.types import Document
from editahead.team.wire.messages import MAX_EDITS, Change, DocumentVersion, Drop, HistoryChange, PutDocument, Update
from editahead.team.wire.values import MAX_PATH
from editahead.text.buffer import Buffer
from editahead.text.edits import minimal_diff
from editahead.text.history_view import HistoryView

MAX_DOCUMENTS = 60  # that are kept on the server; the least recently used ones are dropped
MAX_TEXT = 12 << 20  # bytes of these documents: less than a server takes, and than may wait to be sent
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

    def sync(self, document: Document) -> tuple[list[Update], DocumentVersion, str]:
        """Return the messages that bring the server up to date, the version to ask about, and its path there."""
        key = document.uri, document.language_id
        buffer = document.syntax.buffer
        messages: list[Update] = []
        sent = self._sent.get(key)
        if sent is None:
            self._numbers += 1
            path = self._unique(relative_path(document), key)
            sent = self._sent[key] = _Sent(self._numbers, path, 0, buffer)
            messages.append(PutDocument(sent.number, path, document.language_id, 0, buffer.data))
        elif sent.buffer is not buffer and sent.buffer.data != buffer.data:
            messages.append(self._change(sent, buffer, document.language_id))
        self._sent.move_to_end(key)
        while len(self._sent) > 1 and (len(self._sent) > MAX_DOCUMENTS or self._size() > MAX_TEXT):
            _, oldest = self._sent.popitem(last=False)
            messages.append(Drop(oldest.number))
        history = None if document.history == sent.history else _history_change(sent.history, document.history)
        sent.history = document.history
        return messages, DocumentVersion(sent.number, sent.serial, history), sent.path

    def resend(self, number: int) -> None:
        """Send a document as a whole when it is needed next."""
        for key in [key for key, sent in self._sent.items() if sent.number == number]:
            del self._sent[key]

    def paths(self) -> dict[str, str]:
        """Return the paths on the server of the documents that it has, by their URIs here."""
        return {uri: sent.path for (uri, _), sent in self._sent.items()}

    def forget(self, uri: str) -> list[Update]:
        """Return the messages that drop a closed document."""
        keys = [key for key in self._sent if key[0] == uri]
        return [Drop(self._sent.pop(key).number) for key in keys]

    def _change(self, sent: _Sent, buffer: Buffer, language: str) -> Update:
        edits = minimal_diff(sent.buffer.data, buffer.data)
        base, sent.serial, sent.buffer = sent.serial, sent.serial + 1, buffer
        if len(edits) > MAX_EDITS or sum(len(edit.new) for edit in edits) > len(buffer.data) // 2:
            sent.history = None  # the server begins the document again
            return PutDocument(sent.number, sent.path, language, sent.serial, buffer.data)
        return Change(sent.number, base, sent.serial, edits, len(buffer.data), zlib.crc32(buffer.data))

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
    return text.encode("utf-8", "replace").decode()[-MAX_PATH:]


def _history_change(old: HistoryView | None, new: HistoryView) -> HistoryChange:
    kept = 0
    if old is not None and old.generation == new.generation and old.anchor is new.anchor:
        most = min(len(old.settled), len(new.settled))
        while kept < most and old.settled[kept] == new.settled[kept]:
            kept += 1
        return HistoryChange(
            new.generation, kept, list(new.settled[kept:]), new.pending, new.undone_at, list(new.undone)
        )
    return HistoryChange(new.generation, -1, list(new.settled), new.pending, new.undone_at, list(new.undone))
