"""Probabilities of another server's completion items, so that a client can merge the two lists (`editahead/rank`)."""

from __future__ import annotations

from editahead.lsp.rpc import params
from editahead.lsp.rpc.extension_types import RankAnswer
from editahead.lsp.rpc.params import BadParams, Raw
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.suggest.types import Reason, Shown, Suppressed

MAX_LABELS = 10_000


def rank(context: SurfaceContext, raw: Raw) -> object:
    """Answer `editahead/rank`: the probabilities of `labels` in their order; null where there is no prediction.

    Raises BadParams.
    """
    at = params.document_position(raw)
    labels = params.field(raw, "labels")
    texts = [label for label in labels if isinstance(label, str)] if isinstance(labels, list) else []
    if not isinstance(labels, list) or len(texts) < len(labels):
        raise BadParams("labels must be a list of strings")
    if len(texts) > MAX_LABELS:
        raise BadParams(f"labels must be at most {MAX_LABELS}")
    snapshot = context.snapshot(at)
    if isinstance(snapshot, Suppressed):
        return context.empty(snapshot)

    def answer(decision: Shown[tuple[float, ...]]) -> RankAnswer | Suppressed:
        if context.session.edits_since(snapshot) != []:
            return Suppressed(Reason.STALE, "the text moved on")
        return {"probabilities": [round(probability, 6) for probability in decision.value]}

    return context.ask(
        snapshot, lambda engine, cancel: engine.rank(snapshot.document, snapshot.byte, texts, cancel), answer
    )
