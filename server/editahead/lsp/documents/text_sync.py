"""Text synchronisation: changes of the client are applied in order to the server's buffer, without parsing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from editahead.lsp.context import ServerContext
from editahead.lsp.inference.engine_startup import call_if_supported, prime
from editahead.lsp.inference.jobs import EngineLike, Job
from editahead.lsp.process.logs import log
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import BadParams, ContentChange, JsonValue, Raw
from editahead.lsp.session import OpenDocument, Session
from editahead.lsp.surfaces.surface import MODULES, NAMES, PRIME, Surface
from editahead.suggest.types import Document, Suppressed
from editahead.text.buffer import Buffer, encode_text
from editahead.text.edits import ByteEdit
from editahead.text.history import EditKind
from editahead.text.positions import PositionEncoding, byte_at
from editahead.text.surrogates import LoneSurrogates

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel

_IMPORTING = re.compile(rb"[ \t]*(?:from|import)\b")
_LINES_READ = 10  # around an edit for which names are read ahead: edits there need hardly any others
_LAST_LINE = 2**31 - 1  # clients that resynchronise with a range end it here; no text has so many lines


def did_open(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didOpen`. Documents in unknown languages are synchronised but get no predictions."""
    uri = params.text(raw, "textDocument.uri")
    content = params.text(raw, "textDocument.text")
    language_id = params.optional_text(raw, "textDocument.languageId") or ""
    version = params.optional_integer(raw, "textDocument.version")
    if uri in context.session.documents:
        log.info("%s was opened again", uri)
        context.worker.cancel(uri)
    document = context.session.open(uri, language_id, 0 if version is None else version, content)
    context.recording.record_open(document)
    prepare_document(context, document)


def prepare_document(context: ServerContext, document: OpenDocument) -> None:
    """Read a document that was opened before the first request in it."""
    context.indexing.document_active(document)
    opened = context.session.gate(document.uri, None, PRIME)
    if not isinstance(opened, Suppressed):
        primed = context.session.snapshot(opened, 0).document
        job = _submit(context, primed, PRIME, lambda engine, cancel: prime(engine, primed, cancel))
        job.future.add_done_callback(lambda done: context.status.send())  # a bundle may have turned out damaged
        read_modules(context, document)
        _read_names(context, document, 0)


def _submit(
    context: ServerContext, document: Document, surface: Surface, run: Callable[[EngineLike, Cancel], None]
) -> Job[None]:
    """Run something about a document on the inference thread, unless the document is excluded."""

    def run_unless_excluded(engine: EngineLike, cancel: Cancel) -> None:
        if context.exclusions.reason(document) is None:
            run(engine, cancel)

    return context.worker.submit(document.uri, surface, surface.seconds(context.session.settings), run_unless_excluded)


