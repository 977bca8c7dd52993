"""A connection to a replica, which is replaced when the replica is silent; for a single event loop.

The server's entrance needs seconds to notice that a node has died: its connections stay open, and nothing answers. So
the laptop looks itself. A message without an answer is followed by a greeting, which a replica answers at once; if that
has no answer either, another connection is opened as well, and the first of the two that answers is used.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Callable, Sequence
from typing import NamedTuple

import editahead
from editahead.team.remote.target import RemoteTarget
from editahead.team.wire import messages as wire
from editahead.team.wire import websocket
from editahead.team.wire.messages import FromServer, Welcome

CONNECT_SECONDS = 5.0
NEXT_OPENING = 0.3  # seconds without an answer, after which another attempt begins beside those so far
MAX_ATTEMPTS = 4
POLL = 0.02  # seconds
IDLE_SECONDS = 2.0  # without any message, after which the replica is greeted
GREET_SECONDS = 0.06  # from a message without an answer to the greeting
SILENT_SECONDS = 0.2  # from the greeting until another connection is opened
NEXT_ATTEMPT = 0.15  # seconds between the attempts at it
LOST_SECONDS = 4.0  # of silence, after which the connection is lost
SOON = 30.0  # seconds: a connection that is replaced within so many makes the next wait for silence twice as long
MAX_BACKLOG = 16 << 20  # bytes that the network has not taken; with more, the connection is closed


class Opened(NamedTuple):
    """A connection that a replica has welcomed."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    welcome: wire.Welcome

    def close(self) -> None:
        """Close the connection at once, without a word to the other side."""
        with contextlib.suppress(OSError, RuntimeError):
            self.writer.transport.abort()


async def open_channel(target: RemoteTarget, next_attempt: float = NEXT_OPENING) -> Opened:
    """Return the first connection that is welcomed.

    The server may send an attempt to a replica that died a moment ago, which answers nothing: then another begins
    after `next_attempt` seconds. Raises what the last attempt raises (OSError, WebSocketError, WireError,
    IncompleteReadError; WebSocketClosedError for another version of the protocol), and TimeoutError.
    """
    attempts: list[asyncio.Task[Opened]] = []
    try:
        return await asyncio.wait_for(_first_of(target, attempts, next_attempt), CONNECT_SECONDS)
    finally:
        for attempt in attempts:
            attempt.cancel()
            attempt.add_done_callback(discard)


async def _first_of(target: RemoteTarget, attempts: list[asyncio.Task[Opened]], next_attempt: float) -> Opened:
    """Return the result of the first attempt that succeeds, and take it out of the list."""
    while True:
        if len(attempts) < MAX_ATTEMPTS:
            attempts.append(asyncio.ensure_future(_attempt(target)))
        await asyncio.wait(attempts, timeout=next_attempt, return_when=asyncio.FIRST_COMPLETED)
        ended = [attempt for attempt in attempts if attempt.done()]
        for attempt in ended:
            if attempt.exception() is None or len(ended) == len(attempts):
                attempts.remove(attempt)
                return attempt.result()
        if ended:  # the others may still succeed
            await asyncio.sleep(POLL)


