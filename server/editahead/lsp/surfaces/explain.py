"""Explanations of answers: every gate with its value, and what each surface would answer (`editahead/explain`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from editahead.learning.interruptions import GHOST_TEXT, NEXT_EDIT, InterruptionBudget, Slot
from editahead.learning.scoreboard import KINDS
from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.rpc import params
from editahead.lsp.rpc.extension_types import ExplainAnswer, SourceCounts
from editahead.lsp.rpc.params import Raw
from editahead.lsp.surfaces import convert
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.suggest.types import Explanation, GateReading, Reason, Suppressed

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel


def explain(context: SurfaceContext, raw: Raw) -> object:
    """Answer `editahead/explain`."""
    at = params.document_position(raw)
    snapshot = context.snapshot(at)
    sources = context.session.feedback.sources()
    if isinstance(snapshot, Suppressed):
        document = context.session.find(at.uri)
        context.empty(snapshot)  # counts it
        return closed_gate(document.language_id if document else "", snapshot, sources)
    language_id = snapshot.document.language_id
    slots = [(snapshot.opened.language_id, kind) for kind in (GHOST_TEXT, NEXT_EDIT)]

    def run(engine: EngineLike, cancel: Cancel) -> Explanation:
        explanation = engine.explain(snapshot.document, snapshot.byte, cancel)
        cancel.check()  # after a preemption the whole is repeated
        return explanation

    return context.ask(
        snapshot,
        run,
        lambda explained: convert.explanation(with_budget(explained, context.session.feedback.budget, slots), sources),
        empty=lambda suppressed: closed_gate(language_id, suppressed, sources),
    )


def with_budget(explanation: Explanation, budget: InterruptionBudget, slots: Sequence[Slot]) -> Explanation:
    """Add the gates of the interruption budget; surfaces that are paused show nothing."""
    gates, surfaces = list(explanation.gates), dict(explanation.surfaces)
    for slot in slots:
        kind, reason = slot[1], budget.pause(slot)
        gates.append(GateReading(Reason.INTERRUPTIONS, not reason, f"{KINDS[kind]}: {budget.describe(slot)}"))
        if reason:
            surfaces[kind] = Suppressed(Reason.INTERRUPTIONS, reason)
    return replace(explanation, gates=tuple(gates), surfaces=surfaces)


def closed_gate(language_id: str, suppressed: Suppressed, sources: SourceCounts) -> ExplainAnswer:
    """Return the explanation of a request that was suppressed before it reached the engine."""
    gate = GateReading(suppressed.reason, False, suppressed.detail)
    return convert.explanation(Explanation(language_id, (), (gate,)), sources)
