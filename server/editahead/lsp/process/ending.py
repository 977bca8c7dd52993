"""Termination of the process within two seconds of `exit` or of the end of the input, whatever still runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from editahead.lsp.process.logs import QueuedLog
from editahead.lsp.process.watchdog import Watchdog

DEADLINE = 1.5  # seconds from `exit`, or the end of the input, to the end of the process
WAIT_FOR_LOG = 0.2  # seconds
THREADS = ("inference", "index", "writer", "apart", "exclusions", "sending")
"""Threads that may be in code of a library: at the end of the interpreter that would abort the process."""


class ProcessTermination:
    """Terminates the process in time. Does nothing where the process is not the server's, as in tests."""

    def __init__(
        self, log: QueuedLog | None = None, watchdog: Watchdog | None = None, *, owns_process: bool = False
    ) -> None:
        self._log = log
        self._watchdog = watchdog
        self._owns_process = owns_process
        self._ended = threading.Event()

    def watch_parent(self, process_id: int) -> None:
        """Terminate the server when this process ends, even when the loop is stuck."""
        if self._watchdog is not None:
            self._watchdog.watch_parent(process_id)

    def start_deadline(self, code: Callable[[], int]) -> None:
        """Start the deadline after which the process is terminated with `code`. On the reader thread."""
        if self._owns_process and not self._ended.wait(DEADLINE):
            os._exit(code())

    def end(self, code: int) -> int:
        """Return the exit code, or terminate the process where a thread is stuck: Python would wait for its locks."""
        self._ended.set()
        if self._log is not None:
            self._log.drain(WAIT_FOR_LOG)
        if any(thread.name in THREADS and thread.is_alive() for thread in threading.enumerate()):
            os._exit(code)
        return code
