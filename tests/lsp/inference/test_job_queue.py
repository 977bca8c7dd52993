"""What the inference thread takes next."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from editahead.lsp.inference import job_queue
from editahead.lsp.inference.job_queue import JobQueue
from editahead.lsp.inference.jobs import Job
from editahead.lsp.surfaces.surface import MODULES, PRIME


def job(surface: Any, order: int) -> Job[None]:
    future = asyncio.new_event_loop().create_future()
    return Job("file:///w/a.py", surface, lambda engine, cancel: None, future, order, 1.0)


def taken(queue: JobQueue) -> Any:
    work = queue.take(None, loaded=True)
    assert work is not None
    return work.job


def test_modules_are_read_once_nothing_was_requested_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody typed, the reading began between two keys and each request interrupted it again."""
    monkeypatch.setattr(job_queue, "REST", 0.3)
    queue = JobQueue()
    request, reading, other = job(PRIME, 1), job(MODULES, 2), job(PRIME, 3)
    for waiting in (reading, request):
        queue.put(waiting)
    assert taken(queue) is request
    queue.finish(request, None)
    began = time.monotonic()
    queue.put(other)
    assert taken(queue) is other
    queue.finish(other, None)
    assert queue.take(0.0, loaded=True).timed_out  # type: ignore[union-attr]
    assert taken(queue) is reading
    assert time.monotonic() - began >= 0.3
