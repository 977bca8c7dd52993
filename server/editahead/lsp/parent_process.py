"""Watching of the process that started the server: a killed editor closes no pipe that others hold open.

In a container the number that an editor outside tells means nothing, so only a process that lives when we begin is
watched; without one the end of standard input tells.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

INTERVAL = 2.0  # seconds between looks


def is_alive(process_id: int) -> bool:
    """Whether a process with this number runs (POSIX: or is about to be reaped)."""
    if process_id <= 0:
        return False
    if sys.platform == "win32":
        import ctypes

        synchronize, timed_out = 0x00100000, 0x102
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, process_id)
        if not handle:
            return False
        try:
            return bool(ctypes.windll.kernel32.WaitForSingleObject(handle, 0) == timed_out)
        finally:
            ctypes.windll.kernel32.CloseHandle(handle)
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # it runs, as somebody else; or it is no process number at all
        return True
    return True


def watch(
    loop: asyncio.AbstractEventLoop,
    process_id: int,
    gone: Callable[[], None],
    interval: float = INTERVAL,
) -> None:
    """Call `gone` on the loop once the process has ended; looks now and every `interval` seconds."""
    if not is_alive(process_id):
        gone()
        return
    loop.call_later(interval, watch, loop, process_id, gone, interval)
