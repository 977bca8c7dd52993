"""Throughput of one replica against the batch size and the latency budget: many clients, each typing in a document.

The engine of a replica and its inference thread, without a network. Each client sends its next request when it has the
answer to the one before, so that the thread is never idle; all settings take turns, key by key of each round.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from editahead.cli.samples import SAMPLES, sample
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import next_snapshot, open_snapshot
from editahead.syntax.language import by_id
from editahead.team.cluster.inference import Batching, Inference
from editahead.team.cluster.replica import load_engine
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history_view import HistoryView
from editahead.text.memo import keep_documents

from .load_result import percentile

CLIENTS = (4, 16)
SETTINGS = (Batching(), Batching(4), Batching(16), Batching(4, 0.002), Batching(16, 0.005))
KEYS, ROUNDS = 10, 6  # of each client in a round, and rounds of each setting
PATIENCE = 10.0  # seconds: no request is declined


@dataclass
class Tally:
    """What one setting came to."""

    seconds: list[float] = field(default_factory=list)  # of each round
    processor: list[float] = field(default_factory=list)  # likewise
    times: list[float] = field(default_factory=list)  # from a request to its answer
    batches: list[int] = field(default_factory=list)


def typed(number: int, keys: int, language_id: str = "python") -> Iterator[Document]:
    """Yield a document before its first key and after each."""
    language, text = by_id(language_id), sample(SAMPLES[language_id]).data
    assert language is not None
    at = len(text) // 3 + 37 * number
    buffer = Buffer(text[:at])
    history = HistoryView(buffer, (), None, 0)
    document = Document(
        uri=f"team://{number}/a", path=None, language_id=language.id, version=0, syntax=open_snapshot(buffer, language),
        history=history, settings=Settings(),
    )  # fmt: skip
    yield document
    for key in range(at, at + keys):
        before = document.syntax
        edit = ByteEdit(key, key, text[key : key + 1])
        after = before.buffer.apply(edit)
        document = replace(document, version=document.version + 1, syntax=next_snapshot(before, after, [edit]))
        yield document


async def _round(inference: Inference, clients: int, tally: Tally) -> None:
    """Let every client type its keys; a first request of each, which reads its whole text, does not count."""
    texts = [list(typed(number, KEYS)) for number in range(clients)]

    async def ask(number: int, document: Document) -> None:
        byte = len(document.syntax.buffer.data)
        run = lambda engine, cancel: engine.complete(document, byte, cancel)  # noqa: E731
        began = time.perf_counter()
        answer = await inference.submit((str(number), "complete"), PATIENCE, run, (document, byte))
        if document.version:
            tally.times.append(time.perf_counter() - began)
            tally.batches += [answer.batch] * bool(answer.batch)

    async def run(number: int) -> None:
        for document in texts[number][1:]:
            await ask(number, document)

    await asyncio.gather(*(ask(number, texts[number][0]) for number in range(clients)))
    began, processor = time.perf_counter(), time.process_time()
    await asyncio.gather(*(run(number) for number in range(clients)))
    tally.seconds.append(time.perf_counter() - began)
    tally.processor.append(time.process_time() - processor)


def measure(
    engine: Engine | None = None, clients: Sequence[int] = CLIENTS, rounds: int = ROUNDS
) -> list[dict[str, Any]]:
    """Return for each number of clients and each setting the requests a second, their times and the batch sizes."""
    keep_documents(max(clients) + 1)
    inference = Inference(engine or load_engine((), "cpu"))
    asyncio.run(_round(inference, max(clients), Tally()))
    rows = []
    for count in clients:
        tallies = [Tally() for _ in SETTINGS]
        for _ in range(rounds):
            for batching, tally in zip(SETTINGS, tallies, strict=True):
                inference.batching = batching
                asyncio.run(_round(inference, count, tally))
        rows += [row_of(count, *pair) for pair in zip(SETTINGS, tallies, strict=True)]
    inference.stop()
    return rows


def row_of(clients: int, batching: Batching, tally: Tally) -> dict[str, Any]:
    """Return the figures of one setting: the best of its rounds, since what disturbs only makes slower; times of all.

    Times are in milliseconds.
    """
    times, requests = sorted(tally.times), len(tally.times)
    in_round = requests / len(tally.seconds)
    return {
        "clients": clients,
        "size": batching.size,
        "wait_ms": 1000 * batching.seconds,
        "requests": requests,
        "a_second": round(in_round / min(tally.seconds), 1),
        "processor_ms": round(1000 * min(tally.processor) / in_round, 2),
        "mean_batch": round(sum(tally.batches) / max(1, len(tally.batches)), 2),
        "p50_ms": round(1000 * percentile(times, 0.5), 1),
        "p99_ms": round(1000 * percentile(times, 0.99), 1),
    }
