"""Explanations of answers: every gate with its value, and what each surface would answer (`editahead/explain`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.rpc import params
from editahead.lsp.rpc.extension_types import ExplainAnswer, SourceCounts
from editahead.lsp.rpc.params import Raw
from editahead.lsp.surfaces import convert
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.suggest.types import Explanation, GateReading, Suppressed

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel


def explain(context: SurfaceContext, raw: Raw) -> object:
    """Answer `editahead/explain`."""
    at = params.document_position(raw)
    snapshot = context.snapshot(at)
    sources = context.session.feedback.sources()
    if isinstance(snapshot, Suppressed):
        document = context.session.documents.get(at.uri)
        context.empty(snapshot)  # counts it
        return closed_gate(document.language_id if document else "", snapshot, sources)
    language_id = snapshot.document.language_id

    def run(engine: EngineLike, cancel: Cancel) -> Explanation:
        explanation = engine.explain(snapshot.document, snapshot.byte, cancel)
        cancel.check()  # after a preemption the whole is repeated
        return explanation

    return context.ask(
        snapshot,
        run,
        lambda explained: convert.explanation(explained, sources),
        empty=lambda suppressed: closed_gate(language_id, suppressed, sources),
    )


def closed_gate(language_id: str, suppressed: Suppressed, sources: SourceCounts) -> ExplainAnswer:
    """Return the explanation of a request that was suppressed before it reached the engine."""
    gate = GateReading(suppressed.reason, False, suppressed.detail)
    return convert.explanation(Explanation(language_id, (), (gate,)), sources)
