"""The inference thread: it keeps the newest request per document and surface, with deadlines and circuit breakers.

All methods are called on the event loop's thread unless they say otherwise. The engine and everything that it
owns (sessions, caches, syntax trees under derivation) is used by the inference thread alone.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from editahead.lsp import garbage
from editahead.lsp.jobs import EngineLike, Events, Job, Load, Run
from editahead.lsp.logs import log, one_line
from editahead.lsp.surface import Surface
from editahead.suggest.types import Reason, Suppressed
from editahead.syntax.interrupt import interruptible

FAILURES_TO_BREAK = 3
LATENCIES_KEPT = 1000  # of each surface
LOAD_DEADLINE = 30.0  # seconds that a request waits for the models to load

T = TypeVar("T")
AnyJob = Job[Any]  # jobs of all surfaces wait in one queue


@dataclass
class _State:
    """State shared between the threads, under the condition's lock."""

    waiting: dict[tuple[str, str], AnyJob] = field(default_factory=dict)
    running: AnyJob | None = None
    load: tuple[int, Load] | None = None  # with its number, which distinguishes the latest loading
    stopping: bool = False
    closed: list[tuple[int, str]] = field(default_factory=list)  # URIs, each with the order of the last job before


class Worker:
    """A queue of jobs and the inference thread that runs them.

    `warm` (imports) runs there first, before any model is loaded. Without `deadlines` no job times out.
    """

    _loop: asyncio.AbstractEventLoop

    def __init__(self, events: Events, warm: Callable[[], None], *, deadlines: bool = True) -> None:
        self._deadlines = deadlines
        self._events = events
        self._warm = warm
        self._state = _State()
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._main, name="inference", daemon=True)
        self._orders = 0
        self._loads = 0
        self._failures: Counter[str] = Counter()
        self.ready = False  # the engine is loaded, or its loading has failed
        self.failed = ""  # why there is no engine
        self.off: set[str] = set()  # names of surfaces that failed too often
        self.seconds: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=LATENCIES_KEPT))

    @property
    def at_work(self) -> bool:
        """Whether an engine is being loaded or a job is waiting or running. From any thread."""
        state = self._state
        loading = self._loads > 0 and not self.ready
        return loading or state.running is not None or bool(state.waiting or state.closed)

    @property
    def busy(self) -> bool:
        """Whether there is anything to run now. From any thread."""
        state = self._state
        return not self.ready or state.running is not None or bool(state.waiting)

    def start(self) -> None:
        """Start the thread; futures are completed on the current event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def load(self, load: Load) -> None:
        """Load an engine on the thread, replacing the current one; resets the failure counts."""
        self.ready, self.failed = False, ""
        self._loads += 1
        number = self._loads
        self.off.clear()
        self._failures.clear()
        with self._changed:
            self._state.load = number, load
            running = self._state.running
            self._changed.notify()
        if running is not None and running.cancel is not None:
            running.again = True
            running.cancel.cancel()

    def submit(self, uri: str, surface: Surface, deadline: float, run: Run[T]) -> Job[T]:
        """Queue a job; its future gets the result of `run`, or Suppressed. `deadline` is in seconds.

        An unfinished job for the same document and surface is answered as superseded.
        """
        self.cancel(uri, surface.name, "superseded")
        self._orders += 1
        job = Job(uri, surface, run, self._loop.create_future(), self._orders, deadline)
        if self._deadlines:
            job.timer = self._loop.call_later(deadline if self.ready else LOAD_DEADLINE, self._late, job)
        with self._changed:
            self._state.waiting[job.key] = job
            running = self._state.running
            if running is not None and running.surface.urgency > surface.urgency and running.cancel:
                running.again = True
                running.cancel.cancel()
            self._changed.notify()
        return job

    def abandon(self, job: Job[T]) -> None:
        """Cancel a job whose answer is no longer needed."""
        self._resolve(job, Suppressed(Reason.CANCELLED, "by the client"))

    def cancel(self, uri: str, surface: str | None = None, why: str = "closed") -> None:
        """Cancel the jobs of a document (and surface), with the reason `why`."""
        with self._changed:
            jobs = [*self._state.waiting.values()] + ([self._state.running] if self._state.running else [])
        for job in jobs:
            if job.uri == uri and surface in (None, job.surface.name):
                self._resolve(job, Suppressed(Reason.CANCELLED, why))

    def close(self, uri: str) -> None:
        """Cancel the jobs of a closed document, and let the engine delete its caches of it."""
        self.cancel(uri)
        with self._changed:
            self._state.closed.append((self._orders, uri))
            self._changed.notify()

    def stop(self, wait: float = 2.0) -> None:
        """End the thread and cancel unfinished jobs. Waits at most `wait` seconds."""
        with self._changed:
            self._state.stopping = True
            jobs = [*self._state.waiting.values()] + ([self._state.running] if self._state.running else [])
            self._changed.notify()
        for job in jobs:
            self._resolve(job, Suppressed(Reason.CANCELLED, "shutting down"))
        if self._thread.is_alive():
            self._thread.join(wait)

    # -- on the loop

    def _late(self, job: Job[T]) -> None:
        if not self.ready:
            self._resolve(job, Suppressed(Reason.NO_MODEL, "the models are still loading"))
        else:
            self._resolve(job, Suppressed(Reason.CANCELLED, f"not done within {job.deadline * 1000:.0f} ms"))

    def _resolve(self, job: Job[T], answer: T | Suppressed) -> None:
        if not job.future.done():
            job.future.set_result(answer)
        self._drop(job)

    def _drop(self, job: Job[T]) -> None:
        """Remove an answered job from the queue, or cancel its run."""
        if job.timer is not None:
            job.timer.cancel()
        with self._changed:
            job.again = False
            if self._state.waiting.get(job.key) is job:
                del self._state.waiting[job.key]
            if job.cancel is not None:
                job.cancel.cancel()

    def _answered(self, job: Job[T], answer: T | Suppressed, seconds: float) -> None:
        """Complete a job with its answer, and update the failure count and the latencies of its surface."""
        reason = answer.reason if isinstance(answer, Suppressed) else None
        surface = job.surface
        if surface.background:
            pass  # a background job: the error shows again in a request
        elif isinstance(answer, Suppressed) and reason is Reason.FAILED:
            self._failures[surface.name] += 1
            if self._failures[surface.name] == FAILURES_TO_BREAK:
                self.off.add(surface.name)
                self._events.broken(surface, answer.detail)
        elif reason is not Reason.CANCELLED:  # a cancelled run is no evidence either way
            self._failures[surface.name] = 0
        if not job.future.done() and not surface.background:
            self.seconds[surface.name].append(seconds)
        self._resolve(job, answer)

    def _loaded(self, number: int, engine: EngineLike | None, why: str) -> None:
        """Set the state after a loading, and start the deadlines of the waiting jobs."""
        if number != self._loads:  # superseded by a later loading
            return
        self.ready, self.failed = True, why
        with self._changed:
            jobs = [*self._state.waiting.values()]
        for job in jobs:  # from now on each has its own time
            if job.timer is not None:
                job.timer.cancel()
                job.timer = self._loop.call_later(job.deadline, self._late, job)
        self._events.loaded(engine, why)

    # -- on the inference thread

    def _on_loop(self, callback: Callable[[], None]) -> None:
        """Run a callback on the event loop."""
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:  # the loop is closed
            log.debug("the loop has ended before the inference thread")

    def _main(self) -> None:
        """Run the thread: load engines, run jobs, and drop closed documents until it is stopped."""
        engine: EngineLike | None = None
        try:
            self._warm()
        except Exception as error:  # shows again, with its consequences, when the engine is loaded
            log.error("warming up failed: %s", one_line(error))
        loaded, why, rested = False, "", True
        while True:
            with self._changed:
                woken = True
                while woken and not (self._state.stopping or self._state.load or self._wanted(loaded)):
                    woken = self._changed.wait(None if rested else garbage.REST)
                if self._state.stopping:
                    return
                load, self._state.load = self._state.load, None
                closed = self._closed() if loaded else []
                job = self._next() if load is None and loaded and self._state.waiting else None
            if closed and engine is not None:
                self._forget(engine, closed)
            if load is not None:
                engine, why = self._load(*load)
                loaded = True
            elif job is not None:
                self._run(engine, why, job)
            if not woken:
                garbage.collect_in_full()
            rested = not woken

    def _wanted(self, loaded: bool) -> bool:
        """Whether there is an engine, and a job to run or a closed document to drop."""
        return loaded and bool(self._state.waiting or self._state.closed)

    def _closed(self) -> list[str]:
        """Return the closed documents whose caches the engine deletes now.

        This is repeated after each job that was submitted before the closing and may read them.
        """
        state = self._state
        oldest = min((job.order for job in state.waiting.values()), default=self._orders + 1)
        closed = [uri for _, uri in state.closed]
        state.closed = [entry for entry in state.closed if entry[0] >= oldest]
        return closed

    def _forget(self, engine: EngineLike, closed: list[str]) -> None:
        from editahead.runtime.memory import give_back_memory

        for uri in dict.fromkeys(closed):
            try:
                engine.forget(uri)
            except Exception as error:
                log.error("a closed document was not forgotten: %s", one_line(error), exc_info=error)
        garbage.collect_in_full()  # what closed documents took goes now, also while typing goes on in another one
        give_back_memory()

    def _next(self) -> AnyJob:
        from editahead.runtime.ort import Cancel

        key = min(
            self._state.waiting, key=lambda k: (self._state.waiting[k].surface.urgency, self._state.waiting[k].order)
        )
        job = self._state.waiting.pop(key)
        job.cancel = Cancel()
        self._state.running = job
        return job

    def _load(self, number: int, load: Load) -> tuple[EngineLike | None, str]:
        engine, why = None, ""
        try:
            engine = load(lambda text, part: self._on_loop(lambda: self._events.loading(text, part)))
        except Exception as error:
            why = one_line(error)
            log.error("the models could not be loaded: %s", why, exc_info=error)
        self._on_loop(lambda: self._loaded(number, engine, why))
        return engine, why

    def _run(self, engine: EngineLike | None, why: str, job: Job[T]) -> None:
        """Run a job, unless no engine is available, and pass its answer to the loop."""
        from editahead.runtime.ort import Cancelled

        answer: T | Suppressed
        started = time.perf_counter()
        assert job.cancel is not None
        try:
            if engine is None:
                answer = Suppressed(Reason.NO_MODEL, why)
            else:
                job.cancel.check()
                with interruptible(job.cancel.check):
                    answer = job.run(engine, job.cancel)
        except Cancelled:
            answer = Suppressed(Reason.CANCELLED)
        except Exception as error:
            log.error("%s failed: %s", job.surface.name, one_line(error), exc_info=error)
            answer = Suppressed(Reason.FAILED, one_line(error))
        with self._changed:
            self._state.running = None
            cut_short = isinstance(answer, Suppressed) and answer.reason is Reason.CANCELLED
            if job.again and cut_short and not job.future.done():
                job.again, job.cancel = False, None
                self._state.waiting[job.key] = job
                return
        seconds = time.perf_counter() - started
        self._on_loop(lambda: self._answered(job, answer, seconds))
