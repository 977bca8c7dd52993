"""Logging to standard error or a file: a line per event, and never the user's code.

Lines go through a bounded queue to a thread of their own: an editor that never reads standard error lets the pipe of
64 kB fill, and then a write blocks for ever.
"""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections import deque
from pathlib import Path
from types import TracebackType

from editahead.lsp.options import ServeOptions
from editahead.lsp.rpc.params import Raw

log = logging.getLogger("editahead.lsp")
ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)  # as sys.exc_info gives it
MAX_WAITING = 1000  # lines; more are dropped and counted


def one_line(error: BaseException, limit: int = 300) -> str:
    """Format an error in a single line: its type and the first line of its message."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:limit]}" if lines else type(error).__name__


class _OneLine(logging.Formatter):
    """A formatter that puts exceptions in a single line, and whole tracebacks only at level debug."""

    def __init__(self, traceback: bool) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._traceback = traceback

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802 (the name that logging asks for)
        return super().formatException(ei) if self._traceback else ""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return text if self._traceback else " | ".join(part for part in text.splitlines() if part.strip())


class QueuedLog(logging.Handler):
    """Writes log lines to a file descriptor from a thread of its own. Never blocks the caller, never raises.

    New lines are dropped while `most` lines wait; the next line that is written gives their number.
    """

    def __init__(self, descriptor: int, most: int = MAX_WAITING) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._most = most
        self._changed = threading.Condition()
        self._waiting: deque[str] = deque()
        self._dropped = 0
        self._writing = False
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line."""
        try:
            line = self.format(record)
        except Exception as error:
            line = f"a log line could not be formatted: {type(error).__name__}"
        with self._changed:
            if len(self._waiting) >= self._most:
                self._dropped += 1
                return
            self._waiting.append(line)
            if self._thread is None:
                self._thread = threading.Thread(target=self._main, name="log", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def drain(self, wait: float) -> bool:
        """Wait at most `wait` seconds until all lines are written. Return whether they are."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._waiting or self._writing), wait)

    def _main(self) -> None:
        """Write queued lines until the process ends. On the log thread."""
        while True:
            with self._changed:
                self._writing = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting)
                lines, dropped = list(self._waiting), self._dropped
                self._waiting.clear()
                self._dropped, self._writing = 0, True
            if dropped:
                lines.append(f"{dropped} log lines were dropped: nobody read them in time")
            data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:  # a non-blocking pipe that is full
                with self._changed:
                    self._dropped += len(lines)
            except OSError:  # there is no reader: the lines are lost, the server continues
                pass


def open_log(path: Path) -> int:
    """Open a log file for appending and return its descriptor. Raises OSError, also for a pipe or a device."""
    path.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode) and str(path) != os.devnull:
        os.close(descriptor)
        raise OSError(0, "it is not a regular file")
    return descriptor


def configure_logging(options: ServeOptions) -> QueuedLog:
    """Configure logging by the options. pygls is limited to warnings: at INFO it logs the user's code."""
    descriptor = 2
    problem = ""
    if options.log_file is not None:
        try:
            descriptor = open_log(options.log_file)
        except (OSError, ValueError) as error:
            problem = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
    handler = QueuedLog(descriptor)
    handler.setFormatter(_OneLine(traceback=options.log_level == "debug"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(options.log_level.upper())
    logging.raiseExceptions = False  # would write a traceback to standard error, where nobody may read
    for name in ("asyncio", "pygls", "pygls.protocol.json_rpc"):
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    if problem:
        log.error("cannot write the log %s: %s", options.log_file, problem)
    return handler


def describe(data: Raw) -> str:
    """Describe a message for the log by its method and id, never by its parameters."""
    return f"{data.get('method', 'response')} (id {data.get('id', '-')})"
