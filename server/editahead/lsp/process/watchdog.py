"""Watchdog process, which kills the server when it cannot end by itself.

A thread cannot do this: code in C (a parser, a regular expression) may hold the interpreter's lock without limit. So a
child process, forked before anything else runs, waits for the end of standard input and for the end of the editor's
process. If the server still runs GRACE seconds later, it is killed. The child keeps only standard input open, and ends
with the server.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import warnings

from editahead.lsp.process.parent_process import INTERVAL, is_alive

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
