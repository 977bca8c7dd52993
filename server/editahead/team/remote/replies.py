"""Replies of the server, from the connection's thread to the inference thread, and whether waiting for them is useful.

A circuit breaker answers requests locally at once after late answers in a row, until a probe is in time. A probe is a
request that is sent while nobody waits for its answer: it costs no keystroke, and keeps the text on the server up to
date.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from editahead.team.wire.messages import Answer, Declined, FromServer, Resend


@dataclass
class PendingReply:
    """A request that was sent; `reply` and the time when it `arrived` are set before `done`."""

    number: int
    sent: float
    arrived: float = 0.0
    done: threading.Event = field(default_factory=threading.Event)
    reply: Answer | Declined | Resend | None = None


class Replies:
    """Requests that wait, by number. Replies to others came too late and are dropped."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: dict[int, PendingReply] = {}
        self._resend: deque[tuple[int, int]] = deque(maxlen=1000)  # connection and document
        self._numbers = 0

    def expect(self) -> PendingReply:
        """Return a request with the next number."""
        with self._lock:
            self._numbers += 1
            pending = self._waiting[self._numbers] = PendingReply(self._numbers, self._clock())
        return pending

    def give_up(self, pending: PendingReply) -> None:
        """Drop the reply to a request when it comes."""
        with self._lock:
            self._waiting.pop(pending.number, None)

    def receive(self, session: int, message: FromServer) -> None:
        """Hand a message to the request that it answers. On the connection's thread."""
        if not isinstance(message, (Answer, Declined, Resend)):
            return
        if isinstance(message, Resend):
            self._resend.append((session, message.document))
        with self._lock:
            pending = self._waiting.pop(message.number, None)
        if pending is not None:
            pending.reply, pending.arrived = message, self._clock()
            pending.done.set()

    def documents_to_resend(self, session: int) -> list[int]:
        """Return the documents that the server of this connection does not have as it should, once each."""
        numbers = []
        while self._resend:
            of_session, number = self._resend.popleft()
            if of_session == session:
                numbers.append(number)
        return numbers


LATE_TO_PAUSE = 3
PROBE_SECONDS = 0.25  # between two probes
PROBE_PATIENCE = 2.0  # seconds after which a probe counts as unanswered


class Breaker:
    """Whether waiting for a kind of request is useful."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._late = 0
        self._next_probe = 0.0

    @property
    def should_wait(self) -> bool:
        """Whether a request may be waited for now."""
        return self._late < LATE_TO_PAUSE

    def wants_probe(self) -> bool:
        """Whether a probe is due; it counts as sent."""
        now = self._clock()
        if self.should_wait or now < self._next_probe:
            return False
        self._next_probe = now + PROBE_PATIENCE
        return True

    def in_time(self) -> None:
        """Record an answer in time, of a request or of a probe."""
        self._late = 0

    def record_late(self) -> None:
        """Record an answer that did not come in time."""
        self._late += 1
        self._next_probe = self._clock() + PROBE_SECONDS
