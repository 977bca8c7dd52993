"""Limits for each client of the team server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from editahead.team.wire.messages import MAX_MESSAGE


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """The limits of a client. Times are in seconds, sizes in bytes."""

    message: int = MAX_MESSAGE
    documents: int = 100
    text: int = 32 << 20  # of all its documents
    requests_per_second: float = 50.0
    burst: int = 150  # requests at once after a pause
    document_seconds: float = 900.0  # after which an unused document is dropped
    connections: int = 8  # with the same token
    hello_seconds: float = 10.0  # for the first message


class TokenBucket:
    """A rate limit: `burst` requests at once, refilled at `rate` a second."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = float(burst)
        self._at = clock()

    def take(self) -> bool:
        """Take a request from the bucket; False if it is empty."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
