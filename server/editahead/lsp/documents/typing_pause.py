"""The pause in which what a user types counts as finished."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable

from editahead.text.edits import ByteEdit

IDLE_AFTER = 0.4  # seconds without a change after which typing counts as finished
LEAD_AFTER = 2.0
"""Seconds without a change after which a site may be shown that a model expects.

Who knows where to go on is on the way there by then: mental preparation takes 1.35 s in the keystroke-level model.
"""


class TypingPause:
    """When the user last typed in a document, and the request that waits for a pause. For the event loop's thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._idle_at = float("-inf")  # second of the clock
        self._changed_at = float("-inf")
        self._waiting: asyncio.Future[bool] | None = None

    def record_change(self, edits: Iterable[ByteEdit], *, is_undo: bool) -> None:
        """Record a change and end the wait. Only single characters and deletions leave a word unfinished.

        Several characters at once are a paste, an accepted suggestion, or an edit of a program.
        """
        self.interrupt()
        self._changed_at = self._clock()
        is_typing = not is_undo and all(len(edit.new.decode("utf-8", "replace")) <= 1 for edit in edits)
        self._idle_at = self._changed_at + IDLE_AFTER if is_typing else float("-inf")

    @property
    def is_over(self) -> bool:
        """Whether the user has paused."""
        return self._clock() >= self._idle_at

    @property
    def seconds_to_lead(self) -> float:
        """The seconds until LEAD_AFTER is over; 0 afterwards."""
        return max(0.0, self._changed_at + LEAD_AFTER - self._clock())

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
