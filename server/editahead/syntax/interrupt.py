"""Interruption of long work on a text: whoever starts the work says how to find out that nobody wants it any more.

The tree and the tokens of a snapshot are derived when somebody first asks for them, deep inside other calls; so the
check belongs to the thread and is not handed through every call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TypeVar

Check = Callable[[], None]  # raises when the work is to end

EVERY = 1024  # nodes between two looks
POLL_SECONDS = 0.005  # between two looks while another thread works
T = TypeVar("T")


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


def is_interruptible() -> bool:
    """Whether the work on this thread has a check."""
    return _thread.check is not None


def run_apart(work: Callable[[], T]) -> Future[T]:
    """Start work that nothing can interrupt on a thread of its own."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="apart", daemon=True).start()
    return future


def await_result(future: Future[T]) -> T:
    """Return the result of work on another thread; raises what the current check raises meanwhile."""
    while not future.done():
        checkpoint()
        wait((future,), POLL_SECONDS)
    return future.result()


def checkpoint() -> None:
    """Raise what the current check raises; nothing where there is none."""
    if _thread.check is not None:
        _thread.check()
