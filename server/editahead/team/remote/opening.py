"""Opening of a connection: from TCP to the welcome of a replica, in several attempts where the first gets no answer."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from typing import NamedTuple

import editahead
from editahead.team.remote.target import RemoteTarget
from editahead.team.wire import messages as wire
from editahead.team.wire import websocket

CONNECT_SECONDS = 5.0
NEXT_ATTEMPT = 0.3  # seconds without an answer, after which another attempt begins beside those so far
MAX_ATTEMPTS = 4
POLL = 0.02  # seconds


class Opened(NamedTuple):
    """A connection that a replica has welcomed."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    welcome: wire.Welcome

    def close(self) -> None:
        """Close the connection at once, without a word to the other side."""
        with contextlib.suppress(OSError, RuntimeError):
            self.writer.transport.abort()


async def open_channel(target: RemoteTarget, next_attempt: float = NEXT_ATTEMPT) -> Opened:
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
