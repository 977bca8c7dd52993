"""Throttling of background work so that it delays no answer: Python runs one thread at a time.

A waiting thread requests its turn from the running thread, and gets it only after the switch interval (the server
sets a fifth of a millisecond). A keystroke passes through three threads, and each passage could cost that much. So the
work is done in slices with pauses between them, and it stops at the next step while other work is running. Its thread
does not have a low priority in the operating system: preempted in the middle of a slice, it would delay all other
threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable

SLICE = 0.002  # seconds of work; the rest behind a slice is as long as the slice was
REST, LONGEST_REST = 0.001, 0.1  # seconds
POLL_INTERVAL = 0.010  # seconds between two looks at whether others are still busy
MAX_DEFERRAL = 2.0  # seconds after which a slice is done although others are busy, so that the work gets done some day


class Throttle:
    """A throttle that the background thread calls between any two steps."""

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
        """Begin a piece of work: MAX_DEFERRAL counts from now."""
        self._began = self._clock()

    def wait(self) -> None:
        """Wait until the next step may run."""
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
