"""Interruption of long work on a text: whoever starts the work says how to find out that nobody wants it any more.

The tree and the tokens of a snapshot are derived when somebody first asks for them, deep inside other calls; so the
check belongs to the thread and is not handed through every call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Check = Callable[[], None]  # raises when the work is to end

EVERY = 1024  # nodes between two looks


class _Thread(threading.local):
    check: Check | None = None


_thread = _Thread()


@contextmanager
def interruptible(check: Check) -> Iterator[None]:
    """Work on this thread is interrupted by whatever `check` raises."""
    before, _thread.check = _thread.check, check
    try:
        yield
    finally:
        _thread.check = before


def checkpoint() -> None:
    """Raise what the current check raises; nothing where there is none."""
    if _thread.check is not None:
        _thread.check()
