"""The inference thread: it runs the jobs of a queue, with deadlines and circuit breakers.

All methods are called on the event loop's thread unless they say otherwise. The engine and everything that it
owns (sessions, caches, syntax trees under derivation) is used by the inference thread alone.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from editahead.lsp.inference import garbage
from editahead.lsp.inference.job_queue import JobQueue
from editahead.lsp.inference.jobs import NO_DOCUMENT, EngineLike, Events, Job, Load, Run
from editahead.lsp.process.logs import log, one_line
from editahead.lsp.surfaces.surface import Surface
from editahead.suggest.types import INTERRUPTED, Reason, Suppressed, interrupted
from editahead.syntax.interrupt import interruptible

FAILURES_TO_BREAK = 3
LATENCIES_KEPT = 1000  # of each surface
LATE, LAST = 0.6, 0.85  # of a deadline: from then on there is time for a cheaper answer, then only for the cheapest
LOAD_DEADLINE = 30.0  # seconds that a request waits for the models to load

T = TypeVar("T")


class Worker:
    """The inference thread and its queue of jobs.

    `warm` (imports) runs there first, before any model is loaded. Without `deadlines` no job times out.
    """

    _loop: asyncio.AbstractEventLoop

    def __init__(self, events: Events, warm: Callable[[], None], *, deadlines: bool = True) -> None:
        self._deadlines = deadlines
        self._events = events
        self._warm = warm
        self._queue = JobQueue()
        self._thread = threading.Thread(target=self._main, name="inference", daemon=True)
        self._orders = 0
        self._loads = 0
        self._failures: Counter[str] = Counter()
        self.ready = False  # the engine is loaded, or its loading has failed
        self.failed = ""  # why there is no engine
        self.off: set[str] = set()  # names of surfaces that failed too often
        self.seconds: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=LATENCIES_KEPT))

    @property
    def is_working(self) -> bool:
        """Whether an engine is being loaded or a job is waiting or running. From any thread."""
        loading = self._loads > 0 and not self.ready
        return loading or self._queue.has_work

    @property
    def has_work(self) -> bool:
        """Whether there is anything to run now. From any thread."""
        return not self.ready or self._queue.has_jobs

    def has_more_urgent(self, surface: Surface) -> bool:
        """Whether a request that is more urgent than those of a surface is not answered yet."""
        return any(job.surface.urgency < surface.urgency for job in self._queue.list_unfinished())

    def start(self) -> None:
        """Start the thread; futures are completed on the current event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def load(self, load: Load) -> None:
        """Load an engine on the thread instead of the current engine; reset the failure counts."""
        self.ready, self.failed = False, ""
        self._loads += 1
        self.off.clear()
        self._failures.clear()
        self._queue.load(self._loads, load)

    def submit(self, uri: str, surface: Surface, deadline: float, run: Run[T]) -> Job[T]:
        """Queue a job; its future gets the result of `run`, or Suppressed. `deadline` is in seconds.

        An unfinished job for the same document and surface is answered as superseded.
        """
        self.cancel(uri, surface.name, "superseded")
        self._orders += 1
        job = Job(uri, surface, run, self._loop.create_future(), self._orders, deadline)
        if self._deadlines:
            if self.ready:
                self._start_deadline(job)
            else:
                job.timer = self._loop.call_later(LOAD_DEADLINE, self._late, job)
        self._queue.put(job)
        return job

    def abandon(self, job: Job[T]) -> None:
        """Cancel a job whose answer is no longer needed."""
        self._resolve(job, Suppressed(Reason.CANCELLED, "by the client"))

    def cancel(self, uri: str, surface: str | None = None, why: str = "closed") -> None:
        """Cancel the jobs of a document (and surface), with the reason `why`."""
        for job in self._queue.list_unfinished():
            if job.uri == uri and surface in (None, job.surface.name):
                self._resolve(job, Suppressed(Reason.CANCELLED, why))

    def close(self, uri: str) -> None:
        """Cancel the jobs of a closed document, and let the engine delete its caches of it."""
        self.cancel(uri)
        self._queue.close(uri, self._orders)

    def forget_files(self) -> None:
        """Let the engine delete what it read of files that are not open."""
        self._queue.close(NO_DOCUMENT, self._orders)

    def stop(self, wait: float = 2.0) -> None:
        """End the thread and cancel unfinished jobs. Waits at most `wait` seconds."""
        for job in self._queue.stop():
            self._resolve(job, Suppressed(Reason.CANCELLED, "shutting down"))
        if self._thread.is_alive():
            self._thread.join(wait)

    # -- on the loop

    def _start_deadline(self, job: Job[T]) -> None:
        """Let the time of a job begin."""
        now = time.monotonic()
        job.timer = self._loop.call_later(job.deadline, self._late, job)
        self._queue.set_times(job, now + LATE * job.deadline, now + LAST * job.deadline)

    def _late(self, job: Job[T]) -> None:
        if job.surface.at_rest and job.cancel is None:  # it has not begun
            job.timer = self._loop.call_later(job.deadline, self._late, job)
        elif not self.ready:
            self._resolve(job, Suppressed(Reason.NO_MODEL, "the models are still loading"))
        else:
            cancel = job.cancel
            if cancel is not None:
                cancel.expire()
            self._resolve(job, Suppressed(Reason.DEADLINE, f"ran out of time after {job.deadline * 1000:.0f} ms"))

    def _resolve(self, job: Job[T], answer: T | Suppressed) -> None:
        if not job.future.done():
            job.future.set_result(answer)
        self._drop(job)

    def _drop(self, job: Job[T]) -> None:
        """Remove an answered job from the queue, or cancel its run."""
        if job.timer is not None:
            job.timer.cancel()
        self._queue.remove(job)

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
        elif reason not in INTERRUPTED:  # an unfinished run is no evidence either way
            self._failures[surface.name] = 0
        if not job.future.done() and not surface.background:
            self.seconds[surface.name].append(seconds)
        self._resolve(job, answer)

    def _loaded(self, number: int, engine: EngineLike | None, why: str) -> None:
        """Set the state after a loading, and start the deadlines of the unfinished jobs.

        The thread may have taken a job by now, which must not keep the long deadline of the loading.
        """
        if number != self._loads:  # superseded by a later loading
            return
        self.ready, self.failed = True, why
        for job in self._queue.list_unfinished():  # from now on each has its own time
            if job.timer is not None and not job.future.done():
                job.timer.cancel()
                self._start_deadline(job)
        self._events.loaded(engine, why)

    # -- on the inference thread

    def _on_loop(self, callback: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:  # the loop is closed
            log.debug("the loop has ended before the inference thread")

    def _main(self) -> None:
        """Run the thread: load engines, run jobs, and drop closed documents until it is stopped."""
        from editahead.runtime.memory import give_back_memory

        engine: EngineLike | None = None
        try:
            self._warm()
        except Exception as error:  # shows again, with its consequences, when the engine is loaded
            log.error("warming up failed: %s", one_line(error))
        loaded, why, rested = False, "", True
        while (work := self._queue.take(None if rested else garbage.REST, loaded=loaded)) is not None:
            if work.closed and engine is not None:
                self._forget(engine, work.closed)
            if work.load is not None:
                engine, why = self._load(*work.load)
                loaded = True
            elif work.job is not None:
                self._run(engine, why, work.job)
            if work.timed_out:
                garbage.collect_in_full()
                give_back_memory()  # also memory of reading the project
            rested = work.timed_out

    def _forget(self, engine: EngineLike, closed: Sequence[str]) -> None:
        from editahead.runtime.memory import give_back_memory

        for uri in dict.fromkeys(closed):
            try:
                engine.forget(uri)
            except Exception as error:
                log.error("a closed document was not forgotten: %s", one_line(error), exc_info=error)
        garbage.collect_in_full()  # release memory of closed documents even while typing continues in another
        give_back_memory()

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
        except Cancelled as error:
            answer = interrupted(is_out_of_time=error.is_out_of_time)
        except Exception as error:
            log.error("%s failed: %s", job.surface.name, one_line(error), exc_info=error)
            answer = Suppressed(Reason.FAILED, one_line(error))
        if not self._queue.finish(job, answer):
            return
        seconds = time.perf_counter() - started
        self._on_loop(lambda: self._answered(job, answer, seconds))
