"""`editahead/stats`: counts, latencies and memory of this session; they are kept in memory only."""

from __future__ import annotations

from collections.abc import Collection

from editahead.lsp.context import Context
from editahead.lsp.params import Raw
from editahead.lsp.protocol_types import MemoryUse, Percentiles, Statistics
from editahead.lsp.session import Session
from editahead.lsp.status import Status


def stats(context: Context, raw: Raw) -> Statistics:
    """`editahead/stats`: by surface, since the server started."""
    statistics: Statistics = {
        "surfaces": context.session.feedback.report(),
        "milliseconds": {name: percentiles(seconds) for name, seconds in context.worker.seconds.items() if seconds},
        "memory": memory_use(context.session, context.status),
    }
    if (index := context.indexing.summary()) is not None:
        statistics["index"] = index
    return statistics


def percentiles(seconds: Collection[float]) -> Percentiles:
    """Median and 95th percentile of times in seconds, in milliseconds."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return {"p50": round(1000 * ordered[int(0.5 * last)], 2), "p95": round(1000 * ordered[int(0.95 * last)], 2)}


def memory_use(session: Session, status: Status) -> MemoryUse:
    """Bytes of the whole process, its limit, the texts of open documents, the open models and what these keep."""
    from editahead.runtime.memory import current_limit, resident_memory

    documents = sum(len(document.buffer.data) for document in session.documents.values())
    models, states = status.models()
    return {
        "resident": resident_memory(),
        "limit": current_limit(),
        "documents": documents,
        "models": dict(models),
        "states": states,
    }
