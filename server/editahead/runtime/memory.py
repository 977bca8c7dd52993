"""How much memory the process may take, and takes."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

MAX_MEMORY = 4 << 30  # bytes; half of the machine's where that is less. A server at work takes 0.2 GB
LEAST_MEMORY = 1 << 30


def memory_limit() -> int:
    """What a server may take on this machine, in bytes."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return MAX_MEMORY
    return max(LEAST_MEMORY, min(MAX_MEMORY, machine // 2))


def limit_memory(most: int | None = None) -> int | None:
    """Limit the bytes of data that the process may have.

    A graph or a cache that asks for more gets an error, and the machine lives. Returns the limit, or None where the
    system has none that holds (Linux has). Never raises.
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
    """What `limit_memory`, or who started us, has set; None for no limit."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return None if soft == resource.RLIM_INFINITY else soft


def resident_memory() -> int | None:
    """Bytes of main memory that the process has now; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def give_back_memory() -> None:
    """Return freed memory to the system, where the C library keeps it in pieces (glibc does). Never raises."""
    if sys.platform != "linux":
        return
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):  # another C library
        return
