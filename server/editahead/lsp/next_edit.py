"""The next edit, under its own name and in the shape that clients of GitHub's Copilot server expect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editahead.lsp import params as door
from editahead.lsp.convert import lsp_range
from editahead.lsp.jobs import Surface
from editahead.lsp.lines import as_lines
from editahead.lsp.logs import log
from editahead.lsp.open_files import OpenFiles
from editahead.lsp.params import BadParams, Raw
from editahead.lsp.rebasing import rebased
from editahead.lsp.requests import ask
from editahead.suggest.types import Reason, Shown, Suppressed

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer


def copilot_inline_edit(server: EditaheadServer, raw: Raw) -> Any:
    """`textDocument/copilotInlineEdit`: `edits` is always there; an error would pop up at the user."""
    try:
        return _next_edit(server, raw, rich=False)
    except BadParams as error:
        log.warning("textDocument/copilotInlineEdit: %s", error)
        return {"edits": []}


def next_edit(server: EditaheadServer, raw: Raw) -> Any:
    """`editahead/nextEdit`: the same, with the probability, or the reason why there is none."""
    return _next_edit(server, raw, rich=True)


def _next_edit(server: EditaheadServer, raw: Raw, rich: bool) -> Any:
    at = door.place(raw)
    opened = server.gate(at.uri, at.version, Surface.NEXT_EDIT)
    if isinstance(opened, Suppressed):
        return nothing(server, opened, rich)
    byte = server.session.byte(opened, at.line, at.character)
    snapshot = OpenFiles(server.session, opened, byte, Surface.NEXT_EDIT).snapshot

    def answer(decision: Shown[Any]) -> Any:
        found = decision.value
        edit = rebased(found.edit, server.session.edits_since(snapshot))
        if edit is None:
            return Suppressed(Reason.STALE, "the text moved on")
        whole = as_lines(opened.buffer, edit)
        if whole is None:
            return Suppressed(Reason.NO_OP)
        name = server.session.feedback.offer(Surface.NEXT_EDIT.value, found.key, decision.probability, opened.uri)
        made: dict[str, Any] = {
            "text": whole.new.decode("utf-8", "replace"),
            "range": lsp_range(opened.buffer, whole.start, whole.old_end, server.session.encoding),
            "textDocument": {"uri": opened.uri, "version": opened.version},
            "command": server.accept_command(name),
        }
        if rich:
            made["probability"] = decision.probability
            made["steps"] = [{"text": text, "probability": p} for text, p in found.steps]
        return {"edits": [made]}

    return ask(
        server,
        Surface.NEXT_EDIT,
        snapshot,
        lambda engine, cancel: engine.next_edit(
            server.exclusions.without_excluded(snapshot.document), snapshot.byte, cancel
        ),
        answer,
        empty=lambda suppressed: nothing(server, suppressed, rich),
    )


def nothing(server: EditaheadServer, suppressed: Suppressed, rich: bool) -> dict[str, Any]:
    """The empty answer."""
    value: dict[str, Any] = server.quiet(Surface.NEXT_EDIT, suppressed)
    return value if rich else {"edits": []}
