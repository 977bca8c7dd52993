"""State of a session: open documents, settings, snooze. For the event loop's thread alone."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from editahead.exclusion import exclusion_by_name
from editahead.index.types import OutsideNames
from editahead.learning.scoreboard import keystrokes
from editahead.lsp.documents.embedded_code import EmbeddedCode
from editahead.lsp.documents.typing_pause import TypingPause
from editahead.lsp.documents.unopened_files import UnopenedFiles
from editahead.lsp.rpc.uris import path_for_exclusion, path_of
from editahead.lsp.surfaces.feedback import Feedback
from editahead.lsp.surfaces.surface import Surface
from editahead.settings import Settings
from editahead.suggest.types import UNOPENED, Document, Reason, Suppressed
from editahead.syntax.chunks.chunked import next_snapshot, open_snapshot
from editahead.syntax.embedded import HTML_LANGUAGES, hosts
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import by_id, by_path
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, apply_all, minimal_diff
from editahead.text.history import EditKind, History
from editahead.text.memo import cache_texts
from editahead.text.positions import PositionEncoding, byte_at, position_at
from editahead.text.surrogates import LoneSurrogates


def is_keystroke(edit: ByteEdit) -> bool:
    """Whether an edit is a single keystroke, maybe with what the editor adds: a closing bracket, or indentation."""
    return len(edit.new) <= MAX_KEYSTROKE_BYTES and keystrokes(b"", edit.new) <= MAX_STROKES


_PATHS_KEPT = 1000  # whose workspace folder is remembered: each request asks for it several times
MAX_STROKES, MAX_KEYSTROKE_BYTES = 2, 200  # of an edit that counts as a single keystroke
EDITS_KEPT = 1000  # answers older than this number of edits cannot be rebased and are dropped
Clock = Callable[[], float]


@dataclass(eq=False)
class OpenDocument:
    """An open document as the editor has it. `serial` counts edits, since `version` may not change."""

    uri: str
    path: Path | None
    language_id: str
    version: int
    buffer: Buffer
    syntax: SyntaxSnapshot | None
    history: History
    no_syntax_reason: str = ""  # why there is no syntax
    exclusion_path: Path | None = None  # the path that exclusion patterns match, whatever the scheme of the URI
    embedded: EmbeddedCode | None = None  # in documents that may hold code of other languages
    serial: int = 0
    edits: deque[ByteEdit] = field(default_factory=lambda: deque(maxlen=EDITS_KEPT))
    surrogates: LoneSurrogates = field(default_factory=LoneSurrogates)
    damaged: bool = False  # a change failed half-way: the text differs from the editor's
    pause: TypingPause = field(default_factory=TypingPause)
    lines_read: range = range(0)  # in which an edit needs no names that were not read ahead
    in_step: bool = True  # False after an invalid change, until the whole text is sent again
    locator: Callable[[ByteEdit], tuple[OpenDocument, ByteEdit] | None] | None = None  # of joined cells

    @property
    def analysed(self) -> OpenDocument:
        """The document that is analysed for requests in it: itself, but for a cell of a notebook."""
        return self

    @property
    def offset(self) -> int:
        """The byte of `analysed` at which its text begins."""
        return 0

    def locate(self, edit: ByteEdit) -> tuple[OpenDocument, ByteEdit] | None:
        """Return the document that the client changes for an edit, with the edit in its coordinates."""
        return (self, edit) if self.locator is None else self.locator(edit)

    def within(self, edit: ByteEdit) -> ByteEdit | None:
        """Return an edit of `analysed` in coordinates of this document; None where it is in another cell."""
        located = self.analysed.locate(edit)
        return located[1] if located is not None and located[0] is self else None

    @property
    def is_html(self) -> bool:
        """Whether its elements are read even without a grammar."""
        return self.language_id in HTML_LANGUAGES

    @property
    def sent_version(self) -> int | None:
        """The version that answers name: null for a file that is not open."""
        return None if self.version == UNOPENED else self.version

    def apply(self, edits: Sequence[ByteEdit], kind: EditKind | None = None) -> None:
        """Apply the edits of a notification in order; edits that change nothing are not recorded.

        The history gets the edits of the editor; trees and open requests get the small edits inside a replacement of
        the whole text, so that they survive it.
        """
        if self.damaged:
            self._begin_again(apply_all(self.buffer.data, edits))
            return
        self.damaged = True  # until the last line: text, history and tree agree only when all of them have followed
        pushed: list[tuple[ByteEdit, Buffer]] = []
        applied: list[ByteEdit] = []
        steps: list[tuple[ByteEdit, Buffer]] = []
        for edit in edits:
            before = self.buffer
            if edit.is_noop(before.data):
                continue
            whole = before.data and edit.start == 0 and edit.old_end == len(before.data)
            small = minimal_diff(before.data, edit.new) if whole else [edit]
            for part in small:
                self.buffer = self.buffer.apply(part)
                steps.append((part, self.buffer))
            pushed.append((edit, before))
            applied += small
        if applied:
            self.history.push_all(pushed, kind)
            self.pause.record_change(applied, is_undo=self.history.is_undone)
            self.serial += len(applied)
            self.edits.extend(applied)
            if self.syntax is not None:
                self.syntax = next_snapshot(self.syntax, self.buffer, applied)
            if self.embedded is not None:
                self.embedded.follow_all(steps, kind)
        self.damaged = False

    def _begin_again(self, data: bytes) -> None:
        """Replace text, tree and history, after a change that failed half-way."""
        self.buffer = Buffer(data)
        self.history.reanchor(self.buffer)
        self.serial += 1
        self.edits.clear()
        if self.syntax is not None:
            self.syntax = open_snapshot(self.buffer, self.syntax.language)
        if self.embedded is not None:
            self.embedded.open(self.buffer)
        self.damaged = False

    def since(self, serial: int) -> list[ByteEdit] | None:
        """Return the edits since a serial; None when they are no longer kept."""
        count = self.serial - serial
        if count == 0:
            return []
        return list(self.edits)[-count:] if count <= len(self.edits) else None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An immutable copy of a document for a request, with the serial of its text."""

    document: Document
    byte: int
    serial: int
    opened: OpenDocument
    has_no_grammar: bool = False  # only the elements of its markup are read

    def can_apply(self, edit: ByteEdit) -> bool:
        """Whether an edit of `document` may be applied: embedded code never changes the text around it."""
        embedded = self.opened.analysed.embedded
        own = embedded is None or self.document.language_id == self.opened.language_id
        return own or (embedded is not None and embedded.is_inside_region(self.document.language_id, edit))


