"""A circuit breaker: after late answers in a row, requests are answered locally at once, until a probe is in time.

A probe is a request that is sent while nobody waits for its answer: it costs no keystroke, and keeps the text on the
server up to date.
"""

from __future__ import annotations

from collections.abc import Callable

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
