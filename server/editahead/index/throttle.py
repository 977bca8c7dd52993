"""When background work rests, so that nobody waits for it: Python runs one thread at a time.

A thread that wants to run asks the one that runs for its turn, and gets it only after the switch interval (the server
sets one millisecond). A keystroke passes through three threads, and each passage could cost that much. So the work
comes in slices with rests between them, and while something else goes on it stops at the next step. Its thread has no
low priority of the operating system: held up in the middle of a slice, it would hold up everybody.
"""

from __future__ import annotations

import time
from collections.abc import Callable

SLICE = 0.002  # seconds of work; the rest behind a slice is as long as the slice was
REST, LONGEST_REST = 0.001, 0.1  # seconds
POLL_INTERVAL = 0.010  # seconds between two looks at whether others are still busy
MAX_DEFERRAL = 2.0  # seconds after which a slice is done although others are busy, so that the work gets done some day


class Pace:
    """Called by the background thread between any two steps."""

    def __init__(
        self,
        busy: Callable[[], bool],
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._busy = busy
        self._sleep = sleep
        self._clock = clock
        self._began = clock()
        self._impatient = False

    def begin(self) -> None:
        """A piece of work begins now."""
        self._began = self._clock()

    def throttle(self) -> None:
        """Come back when there is time for another step."""
        used = self._clock() - self._began
        if used < SLICE and (self._impatient or not self._busy()):
            return
        # Where the machine is overloaded a slice takes longer than it works, and so does the rest.
        self._sleep(min(max(REST, used), LONGEST_REST))
        waited = 0.0
        while self._busy() and waited < MAX_DEFERRAL:
            self._sleep(POLL_INTERVAL)
            waited += POLL_INTERVAL
        self._impatient = waited >= MAX_DEFERRAL
        self._began = self._clock()
