"""A circuit breaker: after late answers in a row, requests are answered locally at once for a while."""

from __future__ import annotations

from collections.abc import Callable

LATE_TO_PAUSE = 3
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 5.0  # seconds; doubled after each try that is late again


class Breaker:
    """Whether one kind of request is worth its wait. One late answer after a pause begins the next, longer one."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._late = 0
        self._pause = FIRST_PAUSE
        self._until = 0.0

    def allows(self) -> bool:
        """Whether a request may be sent and waited for now."""
        return self._clock() >= self._until

    def in_time(self) -> None:
        """Record an answer in time."""
        self._late, self._pause, self._until = 0, FIRST_PAUSE, 0.0

    def late(self) -> None:
        """Record an answer that did not come in time."""
        self._late += 1
        if self._late >= LATE_TO_PAUSE:
            self._until = self._clock() + self._pause
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
