"""The inference thread of a replica: requests of all clients, those with the earliest deadline first.

Requests run in sequence. A request that cannot be answered before its deadline is declined: its laptop answers it
locally by then, and the time is used for others. Requests are not batched: reading the new tokens of a document is a
small part of a request, and a batch that waited for others saved no processor time (96 to 117 % a request).
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from editahead.runtime.ort import Cancel, Cancelled
from editahead.suggest.engine import Engine
from editahead.syntax.interrupt import interruptible

WEIGHT = 0.1  # of the newest run in the average
MAX_WAITING = 1000  # requests; with more, new ones are declined
Run = Callable[[Engine, Cancel], Any]


class DeclinedError(Exception):
    """A request that is not answered; `why` is a word of the message `Declined`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Answered(NamedTuple):
    """The value of a request, the run time of the engine, and the time that the request waited for it, in seconds."""

    value: Any
    seconds: float
    waited: float


@dataclass(order=True)
class _Job:
    deadline: float
    order: int
    arrived: float = field(compare=False)
    slot: tuple[str, str] = field(compare=False)
    run: Run = field(compare=False)
    future: asyncio.Future[Answered] = field(compare=False)
    loop: asyncio.AbstractEventLoop = field(compare=False)
    cancel: Cancel = field(compare=False, default_factory=Cancel)
    dropped: str = field(compare=False, default="")


class RunTimes:
    """Typical run times by method: moving averages, which shrink while requests are declined because of them."""

    def __init__(self) -> None:
        self._typical: dict[str, float] = {}

    def is_in_time(self, method: str, remaining: float, budget: float) -> bool:
        """Whether a request is typically answered within its remaining seconds; `budget` is their number on arrival."""
        typical = self._typical.get(method, 0.0)
        if typical < remaining:
            return True
        if typical >= budget:
            self._typical[method] = (1 - WEIGHT) * typical  # slow runs must not close a method for good
        return False

    def add(self, method: str, seconds: float) -> None:
        """Record a run."""
        self._typical[method] = self._typical.get(method, 0.0) * (1 - WEIGHT) + seconds * WEIGHT


class Inference:
    """Runs requests on a thread of its own. Methods are called on an event loop's thread."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._engine = engine
        self._changed = threading.Condition()
        self._heap: list[_Job] = []
        self._slots: dict[tuple[str, str], _Job] = {}  # the newest request of each client and method
        self._forget: list[str] = []
        self._orders = itertools.count()
        self._stopping = False
        self._run_times = RunTimes()
        self._thread = threading.Thread(target=self._main, name="inference", daemon=True)
        self._thread.start()

    @property
    def engine(self) -> Engine:
        """The engine that the next request runs on."""
        return self._engine

    @property
    def waiting(self) -> int:
        """The number of requests that wait."""
        return len(self._heap)

    def submit(self, slot: tuple[str, str], seconds: float, run: Run) -> asyncio.Future[Answered]:
        """Queue a request whose answer is useful for some seconds.

        A request of the same slot (client and method) that has no answer yet is superseded. The future raises
        DeclinedError.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answered] = loop.create_future()
        arrived = self._clock()
        job = _Job(arrived + seconds, next(self._orders), arrived, slot, run, future, loop)
        with self._changed:
            if len(self._heap) >= MAX_WAITING or self._stopping:
                future.set_exception(DeclinedError("busy"))
                return future
            before = self._slots.get(slot)
            if before is not None:
                before.dropped = "superseded"
                before.cancel.cancel()
            self._slots[slot] = job
            heapq.heappush(self._heap, job)
            self._changed.notify()
        return future

    def forget(self, uris: Sequence[str]) -> None:
        """Delete the caches of documents before the next request."""
        if uris:
            with self._changed:
                self._forget += uris
                self._changed.notify()

    def replace_engine(self, engine: Engine) -> None:
        """Run the following requests with another engine; the running request ends with the old engine."""
        with self._changed:
            self._engine = engine

    def stop(self) -> None:
        """End the thread; requests that wait are declined."""
        with self._changed:
            self._stopping = True
            for job in self._heap:
                job.dropped = "busy"
                job.cancel.cancel()
            self._changed.notify()

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def _main(self) -> None:
        while True:
            with self._changed:
                while not (self._heap or self._forget or self._stopping):
                    self._changed.wait()
                if self._stopping and not self._heap:
                    return
                forget, self._forget = self._forget, []
                engine = self._engine
                job = heapq.heappop(self._heap) if self._heap else None
            for uri in dict.fromkeys(forget):
                engine.forget(uri)
            if job is not None:
                self._run(engine, job)

    def _run(self, engine: Engine, job: _Job) -> None:
        answer: Answered | Exception
        started = self._clock()
        try:
            remaining, budget = job.deadline - started, job.deadline - job.arrived
            if not job.dropped and not self._run_times.is_in_time(job.slot[1], remaining, budget):
                job.dropped = "late"
            if job.dropped:
                raise DeclinedError(job.dropped)
            with interruptible(job.cancel.check):
                value = job.run(engine, job.cancel)
            seconds = self._clock() - started
            self._run_times.add(job.slot[1], seconds)
            answer = Answered(value, seconds, started - job.arrived)
        except Cancelled:
            answer = DeclinedError(job.dropped or "superseded")
        except DeclinedError as error:
            answer = error
        except Exception as error:  # a document of a client must not end the service of others
            answer = DeclinedError("failed")
            answer.__cause__ = error
        with self._changed:
            if self._slots.get(job.slot) is job:
                del self._slots[job.slot]
        try:
            job.loop.call_soon_threadsafe(_settle, job.future, answer)
        except RuntimeError:  # the loop has ended
            return


def _settle(future: asyncio.Future[Answered], answer: Answered | Exception) -> None:
    if future.done():
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
