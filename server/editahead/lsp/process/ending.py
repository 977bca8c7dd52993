"""The end of the process: within two seconds of `exit` or of the end of the input, by a deadline and a watchdog.

A pipe may stay open after the editor was killed, so the process that started the server is monitored as well. In a
container the process id of an editor outside is meaningless: only a process that is alive at the start is monitored.

A thread cannot end a server that cannot end by itself: code in C (a parser, a regular expression) may hold the
interpreter's lock without limit. So a child process, forked before anything else runs, waits for the end of standard
input and of the editor's process. If the server still runs GRACE seconds later, it is killed. The child keeps only
standard input open, and ends with the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import sys
import threading
import warnings
from collections.abc import Callable

from editahead.lsp.process.logs import QueuedLog

INTERVAL = 2.0  # seconds between checks


def is_alive(process_id: int) -> bool:
    """Whether a process with this id is running (POSIX: or is a zombie)."""
    if process_id <= 0:
        return False
    if sys.platform == "win32":
        import ctypes

        synchronize, timed_out = 0x00100000, 0x102
        handle = ctypes.windll.kernel32.OpenProcess(synchronize, False, process_id)
        if not handle:
            return False
        try:
            return bool(ctypes.windll.kernel32.WaitForSingleObject(handle, 0) == timed_out)
        finally:
            ctypes.windll.kernel32.CloseHandle(handle)
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # it runs, as somebody else; or it is no process number at all
        return True
    return True


def watch(
    loop: asyncio.AbstractEventLoop, process_id: int, gone: Callable[[], None], interval: float = INTERVAL
) -> None:
    """Call `gone` on the loop once the process has ended; checks now and every `interval` seconds."""
    if not is_alive(process_id):
        gone()
        return
    loop.call_later(interval, watch, loop, process_id, gone, interval)


GRACE = 3.0  # seconds between the end of the input and the kill; normally the server takes less than two


class Watchdog:
    """The server's end of the pipe to the watchdog process."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def watch_parent(self, process_id: int) -> None:
        """Let the watchdog monitor this process as well."""
        with contextlib.suppress(OSError):  # the watchdog was killed
            os.write(self._pipe, b"%d\n" % process_id)


def start_watchdog(stream: int, grace: float = GRACE) -> Watchdog | None:
    """Fork the watchdog, which monitors the descriptor `stream`; None where fork is not available (Windows)."""
    if sys.platform == "win32":
        return None
    theirs, ours = os.pipe()
    server = os.getpid()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads, which libraries may have: the child uses none of them
            child = os.fork()
    except OSError:
        os.close(theirs)
        os.close(ours)
        return None
    if child:
        os.close(theirs)
        return Watchdog(ours)
    try:
        _keep_only(stream, theirs)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the whole group: the server decides, and we end with it
        if _wait_for_end(stream, theirs) and not _has_ended(theirs, grace):
            os.kill(server, signal.SIGKILL)
    finally:
        os._exit(0)


def _keep_only(*kept: int) -> None:
    """Close all other descriptors, so that the end of the server closes its output."""
    low = 0
    for number in [*sorted(kept), 65_536]:
        os.closerange(low, number)
        low = number + 1


def _wait_for_end(stream: int, pipe: int) -> bool:
    """Wait until the client has ended; False when the server ends first."""
    poll = select.poll()
    poll.register(stream, getattr(select, "POLLRDHUP", 0))  # the end of the stream is reported without a request
    poll.register(pipe, select.POLLIN)
    parent = 0
    message = b""
    while True:
        events = dict(poll.poll(INTERVAL * 1000 if parent else None))
        if pipe in events:
            data = os.read(pipe, 100)
            if not data:
                return False
            message += data
            if message.endswith(b"\n"):
                parent = int(message.split()[-1])
        if stream in events:
            if not events[stream] & select.POLLNVAL:
                return True
            poll.unregister(stream)
        if parent and not is_alive(parent):
            return True


def _has_ended(pipe: int, grace: float) -> bool:
    """Wait at most `grace` seconds and return whether the server ended."""
    poll = select.poll()
    poll.register(pipe, 0)
    return bool(poll.poll(grace * 1000))


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
