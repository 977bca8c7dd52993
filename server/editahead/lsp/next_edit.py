"""The next edit: `editahead/nextEdit`, and in the shape of GitHub's Copilot server `textDocument/copilotInlineEdit`."""

from __future__ import annotations

from editahead.lsp import params
from editahead.lsp.convert import lsp_range
from editahead.lsp.lines import as_lines
from editahead.lsp.logs import log
from editahead.lsp.params import BadParams, Raw
from editahead.lsp.protocol_types import NextEditAnswer, NextEditItem
from editahead.lsp.rebasing import rebased
from editahead.lsp.surface_context import SurfaceContext
from editahead.suggest.types import NextEdit, Reason, Shown, Suppressed


def copilot_inline_edit(context: SurfaceContext, raw: Raw) -> object:
    """`textDocument/copilotInlineEdit`: `edits` is always there; an error would pop up at the user."""
    try:
        return _next_edit(context, raw, rich=False)
    except BadParams as error:
        log.warning("textDocument/copilotInlineEdit: %s", error)
        return {"edits": []}


def next_edit(context: SurfaceContext, raw: Raw) -> object:
    """`editahead/nextEdit`: the same with the probability, or with the reason why there is none."""
    return _next_edit(context, raw, rich=True)


def _next_edit(context: SurfaceContext, raw: Raw, rich: bool) -> object:
    def empty(suppressed: Suppressed) -> object:
        answer = context.empty(suppressed)
        return answer if rich else {"edits": []}

    at = params.document_position(raw)
    opened = context.gate(at.uri, at.version)
    if isinstance(opened, Suppressed):
        return empty(opened)
    byte = context.session.byte(opened, at.line, at.character)
    snapshot = context.open_files(opened, byte).snapshot

    def answer(decision: Shown[NextEdit]) -> NextEditAnswer | Suppressed:
        edit = rebased(decision.value.edit, context.session.edits_since(snapshot))
        if edit is None:
            return Suppressed(Reason.STALE, "the text moved on")
        whole = as_lines(opened.buffer, edit)
        if whole is None:
            return Suppressed(Reason.NO_OP)
        item: NextEditItem = {
            "text": whole.new.decode("utf-8", "replace"),
            "range": lsp_range(opened.buffer, whole.start, whole.old_end, context.session.encoding),
            "textDocument": {"uri": opened.uri, "version": opened.version},
            "command": context.offer(opened, decision.value.key, decision.probability),
        }
        if rich:
            item["probability"] = decision.probability
            item["steps"] = [{"text": text, "probability": p} for text, p in decision.value.steps]
        return {"edits": [item]}

    return context.ask(
        snapshot,
        lambda engine, cancel: engine.next_edit(context.without_excluded(snapshot.document), snapshot.byte, cancel),
        answer,
        empty,
    )
