"""Memory and processor time of a server and its children, from Linux's /proc."""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def memory_mb(pid: int) -> tuple[float, float]:
    """Return current and peak resident memory of a process and its children, from /proc; nan without it."""
    now = peak = 0.0
    for member in process_tree(pid):
        with suppress(OSError, ValueError):
            status = Path(f"/proc/{member}/status").read_text(encoding="ascii", errors="replace").splitlines()
            sizes = {row.split(":")[0]: int(row.split()[1]) for row in status if row.startswith(("VmRSS", "VmHWM"))}
            now, peak = now + sizes.get("VmRSS", 0) * 1024 / 1e6, peak + sizes.get("VmHWM", 0) * 1024 / 1e6
    if not now:
        return math.nan, math.nan
    return now, peak


def process_tree(pid: int) -> list[int]:
    """Return a process and its descendants; the process alone where these are unknown."""
    pids = [pid]
    for member in pids:  # grows while it is read
        with suppress(OSError, ValueError):
            for task in Path(f"/proc/{member}/task").iterdir():
                pids += [int(child) for child in (task / "children").read_text().split()]
    return pids


def processor_ms(pids: Iterable[int]) -> float:
    """Return the processor time of processes so far, with all threads, from /proc; nan without it."""
    spent = 0
    try:
        for pid in pids:
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
                    spent += int((task / "schedstat").read_text().split()[0])
    except (OSError, IndexError, ValueError):
        return math.nan
    return spent / 1e6
