"""Limits and measurements of the memory of the process."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

MAX_MEMORY = 4 << 30  # bytes; half of the machine's where that is less. A server at work takes 0.2 GB
MIN_MEMORY = 1 << 30
_M_ARENA_MAX = -8  # of mallopt(3)


def memory_limit() -> int:
    """Return the memory limit of a server on this machine, in bytes."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return MAX_MEMORY
    return max(MIN_MEMORY, min(MAX_MEMORY, machine // 2))


def limit_memory(most: int | None = None) -> int | None:
    """Limit the memory of the process, in bytes of data.

    An allocation beyond it fails with an error and does not affect the machine. Returns the limit, or None where the
    system does not enforce it (Linux does). Never raises.
    """
    if sys.platform != "linux":
        return None
    import resource

    most = memory_limit() if most is None else most
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = min([most, *(limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)])
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    except (OSError, ValueError):
        return None
    return most


def current_limit() -> int | None:
    """Return the limit that `limit_memory` or the parent process has set; None for no limit."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return None if soft == resource.RLIM_INFINITY else soft


def resident_memory() -> int | None:
    """Return the resident memory of the process in bytes; None where the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def array_bytes(*roots: object, most: int = 200_000) -> int:
    """Return the bytes of the numpy arrays reachable from objects; each array counts once.

    At most `most` objects are visited.
    """
    seen: set[int] = set()
    row: list[object] = list(roots)
    total = 0
    while row and len(seen) < most:
        item = row.pop()
        if id(item) in seen or item is None or isinstance(item, (str, bytes, int, float, type)):
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            total += item.nbytes if item.base is None else 0
            row.append(item.base)
        elif isinstance(item, Mapping):
            row.extend(list(item.values()))
        elif isinstance(item, (list, tuple, set, frozenset)):
            row.extend(item)
        else:
            slots = (name for kind in type(item).__mro__ for name in getattr(kind, "__slots__", ()))
            row.extend(getattr(item, name, None) for name in slots)
            row.extend(list(getattr(item, "__dict__", {}).values()))
    return total


def share_heap() -> None:
    """Let all threads allocate from a single heap of the C library; call it before any thread starts. Never raises.

    glibc gives each thread a heap of its own, and what a thread frees there is not used by the others. Python's lock
    keeps the threads from allocating at the same time anyway.
    """
    if sys.platform != "linux":
        return
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
    except (AttributeError, OSError):  # another C library
        return


def give_back_memory() -> None:
    """Return freed memory to the operating system, which glibc does not do by itself. Never raises."""
    if sys.platform != "linux":
        return
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):  # another C library
        return