class Session:
    """The open documents by their URIs, exactly as the client writes them, and the state that requests depend on."""

    def __init__(self, settings: Settings | None = None, clock: Clock = time.monotonic) -> None:
        self.settings = settings or Settings()
        self.clock = clock
        self.is_deterministic = False  # the clock counts messages: no request waits for it
        self.documents: dict[str, OpenDocument] = {}
        self.cells: dict[str, OpenDocument] = {}  # of notebooks, by URI; their joined texts are among `documents`
        self.roots: list[Path] = []
        self.encoding = PositionEncoding.UTF16
        self.compatible = False  # the client was written for GitHub's Copilot server
        self.snoozed_until = 0.0
        self.feedback = Feedback(clock)
        self.unopened = UnopenedFiles()
        self.elsewhere: Callable[[OpenDocument, str], OutsideNames | None] = lambda opened, language_id: None

    # -- documents

    def open(self, uri: str, language_id: str, version: int, text: str) -> OpenDocument:
        """Open a document, replacing an open document with the same URI."""
        path = path_of(uri)
        language = by_id(language_id) or (by_path(path) if path else None)
        no_syntax_reason = f"no grammar for {language_id!r}"
        if language is not None:
            language_id = language.id
            try:
                language.grammar()
            except GrammarMissing as error:
                language, no_syntax_reason = None, str(error)
        buffer = Buffer.from_text(text)
        document = OpenDocument(
            uri=uri,
            path=path,
            language_id=language_id,
            version=version,
            buffer=buffer,
            syntax=open_snapshot(buffer, language) if language else None,
            history=History(buffer, self.clock),
            pause=TypingPause(self.clock),
            no_syntax_reason=no_syntax_reason,
            surrogates=LoneSurrogates(text, buffer.data),
            exclusion_path=path_for_exclusion(uri),
            embedded=EmbeddedCode(language_id, buffer, self.clock) if language_id in hosts() else None,
        )
        self._interrupt_pause(uri)
        self.documents[uri] = document
        return document

    def close(self, uri: str) -> None:
        """Delete a document and its feedback, if it is open."""
        self._interrupt_pause(uri)
        self.documents.pop(uri, None)
        self.feedback.forget(uri)
        self.unopened.forget()

    def find(self, uri: str) -> OpenDocument | None:
        """Return the open document or the cell of a notebook that a client means by a URI."""
        return self.cells.get(uri) or self.documents.get(uri)

    def _interrupt_pause(self, uri: str) -> None:
        """End the wait of a request for a document that is closed or replaced."""
        if uri in self.documents:
            self.documents[uri].pause.interrupt()

    def root_of(self, path: Path | None) -> Path | None:
        """Return the innermost workspace folder that contains a file, or None."""
        return None if path is None else _innermost(tuple(self.roots), path)

    def byte(self, document: OpenDocument, line: int, character: int) -> int:
        """Convert a position that the client sent to a byte offset of `document.analysed`."""
        return document.offset + byte_at(document.buffer, line, character, self.encoding)

    def position(self, document: OpenDocument, byte: int) -> tuple[int, int]:
        """Convert a byte offset to the position to send: line and character."""
        return position_at(document.buffer, byte, self.encoding)

    def project_of(self, document: OpenDocument) -> str:
        """Return the workspace folder of a document; empty if it is in none."""
        root = self.root_of(document.path)
        return "" if root is None else str(root)

    def follow_change(self, document: OpenDocument, edits: list[ByteEdit] | None) -> None:
        """Let feedback follow the last edits of a document; None if they are no longer kept."""
        typed = edits is not None and not document.history.is_undone and all(map(is_keystroke, edits))
        self.feedback.follow(document.uri, edits, document.buffer.data, self.project_of(document), typed=typed)

    # -- requests

    def gate(
        self, uri: str, version: int | None, surface: Surface, at: tuple[int, int] | None = None
    ) -> OpenDocument | Suppressed:
        """Return the document of a request, or the reason why the request is suppressed.

        `at` is the line and character of the request: embedded code there has a language of its own.
        Reads nothing from disk: exclusion by links or git is checked on the thread that would answer.
        """
        document = self.find(uri)
        settings = self.settings
        if document is None:
            return Suppressed(Reason.STALE, "the document is not open")
        if not document.in_step:
            return Suppressed(Reason.STALE, "out of step with the editor since a change that could not be read")
        if version is not None and version != document.version:
            return Suppressed(Reason.STALE, f"asked for version {version}, the text is at {document.version}")
        if not settings.enabled:
            return Suppressed(Reason.DISABLED, "editahead.enabled is off")
        if not surface.is_enabled(settings):
            return Suppressed(Reason.DISABLED, f"{surface.name} is switched off")
        text = document.analysed
        view = text.embedded.at(self.byte(document, *at)) if text.embedded is not None and at else None
        for language_id in (document.language_id, *((view.language_id,) if view else ())):
            if not settings.language_enabled(language_id):
                return Suppressed(Reason.DISABLED, f"editahead.languages switches {language_id} off")
        if self.clock() < self.snoozed_until:
            return Suppressed(Reason.SNOOZED, f"for {self.snoozed_until - self.clock():.0f} s more")
        if text.syntax is None and view is None and not (surface.reads_markup and document.is_html):
            return Suppressed(Reason.LANGUAGE, text.no_syntax_reason)
        if document is not text and document.no_syntax_reason:
            return Suppressed(Reason.LANGUAGE, document.no_syntax_reason)
        if len(text.buffer.data) > settings.max_file_bytes:
            return Suppressed(Reason.TOO_LARGE, f"{len(text.buffer.data)} bytes")
        why = exclusion_by_name(settings, document.exclusion_path, self.root_of(document.exclusion_path))
        return Suppressed(Reason.EXCLUDED, why) if why else document

    def is_idle(self, opened: OpenDocument) -> bool:
        """Whether the user has paused in a document: what was typed counts as finished."""
        return self.is_deterministic or opened.pause.is_over

    def seconds_to_lead(self, opened: OpenDocument) -> float:
        """The seconds without a change after which a site may be shown that a model expects."""
        return 0.0 if self.is_deterministic else opened.pause.seconds_to_lead

    def snapshot(self, opened: OpenDocument, byte: int, settings: Settings | None = None) -> Snapshot:
        """Take a snapshot of `opened.analysed` for a request at a byte offset. It must have a language there."""
        now = self.clock()
        text = opened.analysed
        view = text.embedded.at(byte) if text.embedded is not None else None
        language_id, syntax, history = (
            (text.language_id, text.syntax, text.history)
            if view is None
            else (view.language_id, view.syntax, view.history)
        )
        history.settle(now)
        has_no_grammar = syntax is None
        if syntax is None:  # the gate passes markup alone, whose elements are read without a grammar
            html = by_id("html")
            assert html is not None
            syntax = open_snapshot(text.buffer, html)
        settings = settings or self.settings
        document = Document(
            uri=text.uri,
            path=text.path,
            language_id=language_id,
            version=text.version,
            syntax=syntax,
            history=history.view(),
            settings=settings,
            root=self.root_of(text.exclusion_path),
            exclusion_path=text.exclusion_path,
            rejections=self.feedback.rejections(now - 60 * settings.rejection_minutes),
            declined=self.feedback.count_declined(now - 60 * settings.rejection_minutes),
            now=now,
            elsewhere=self.elsewhere(text, language_id),
            admitted=text.exclusion_path is not None,  # `SurfaceContext.ask` looks before an engine gets it
        )
        return Snapshot(document, byte, text.serial, opened, has_no_grammar)

    def edits_since(self, snapshot: Snapshot) -> list[ByteEdit] | None:
        """Return the edits since a snapshot; None when the document was closed, replaced or damaged since."""
        opened = snapshot.opened
        if self.find(opened.uri) is not opened or not opened.in_step:
            return None
        return opened.analysed.since(snapshot.serial)


@cache_texts(maxsize=_PATHS_KEPT)
def _innermost(roots: tuple[Path, ...], path: Path) -> Path | None:
    """The deepest of some folders that contains a path."""
    inside = [root for root in roots if path.is_relative_to(root)]
    return max(inside, key=lambda root: len(root.parts), default=None)
