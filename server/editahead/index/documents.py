"""Names of the open documents, from their current buffers. A document is read once it is no longer active."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from editahead.exclusion import exclusion
from editahead.index.lexicon import language_family, lexicon_of, names_in
from editahead.index.sliced_work import Steps
from editahead.index.types import OPEN
from editahead.index.view import IndexView
from editahead.index.walk import MAX_BYTES
from editahead.settings import Settings
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer

MAX_RECENT = 20  # documents that are read, most recently changed first


@dataclass(frozen=True, slots=True)
class OpenText:
    """A version of an open document."""

    uri: str
    path: Path | None
    root: Path | None
    language: Language
    buffer: Buffer


class OpenDocuments:
    """The open documents, ordered by their latest change. Any thread may call methods; all but `read` are quick."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._texts: dict[str, OpenText] = {}  # in the order of their last change
        self._active = ""  # URI of the document that was put last, in which the user works
        self._read: dict[str, tuple[Buffer, IndexView]] = {}

    def put(self, text: OpenText) -> bool:
        """Set the active document and its current text. Return whether another document was active before.

        A document with unchanged text keeps its position in the order: a next-edit request takes a snapshot of every
        open document, which changes none of them.
        """
        with self._lock:
            has_switched = self._active in self._texts and self._active != text.uri
            self._active = text.uri
            previous = self._texts.get(text.uri)
            if previous is None or previous.buffer is not text.buffer:
                self._texts.pop(text.uri, None)
            self._texts[text.uri] = text
        return has_switched

    def close(self, uri: str) -> None:
        """Remove a document, if it is open."""
        with self._lock:
            self._texts.pop(uri, None)
            self._read.pop(uri, None)

    def clear(self) -> None:
        """Drop all names, so that documents are read again: other files may be excluded now."""
        with self._lock:
            self._read.clear()

    def waiting(self) -> OpenText | None:
        """Return an inactive document whose current text has not been read, or None."""
        with self._lock:
            recent = [text for text in reversed(self._texts.values()) if text.uri != self._active]
            for text in recent[: MAX_RECENT - 1]:
                read_version = self._read.get(text.uri)
                if read_version is None or read_version[0] is not text.buffer:
                    return text
        return None

    def recent(self) -> tuple[OpenText, ...]:
        """Return the documents, the last changed first."""
        with self._lock:
            return tuple(reversed(self._texts.values()))

    def read(self, text: OpenText, settings: Settings) -> Steps[None]:
        """Read a document's names; an excluded or too large document has none."""
        view = IndexView(source=OPEN)
        lexicon = lexicon_of(text.language)
        small = len(text.buffer.data) <= MAX_BYTES
        if lexicon is not None and small and exclusion(settings, text.path, text.root) is None:
            occurrences = yield from names_in(text.buffer, lexicon)
            order = np.array(sorted(range(len(occurrences.words)), key=occurrences.words.__getitem__), dtype=np.int64)
            yield
            view = IndexView(
                [occurrences.words[at] for at in order.tolist()],
                occurrences.counts_N[order],
                np.ones(len(order), dtype=np.uint32),
                np.zeros(len(order), dtype=np.uint32),
                occurrences.lines_N[order],
                (text.uri,),
                OPEN,
            )
        with self._lock:
            if text.uri in self._texts:
                self._read[text.uri] = (text.buffer, view)

    def others(self, uri: str, family: str) -> tuple[IndexView, ...]:
        """Return the views of the other documents in a family of languages, the last changed first."""
        with self._lock:
            return tuple(
                self._read[text.uri][1]
                for text in reversed(self._texts.values())
                if text.uri != uri and text.uri in self._read and language_family(text.language.id) == family
            )
