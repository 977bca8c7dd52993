"""Replies of the server to requests that wait for them, from the connection's thread to the inference thread."""

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
