"""Counts, latencies and memory of the server since its start, kept in memory only (`editahead/stats`)."""

from __future__ import annotations

from collections.abc import Collection

from editahead.lsp.context import ServerContext
from editahead.lsp.rpc.extension_types import MemoryUse, Percentiles, Statistics
from editahead.lsp.rpc.params import Raw
from editahead.lsp.session import Session
from editahead.lsp.status import Status


def stats(context: ServerContext, raw: Raw) -> Statistics:
    """Answer `editahead/stats`: statistics by surface since the server started."""
    statistics: Statistics = {
        "surfaces": context.session.feedback.report(),
        "milliseconds": {name: percentiles(seconds) for name, seconds in context.worker.seconds.items() if seconds},
        "memory": memory_use(context.session, context.status),
    }
    if refused := context.status.refused():
        statistics["refused"] = refused
    if (answered_by := context.status.answered_by()) is not None:
        statistics["remote"] = answered_by
    if (index := context.indexing.summary()) is not None:
        statistics["index"] = index
    return statistics


def percentiles(seconds: Collection[float]) -> Percentiles:
    """Return the median and the 95th percentile, in milliseconds, of times in seconds."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return {"p50": round(1000 * ordered[int(0.5 * last)], 2), "p95": round(1000 * ordered[int(0.95 * last)], 2)}


def memory_use(session: Session, status: Status) -> MemoryUse:
    """Return the memory in bytes of the process, its limit, open documents, models and their states, and the caches."""
    from editahead.runtime.memory import current_limit, resident_memory

    documents = sum(len(document.buffer.data) for document in session.documents.values())
    models, states, cached = status.models()
    return {
        "resident": resident_memory(),
        "limit": current_limit(),
        "documents": documents,
        "models": dict(models),
        "states": states,
        "cached": dict(cached),
    }
