"""The pause in typing after which a word counts as finished, for clients that do not report it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable

from editahead.text.edits import ByteEdit

IDLE_AFTER = 0.4
"""Seconds without a change after which typing counts as finished."""


class TypingPause:
    """When the user last typed in a document, and the request that waits for a pause. For the event loop's thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._idle_at = float("-inf")  # second of the clock
        self._waiting: asyncio.Future[bool] | None = None

    def record_change(self, edits: Iterable[ByteEdit], *, is_undo: bool) -> None:
        """Record a change and end the wait. Only single characters and deletions leave a word unfinished.

        Several characters at once are a paste, an accepted suggestion, or an edit of a program.
        """
        self.interrupt()
        is_typing = not is_undo and all(len(edit.new.decode("utf-8", "replace")) <= 1 for edit in edits)
        self._idle_at = self._clock() + IDLE_AFTER if is_typing else float("-inf")

    @property
    def is_over(self) -> bool:
        """Whether the user has paused."""
        return self._clock() >= self._idle_at

    def interrupt(self) -> None:
        """End the wait without a pause: the text has changed, or a newer request came."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(False)

    def wait(self) -> asyncio.Future[bool]:
        """Wait for the pause; false if it was interrupted."""
        self.interrupt()
        loop = asyncio.get_running_loop()
        self._waiting = waiting = loop.create_future()
        timer = loop.call_later(max(0.0, self._idle_at - self._clock()), _finish, waiting)
        waiting.add_done_callback(lambda done: timer.cancel())
        return waiting


def _finish(waiting: asyncio.Future[bool]) -> None:
    if not waiting.done():
        waiting.set_result(True)