def did_change(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didChange`."""
    document = context.session.documents.get(params.text(raw, "textDocument.uri"))
    if document is None:
        log.warning("a change of a document that is not open was ignored")
        return
    version = params.optional_integer(raw, "textDocument.version")
    change_document(context, document, version, raw, "contentChanges")


def change_document(
    context: ServerContext, document: OpenDocument, version: int | None, raw: JsonValue, key: str
) -> None:
    """Apply the changes under a key to a document or a cell; each range refers to the text after the last change."""
    again = version is not None and version == document.version
    document.version = document.version if version is None else version
    try:
        changes = params.content_changes(raw, key)
    except BadParams as error:
        document.in_step = False
        log.error("a change could not be read (%s): no predictions until the whole text comes again", error)
        return
    # A client that resynchronises sends the unchanged text again at the same version: not an edit.
    before, serial = document.buffer, document.serial
    try:
        edits = list(_edits(context.session, document, changes))
        document.apply(edits, EditKind.RELOADED if again else None)
        if document.serial != serial:
            context.session.follow_change(document, document.since(serial))
    except Exception:  # for example out of memory: from here on only a whole text is accepted
        document.in_step = False
        raise
    context.recording.record_change(document, before, edits)
    context.indexing.document_active(document.analysed)
    if edits and _IMPORTING.match(document.buffer.data, _line_start(document.buffer, edits[-1])):
        read_modules(context, document)
    if edits:
        _read_names(context, document, edits[-1].new_end)


def _line_start(buffer: Buffer, edit: ByteEdit) -> int:
    """The start of the line in which an edit begins."""
    return buffer.data.rfind(b"\n", 0, min(edit.start, len(buffer.data))) + 1


def read_modules(context: ServerContext, document: OpenDocument) -> None:
    """Read the modules that a document imports once nothing else is to be done, so that no completion waits for it."""
    opened = context.session.gate(document.uri, None, MODULES)
    if not isinstance(opened, Suppressed):
        now = context.session.snapshot(opened, 0).document
        _submit(context, now, MODULES, lambda engine, cancel: call_if_supported(engine, "read_modules", now))


def _read_names(context: ServerContext, document: OpenDocument, byte: int) -> None:
    """Read the names around an edit in another part of a document at rest, so that no answer waits for them."""
    line = document.buffer.line_at(byte)
    if context.session.is_deterministic or line in document.lines_read:
        return
    opened = context.session.gate(document.uri, None, NAMES)
    if isinstance(opened, Suppressed) or opened.analysed.embedded is not None:
        return
    document.lines_read = range(line - _LINES_READ, line + _LINES_READ + 1)
    byte += opened.offset
    now = context.session.snapshot(opened, byte).document
    _submit(context, now, NAMES, lambda engine, cancel: call_if_supported(engine, "read_names", now, byte, cancel))


def _edits(session: Session, document: OpenDocument, changes: Sequence[ContentChange]) -> Iterator[ByteEdit]:
    """Yield the changes as byte edits, each in coordinates of the text after the previous edit."""
    buffer = document.buffer
    edit: ByteEdit | None = None
    for change in changes:
        whole = change.span is None or (change.span[:2] == (0, 0) and change.span[2] >= _LAST_LINE)
        if document.in_step or whole:
            document.in_step = True
            if edit is not None:  # the text behind the last edit is not needed
                buffer = buffer.apply(edit)
            edit = _edit(document, buffer, change, session.encoding, whole)
            yield edit


def _edit(
    document: OpenDocument, buffer: Buffer, change: ContentChange, encoding: PositionEncoding, whole: bool
) -> ByteEdit:
    if whole or change.span is None:
        start, end = 0, len(buffer.data)
    else:
        first = byte_at(buffer, change.span[0], change.span[1], encoding)
        last = byte_at(buffer, change.span[2], change.span[3], encoding)
        start, end = min(first, last), max(first, last)
    if encoding is not PositionEncoding.UTF16:
        return ByteEdit(start, end, encode_text(change.text))
    return document.surrogates.edit(buffer.data, start, end, change.text)


def did_close(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didClose`: open requests get empty answers, and the text is deleted."""
    close_document(context, params.text(raw, "textDocument.uri"))


def close_document(context: ServerContext, uri: str) -> None:
    """Close a document."""
    context.worker.close(uri)
    context.session.close(uri)
    context.recording.record_close(uri)
    context.indexing.document_closed(uri)


def did_save(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didSave`: blank changes right before it are a formatter's.

    A text in the notification replaces the server's where they differ.
    """
    uri = params.text(raw, "textDocument.uri")
    context.indexing.file_changed(uri)
    document = context.session.documents.get(uri)
    if document is not None:
        read_modules(context, document)
    text = params.optional_text(raw, "text")
    if document is None:
        return
    if document.in_step and not document.damaged:
        document.history.absorb_formatting()
    if text is None:
        return
    saved = encode_text(text)
    if saved != document.buffer.data:
        log.warning("a saved text differed from ours by %d bytes", len(saved) - len(document.buffer.data))
        before, edits = document.buffer, [ByteEdit(0, len(document.buffer.data), saved)]
        document.surrogates = LoneSurrogates(text, saved)
        document.in_step = False
        document.apply(edits, EditKind.RELOADED)
        context.recording.record_change(document, before, edits)
    document.in_step = True
