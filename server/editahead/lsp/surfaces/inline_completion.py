"""Ghost text (`textDocument/inlineCompletion` of LSP 3.18)."""

from __future__ import annotations

import zlib
from dataclasses import replace

from editahead.learning.interruptions import GHOST_TEXT
from editahead.lsp.documents.rebasing import rebase_cursor, rebase_edit
from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import BadParams, Raw
from editahead.lsp.rpc.protocol_types import InlineCompletionItem, InlineCompletionList
from editahead.lsp.session import OpenDocument, Session, Snapshot
from editahead.lsp.surfaces import convert
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.types import Document, InlineSuggestion, Reason, Shown, Suppressed
from editahead.text.coalesced_edits import HistoryView
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import in_own_line_ends

INVOKED = 1  # InlineCompletionTriggerKind
SelectedItem = tuple[tuple[int, int, int, int], str]  # its range and its text


def inline_completion(context: SurfaceContext, raw: Raw) -> object:
    """Answer `textDocument/inlineCompletion`, as a continuation of the selected completion item if there is one.

    Requested by the user, it contains alternatives.

    Raises BadParams.
    """
    at = params.document_position(raw)
    selected_item = _selected_item(raw)
    opened = context.gate(at.uri, at.version, (at.line, at.character))
    if isinstance(opened, Suppressed):
        return context.empty(opened)
    invoked = params.optional_integer(raw, "context.triggerKind") == INVOKED
    if (pause := context.pause(opened, GHOST_TEXT, invoked=invoked)) is not None:
        return context.empty(pause)
    cursor = context.session.byte(opened, at.line, at.character)
    snapshot = context.session.snapshot(opened, cursor, _settings(context.session.settings, opened, invoked=invoked))
    selected = _selected_edit(context.session, opened, selected_item)
    offset = 0.0 if invoked else context.session.feedback.budget.offset((opened.language_id, GHOST_TEXT))
    document, byte = replace(snapshot.document, gate_offset=offset), cursor
    if selected is not None:
        document, byte = with_edit(document, selected), selected.new_end

    def item_of(decision: Shown[InlineSuggestion]) -> InlineCompletionItem | Suppressed:
        suggestion = decision.value
        edit: ByteEdit | None = ByteEdit(suggestion.start, suggestion.end, suggestion.insert.encode("utf-8"))
        if selected is not None and edit is not None:
            edit = _joined(convert.ghost_edit(document.syntax.buffer, edit, byte), selected)
        drawn = _drawn(context.session, snapshot, edit, joined=selected is not None)
        if isinstance(drawn, Suppressed):
            return drawn
        proposal = context.propose(opened, GHOST_TEXT, drawn, pattern=suggestion.insert)
        new = in_own_line_ends(drawn, opened.buffer.data).new.decode("utf-8", "replace")
        item: InlineCompletionItem = {
            "insertText": new,
            "range": convert.lsp_range(opened.buffer, drawn.start, drawn.old_end, context.session.encoding),
            "command": context.offer(opened, suggestion.insert, decision.probability, proposal=proposal),
        }
        if drawn.old_end > drawn.start:
            item["filterText"] = new
        return item

    def run(engine: EngineLike, cancel: Cancel) -> list[Shown[InlineSuggestion]] | Suppressed:
        decision = engine.inline(document, byte, cancel)
        if isinstance(decision, Suppressed):
            return decision
        return [decision, *(engine.alternatives(document, byte, decision.value, cancel) if invoked else ())]

    def answer(decisions: list[Shown[InlineSuggestion]]) -> InlineCompletionList | Suppressed:
        others = [item_of(decision) for decision in decisions[1:]]
        first = item_of(decisions[0])  # feedback follows what is offered last
        if isinstance(first, Suppressed):
            return first
        return {"items": [first, *(item for item in others if not isinstance(item, Suppressed))]}

    return context.ask(snapshot, run, answer)


def _settings(settings: Settings, opened: OpenDocument, *, invoked: bool) -> Settings:
    """Return the settings of a request, with a lower target precision when ghost text was invoked by a key."""
    if not invoked:
        return settings
    usual = settings.target_precision("ghost_text", opened.language_id)
    return replace(settings, ghost_text_precision=min(usual, settings.invoked_precision))


def _drawn(session: Session, snapshot: Snapshot, edit: ByteEdit | None, joined: bool) -> ByteEdit | Suppressed:
    """Rebase an edit of the snapshot and make it drawable by clients; `joined`: it contains the selected item."""
    typed = session.edits_since(snapshot)
    edit = rebase_edit(edit, typed) if edit else None
    if edit is None or typed is None:
        return Suppressed(Reason.STALE, "the text moved on")
    opened, buffer = snapshot.opened, snapshot.opened.buffer
    edit = opened.within(edit)
    if edit is None:
        return Suppressed(Reason.NO_OP, "outside of the cell")
    drawn = edit if joined else convert.ghost_edit(buffer, edit, rebase_cursor(snapshot.byte, typed) - opened.offset)
    if drawn is None or drawn.is_noop(buffer.data):
        return Suppressed(Reason.NO_OP, "nothing that a client can draw")
    return drawn


def _selected_item(raw: Raw) -> SelectedItem | None:
    """Read the item that is selected in the completion menu. Raises BadParams."""
    params.mapping(raw)
    info = "context.selectedCompletionInfo"
    if params.field(raw, "context") is not None:
        params.mapping(raw, "context")
    if params.field(raw, info) is None:
        return None
    where = params.span(raw, f"{info}.range")
    if where is None:
        raise BadParams(f"{info}.range must be a range")
    return where, params.text(raw, f"{info}.text")


def _selected_edit(session: Session, opened: OpenDocument, item: SelectedItem | None) -> ByteEdit | None:
    """Return the edit that the selected item would make; None where its range is invalid."""
    if item is None:
        return None
    (line, character, end_line, end_character), text = item
    start = session.byte(opened, line, character)
    end = session.byte(opened, end_line, end_character)
    return ByteEdit(min(start, end), max(start, end), text.encode("utf-8", "replace"))


def with_edit(document: Document, edit: ByteEdit) -> Document:
    """Return the document as it would be after `edit`, with an empty history."""
    buffer = document.syntax.buffer.apply(edit)
    generation = -1 - zlib.crc32(buffer.data)
    return replace(
        document,
        syntax=document.syntax.advance(buffer, [edit]),
        history=HistoryView(anchor=buffer, settled=(), pending=None, generation=generation),
    )


def _joined(ghost: ByteEdit | None, selected: ByteEdit) -> ByteEdit | None:
    """Join the selected item and the ghost text behind it into a single edit of the text without both."""
    if ghost is None or ghost.start != selected.new_end:
        return None
    return ByteEdit(selected.start, ghost.old_end - selected.delta, selected.new + ghost.new)
