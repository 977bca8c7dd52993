"""How much memory the process may take, and takes."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

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


def array_bytes(*roots: object, most: int = 200_000) -> int:
    """Bytes of the numpy arrays that objects hold, through containers and attributes; each array counts once.

    At most `most` objects are looked at.
    """
    seen: set[int] = set()
    row: list[object] = list(roots)
    total = 0
    while row and len(seen) < most:
        one = row.pop()
        if id(one) in seen or one is None or isinstance(one, (str, bytes, int, float, type)):
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            total += one.nbytes if one.base is None else 0
            row.append(one.base)
        elif isinstance(one, Mapping):
            row.extend(list(one.values()))
        elif isinstance(one, (list, tuple, set, frozenset)):
            row.extend(one)
        else:
            slots = (name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ()))
            row.extend(getattr(one, name, None) for name in slots)
            row.extend(list(getattr(one, "__dict__", {}).values()))
    return total


def give_back_memory() -> None:
    """Return freed memory to the system, where the C library keeps it in pieces (glibc does). Never raises."""
    if sys.platform != "linux":
        return
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError):  # another C library
        return
