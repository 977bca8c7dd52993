"""Idle priority for background training, so that interactive work on the same cores is not slowed.

`SCHED_IDLE` alone is not enough where the kernel schedules by session ("autogroup"): a session of its own then shares a
core half and half with a terminal. Writing 19 to the session's autogroup brings that to about 2 : 98.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_AUTOGROUP = Path("/proc/self/autogroup")
_LEAST = 19  # the lowest nice value of a process or an autogroup


def lower_to_idle() -> None:
    """Give this process, and its autogroup, the least share of the processor. Call it in a session of its own."""
    with contextlib.suppress(OSError):
        _AUTOGROUP.write_text(str(_LEAST))
    with contextlib.suppress(OSError):
        os.nice(_LEAST)
    if hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def is_idle(pid: int) -> bool:
    """True when the process runs under SCHED_IDLE. ProcessLookupError when there is no such process."""
    return hasattr(os, "SCHED_IDLE") and os.sched_getscheduler(pid) == os.SCHED_IDLE
