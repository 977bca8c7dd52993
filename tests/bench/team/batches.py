"""Throughput of the language model against the batch size: many documents, each with one more token, read together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from editahead.cli.samples import SAMPLES, sample
from editahead.runtime.language_model.context_batches import predict_all, read_all
from editahead.runtime.language_model.model import LanguageModel, LmContext
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.syntax.tokens import Line
from editahead.team.cluster.replica import load_engine
from editahead.text.buffer import Buffer

SIZES = (1, 2, 4, 8, 16)
STEPS = 30  # tokens that each document gets
INDENT = 4


def measure(language_id: str = "python", sizes: Sequence[int] = SIZES, steps: int = STEPS) -> list[dict[str, Any]]:
    """Return for each batch size the time of a batch and the predictions a second of wall and of processor time."""
    engine = load_engine((), "cpu")
    model = engine.language_model(language_id)
    assert isinstance(model, LanguageModel)
    language = by_id(language_id)
    assert language is not None
    data = sample(SAMPLES[language_id]).data
    snapshot = open_snapshot(Buffer(data), language)
    lines = [snapshot.line_tokens(row) for row in range(data.count(b"\n"))]
    found = []
    for size in sizes:
        contexts = [LmContext(model, INDENT) for _ in range(size)]
        states = [growing(lines, 30 + 7 * number, steps) for number in range(size)]
        for context, texts in zip(contexts, states, strict=True):
            context.extend_to(texts[0])
        times, began = [], time.process_time()
        for step in range(1, steps + 1):
            start = time.perf_counter()
            rows = zip(contexts, states, strict=True)
            read_all([(context, context.set_lines(texts[step])) for context, texts in rows])
            predict_all(contexts)
            times.append(time.perf_counter() - start)
        processor = time.process_time() - began
        times.sort()
        found.append(
            {
                "size": size,
                "batches": steps,
                "median_ms": round(1000 * times[len(times) // 2], 3),
                "each_ms": round(1000 * times[len(times) // 2] / size, 3),
                "processor_ms": round(1000 * processor / steps / size, 3),
            }
        )
    return found


def growing(lines: Sequence[Line], tokens: int, steps: int) -> list[list[Line]]:
    """Return the lines of the first `tokens` tokens, then with one more in each step."""
    found: list[list[Line]] = []
    for most in range(tokens, tokens + steps + 1):
        kept: list[Line] = []
        left = most
        for line in lines:
            if left <= 0:
                break
            kept.append(line[:left])
            left -= len(line)
        found.append(kept)
    return found
