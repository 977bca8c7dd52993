"""`editahead/rank`: another server's items, each with our probability; a client merges the two lists by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editahead.lsp import params as door
from editahead.lsp.jobs import Surface
from editahead.lsp.params import BadParams, Raw
from editahead.lsp.requests import ask
from editahead.suggest.types import Reason, Shown, Suppressed

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

MAX_LABELS = 10_000


def rank(server: EditaheadServer, raw: Raw) -> Any:
    """Probabilities of `labels` at a position, in their order; null for all of them where nothing can be said."""
    at = door.place(raw)
    labels = door.field(raw, "labels")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise BadParams("labels must be a list of texts")
    if len(labels) > MAX_LABELS:
        raise BadParams(f"labels must be at most {MAX_LABELS}")

    def empty(suppressed: Suppressed) -> dict[str, Any]:
        server.session.feedback.quiet(Surface.RANK.value, suppressed.reason.value)
        return {"probabilities": None, "reason": suppressed.reason.value, "detail": suppressed.detail}

    opened = server.gate(at.uri, at.version, Surface.RANK)
    if isinstance(opened, Suppressed):
        return empty(opened)
    snapshot = server.session.snapshot(opened, server.session.byte(opened, at.line, at.character))

    def answer(decision: Shown[Any]) -> Any:
        if server.session.edits_since(snapshot) != []:
            return Suppressed(Reason.STALE, "the text moved on")
        return {"probabilities": [round(probability, 6) for probability in decision.value]}

    return ask(
        server,
        Surface.RANK,
        snapshot,
        lambda engine, cancel: engine.rank(snapshot.document, snapshot.byte, labels, cancel),
        answer,
        empty,
    )
