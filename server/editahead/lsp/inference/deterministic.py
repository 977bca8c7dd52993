"""Deterministic mode: answers depend on the order of the messages alone, not on the clock or the machine's load."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from editahead.gitignore.rules import forget_repositories

STEP = 0.001  # seconds of the session's clock for each message
POLL = 0.002  # seconds between two checks whether everything is idle


class MessageClock:
    """A clock that advances by STEP with each message."""

    def __init__(self) -> None:
        self._messages = 0

    def tick(self) -> None:
        """Advance the clock by a message."""
        self._messages += 1

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self._messages * STEP


class SequentialDispatch:
    """Dispatches messages in sequence, each after all work of the previous message is done. On the loop."""

    def __init__(self, receive: Callable[[bytes], None], at_rest: Callable[[], bool], clock: MessageClock) -> None:
        self._receive = receive
        self._at_rest = at_rest
        self._clock = clock
        self._waiting: deque[bytes] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, body: bytes) -> None:
        """Queue a message."""
        self._waiting.append(body)
        if self._timer is None:
            self._go_on()

    def _go_on(self) -> None:
        self._timer = None
        while self._waiting and self._at_rest():
            self._clock.tick()
            forget_repositories()  # what is cached for a second is cached for a single message
            self._receive(self._waiting.popleft())
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_later(POLL, self._go_on)
