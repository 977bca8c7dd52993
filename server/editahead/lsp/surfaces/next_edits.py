"""All remaining places of a repeated edit, as a list to step through (`editahead/nextEdits`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from editahead.lsp.documents.open_files import OpenFiles
from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.rpc import params
from editahead.lsp.rpc.extension_types import NextEditsAnswer, QueuedEditItem
from editahead.lsp.rpc.params import Raw
from editahead.lsp.rpc.protocol_types import TextEdit
from editahead.lsp.session import OpenDocument
from editahead.lsp.surfaces.convert import lsp_range
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.suggest.types import Decision, NextEdits, QueuedEdit, Reason, Shown, Suppressed
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import in_own_line_ends
from editahead.text.positions import PositionEncoding

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel

_QUIET = (Reason.EMPTY, Reason.LOW_PROBABILITY, Reason.NO_MODEL)


class RebasedEdit(NamedTuple):
    """A site of a repeated edit, with its edit rebased onto the current text."""

    item: QueuedEdit
    opened: OpenDocument
    edit: ByteEdit


def next_edits(context: SurfaceContext, raw: Raw) -> object:
    """Answer `editahead/nextEdits`: every site in all open files with its probability, most probable first."""
    at = params.document_position(raw)
    opened = context.gate(at.uri, at.version, (at.line, at.character))
    if isinstance(opened, Suppressed):
        return context.empty(opened)
    byte = context.session.byte(opened, at.line, at.character)
    files = context.open_files(opened, byte)
    reported, unopened = params.optional_flag(raw, "context.idle"), context.client.capabilities.next_edit_unopened
    idle = context.session.is_idle(opened) if reported is None else reported

    def answer(decision: Shown[NextEdits]) -> NextEditsAnswer | Suppressed:
        sites = rebased_edits(files, decision.value.items)
        if not sites:
            return Suppressed(Reason.STALE, "the text moved on")
        return {"items": [_item(context, site) for site in sites], "summary": decision.value.summary}

    def run(engine: EngineLike, cancel: Cancel) -> Decision[NextEdits]:
        document = replace(context.without_excluded(files.snapshot.document), idle=idle)
        decision = engine.next_edits(document, byte, cancel)
        return with_unopened(decision, engine.next_edits_unopened(document, byte, cancel)) if unopened else decision

    return context.ask(files.snapshot, run, answer)


def with_unopened(opened: Decision[NextEdits], unopened: Decision[NextEdits]) -> Decision[NextEdits]:
    """Return the places in all open files, and behind them those in files that are not open."""
    if isinstance(unopened, Suppressed):
        return opened
    if isinstance(opened, Suppressed):
        return unopened if opened.reason in _QUIET else opened
    return replace(opened, value=NextEdits((*opened.value.items, *unopened.value.items)))


def rebased_edits(files: OpenFiles, items: tuple[QueuedEdit, ...]) -> list[RebasedEdit]:
    """Rebase the places onto the current texts, without those that the user has edited since."""
    places = []
    for item in items:
        now = files.rebase(item.uri, item.edit)
        if now is None:
            continue
        opened, edit = now
        edit = in_own_line_ends(edit, opened.buffer.data)
        if not edit.is_noop(opened.buffer.data):
            places.append(RebasedEdit(item, opened, edit))
    return places


def _item(context: SurfaceContext, site: RebasedEdit) -> QueuedEditItem:
    item, opened = site.item, site.opened
    command = context.offer(opened, item.key, item.probability, again=True, source=item.source)
    return {
        "id": command["arguments"][0],
        "uri": opened.uri,
        "version": opened.sent_version,
        **text_edit(opened, site.edit, context.session.encoding),
        "probability": item.probability,
        "sure": item.sure,
        "group": item.group,
        "examples": item.examples,
        "source": item.source or "repeat",
        "command": command,
    }


def text_edit(opened: OpenDocument, edit: ByteEdit, encoding: PositionEncoding) -> TextEdit:
    """Return an edit as a `TextEdit`."""
    return {
        "range": lsp_range(opened.buffer, edit.start, edit.old_end, encoding),
        "newText": edit.new.decode("utf-8", "replace"),
    }