def discard(attempt: asyncio.Task[Opened]) -> None:
    """Close the connection that an attempt opened in vain."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().close()


async def _attempt(target: RemoteTarget) -> Opened:
    context = ssl.create_default_context() if target.tls else None
    reader, writer = await asyncio.open_connection(target.host, target.port, ssl=context, limit=websocket.MAX_HEADER)
    try:
        headers = {"Authorization": f"Bearer {target.token}"}
        await websocket.connect(reader, writer, target.address, target.path, headers)
        writer.write(greeting())
        welcome = await read_message(reader, writer)
        if not isinstance(welcome, wire.Welcome):
            raise wire.WireError("no welcome")
        if welcome.protocol != wire.PROTOCOL:
            raise websocket.WebSocketClosedError(wire.REFUSED_PROTOCOL)
        return Opened(reader, writer, welcome)
    except BaseException:
        with contextlib.suppress(OSError, RuntimeError):
            writer.transport.abort()
        raise


def greeting() -> bytes:
    """Return the frame of a greeting, which a replica answers at once, whatever it computes."""
    return websocket.encode_frame(
        websocket.BINARY, wire.encode(wire.Hello(wire.PROTOCOL, editahead.__version__)), mask=True
    )


async def read_message(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> wire.FromServer:
    """Return the next message. Raises what `websocket.read_message` raises, and WireError."""
    while not (data := await websocket.read_message(reader, writer, wire.MAX_MESSAGE, mask=True)):
        pass
    return wire.decode_from_server(data)


class Channel:
    """Sends and receives until the connection ends. `on_open` is called with each welcome: documents must be resent."""

    def __init__(
        self, target: RemoteTarget, on_open: Callable[[Welcome], None], on_message: Callable[[FromServer], None]
    ) -> None:
        self._target = target
        self._on_open = on_open
        self._on_message = on_message
        self._loop = asyncio.get_running_loop()
        self._opened: Opened | None = None
        self._other: asyncio.Task[Opened] | None = None  # that is opened because the current connection is silent
        self._next: Opened | None = None  # that takes over
        self._heard = 0.0
        self._unanswered: float | None = None  # since when a message has no answer
        self._greeted: float | None = None  # since when a greeting has none
        self._patience = SILENT_SECONDS
        self._replaced = -SOON
        self._timer: asyncio.TimerHandle | None = None

    @property
    def backlog(self) -> int:
        """Bytes that the network has not taken."""
        return self._opened.writer.transport.get_write_buffer_size() if self._opened is not None else 0

    def write(self, frames: Sequence[bytes]) -> None:
        """Send messages, unless the connection is gone."""
        opened = self._opened
        if opened is None or not frames:
            return
        for frame in frames:
            opened.writer.write(websocket.encode_frame(websocket.BINARY, frame, mask=True))
        if self.backlog > MAX_BACKLOG:
            opened.close()
        if self._unanswered is None:
            self._unanswered = self._loop.time()
            if self._greeted is None:
                self._look_in(GREET_SECONDS)

    async def run(self) -> None:
        """Connect, and pass on messages until the connection ends.

        Raises what `open_channel` raises, WebSocketClosedError when the server closes, and TimeoutError when it is
        silent for long.
        """
        opened: Opened | None = await open_channel(self._target)
        try:
            while opened is not None:
                self._use(opened)
                try:
                    await self._receive(opened)
                except (OSError, asyncio.IncompleteReadError):
                    if self._next is None:
                        raise
                opened, self._next = self._next, None
        finally:
            self._end()

    async def _receive(self, opened: Opened) -> None:
        while True:
            message = await read_message(opened.reader, opened.writer)
            self._heard, self._unanswered, self._greeted = self._loop.time(), None, None
            self._give_up_other()
            if not isinstance(message, Welcome):  # the answer to a greeting in between
                self._on_message(message)

    def _use(self, opened: Opened) -> None:
        self._opened, self._heard, self._unanswered, self._greeted = opened, self._loop.time(), None, None
        self._look_in(IDLE_SECONDS)
        self._on_open(opened.welcome)

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._give_up_other()
        for opened in (self._opened, self._next):
            if opened is not None:
                opened.close()
        self._opened = self._next = None

    # -- silence

    def _look_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, self._look)

    def _look(self) -> None:
        """Do what is due: greet, open another connection, or close a lost connection."""
        now, opened = self._loop.time(), self._opened
        if opened is None:
            return
        if self._greeted is None:
            due = self._heard + IDLE_SECONDS if self._unanswered is None else self._unanswered + GREET_SECONDS
            if now >= due:
                self._greeted, due = now, now + self._patience
                opened.writer.write(greeting())
        elif now - self._heard >= LOST_SECONDS:
            opened.close()
            return
        else:
            due = self._greeted + self._patience
            if now >= due and self._other is None:
                self._open_another(now)
            due = due if due > now else self._heard + LOST_SECONDS
        self._look_in(max(0.001, due - now))

    def _open_another(self, now: float) -> None:
        soon = now - self._replaced < SOON  # a server that is slow must not get more to do
        self._patience = min(LOST_SECONDS, 2 * self._patience) if soon else SILENT_SECONDS
        self._replaced = now
        self._other = asyncio.ensure_future(open_channel(self._target, NEXT_ATTEMPT))
        self._other.add_done_callback(self._take_over)

    def _take_over(self, other: asyncio.Task[Opened]) -> None:
        if other is not self._other or self._opened is None:
            discard(other)
            return
        self._other = None
        if not other.cancelled() and other.exception() is None:
            self._next = other.result()
            self._opened.close()  # which ends the wait for its messages

    def _give_up_other(self) -> None:
        other, self._other = self._other, None
        if other is not None:
            other.cancel()
