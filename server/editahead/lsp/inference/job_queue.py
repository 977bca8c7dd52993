"""The jobs that wait for the inference thread: the newest per document and surface, the most urgent first.

Every method may be called from any thread; a single lock guards all state.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from editahead.lsp.inference.jobs import Job, Load
from editahead.suggest.types import Reason, Suppressed

REST = 0.2  # seconds since the last request, or its end, before a job that waits for rest may start

T = TypeVar("T")
AnyJob = Job[Any]  # jobs of all surfaces wait in the same queue


class Work(NamedTuple):
    """What the inference thread does next; nothing where it has only waited long enough.

    `load` is a loading with its number, which distinguishes the latest; `closed` are the URIs of documents whose
    caches the engine deletes first. `timed_out`: no work arrived within the waiting time.
    """

    load: tuple[int, Load] | None
    closed: Sequence[str]
    job: AnyJob | None
    timed_out: bool


class JobQueue:
    """Waiting jobs, the running job, and the other work of the thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[tuple[str, str], AnyJob] = {}
        self._running: AnyJob | None = None
        self._load: tuple[int, Load] | None = None
        self._stopping = False
        self._closed: list[tuple[int, str]] = []  # URIs, each with the order of the last job before
        self._rests_at = 0.0  # by `time.monotonic`

    @property
    def has_jobs(self) -> bool:
        """Whether a job is waiting or running."""
        return self._running is not None or bool(self._waiting)

    @property
    def has_work(self) -> bool:
        """Whether a job is waiting or running, or a closed document is to be dropped."""
        return self._running is not None or bool(self._waiting or self._closed)

    def load(self, number: int, load: Load) -> None:
        """Load an engine before the next job; the running job is interrupted and will run again."""
        with self._changed:
            self._load = number, load
            running = self._running
            self._changed.notify()
        if running is not None and running.cancel is not None:
            running.again = True
            running.cancel.cancel()

    def put(self, job: AnyJob) -> None:
        """Add a job; a running job of less urgency is interrupted and will run again."""
        with self._changed:
            self._waiting[job.key] = job
            self._note_work(job)
            running = self._running
            if running is not None and running.surface.urgency > job.surface.urgency and running.cancel:
                running.again = True
                running.cancel.cancel()
            self._changed.notify()

    def remove(self, job: AnyJob) -> None:
        """Remove a job, or cancel its run."""
        with self._changed:
            job.again = False
            if self._waiting.get(job.key) is job:
                del self._waiting[job.key]
            if job.cancel is not None:
                job.cancel.cancel()

    def set_times(self, job: AnyJob, late_at: float, last_at: float) -> None:
        """Set `late_at` and `last_at` of a job, also while it runs."""
        with self._changed:
            job.late_at, job.last_at = late_at, last_at
            if job.cancel is not None:
                job.cancel.late_at, job.cancel.last_at = late_at, last_at

    def list_unfinished(self) -> list[AnyJob]:
        """The waiting jobs, and the running job."""
        with self._changed:
            return [*self._waiting.values()] + ([self._running] if self._running else [])

    def close(self, uri: str, order: int) -> None:
        """Let the engine drop a closed document; `order` is that of the last job so far."""
        with self._changed:
            self._closed.append((order, uri))
            self._changed.notify()

    def stop(self) -> list[AnyJob]:
        """End the thread's work; returns the unfinished jobs."""
        with self._changed:
            self._stopping = True
            jobs = [*self._waiting.values()] + ([self._running] if self._running else [])
            self._changed.notify()
        return jobs

    def take(self, wait: float | None, *, loaded: bool) -> Work | None:
        """Wait for work, at most `wait` seconds; None when the thread ends. Jobs are taken once an engine is `loaded`.

        A taken job counts as running until `finish`.
        """
        with self._changed:
            woken = True
            while woken and not (self._stopping or self._load or (loaded and (self._is_due() or self._closed))):
                pause = max(0.0, self._rests_at - time.monotonic()) if loaded and self._waiting else None
                is_shorter = pause is not None and (wait is None or pause < wait)
                woken = self._changed.wait(pause if is_shorter else wait) or is_shorter
            if self._stopping:
                return None
            load, self._load = self._load, None
            closed = self._take_closed() if loaded else []
            job = self._next() if load is None and loaded and self._is_due() else None
        return Work(load, closed, job, not woken)

    def finish(self, job: Job[T], answer: T | Suppressed) -> bool:
        """End a job's run. False where it was interrupted for a more urgent job: then it waits again."""
        with self._changed:
            self._running = None
            self._note_work(job)
            cut_short = isinstance(answer, Suppressed) and answer.reason is Reason.CANCELLED
            if job.again and cut_short and not job.future.done():
                job.again, job.cancel = False, None
                self._waiting[job.key] = job
                return False
        return True

    def _take_closed(self) -> list[str]:
        """Return the closed documents whose caches the engine deletes now.

        This is repeated after each job that was submitted before the closing and may read them.
        """
        oldest = min((job.order for job in self._waiting.values()), default=math.inf)
        closed = [uri for _, uri in self._closed]
        self._closed = [entry for entry in self._closed if entry[0] >= oldest]
        return closed

    def _note_work(self, job: AnyJob) -> None:
        if not job.surface.at_rest:
            self._rests_at = time.monotonic() + REST

    def _is_due(self) -> bool:
        """Whether a waiting job may start now."""
        if not self._waiting:
            return False
        return time.monotonic() >= self._rests_at or any(not job.surface.at_rest for job in self._waiting.values())

    def _next(self) -> AnyJob:
        from editahead.runtime.ort import Cancel

        key = min(self._waiting, key=lambda key: (self._waiting[key].surface.urgency, self._waiting[key].order))
        job = self._waiting.pop(key)
        job.cancel = Cancel(job.late_at, job.last_at)
        self._running = job
        return job
