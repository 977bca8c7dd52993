"""Monitoring of the process that started the server: a pipe may stay open after the editor was killed.

In a container the process id of an editor outside is meaningless, so only a process that is alive at the start is
monitored; otherwise the server relies on the end of standard input.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

INTERVAL = 2.0  # seconds between checks


def is_alive(process_id: int) -> bool:
    """Whether a process with this id is running (POSIX: or is a zombie)."""
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
    """Call `gone` on the loop once the process has ended; checks now and every `interval` seconds."""
    if not is_alive(process_id):
        gone()
        return
    loop.call_later(interval, watch, loop, process_id, gone, interval)
