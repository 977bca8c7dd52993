"""Accepts the one client on a port that knows the token, which was printed where only the user sees it.

Any web page may have a browser connect to a port of this machine, and any user of the machine may try. So a connection
counts only once its first message is `initialize` with the token; it is read strictly here, and all others are closed.
"""

from __future__ import annotations

import json
import re
import secrets
import selectors
import socket
import time
from dataclasses import dataclass, field

from editahead.lsp import params

GREETING_SECONDS = 10.0  # that a connection may take for its first message
MAX_GREETING = 1 << 20  # bytes
MAX_WAITING = 16  # connections that have not greeted; the oldest goes
_TYPE = rb"(?:content-type:[^\r\n]*\r\n)?"
_HEADER = re.compile(_TYPE + rb"content-length: *([0-9]{1,7})\r\n" + _TYPE + rb"\r\n", re.IGNORECASE)
_BEGINNING = b"content-"
_LONGEST_HEADER = 1000  # bytes


@dataclass
class _Pending:
    """A connection that has not greeted."""

    connection: socket.socket
    until: float
    data: bytearray = field(default_factory=bytearray)


class GreetedClient:
    """The accepted connection as a raw stream, from its first byte on."""

    def __init__(self, connection: socket.socket, data: bytes) -> None:
        self.connection = connection
        self._data = data

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        if self._data:
            part, self._data = self._data[:size], self._data[size:]
            return part
        return self.connection.recv(size)


def new_token() -> str:
    """A token that cannot be guessed."""
    return secrets.token_urlsafe(24)


def accept_client(listener: socket.socket, token: str) -> GreetedClient:
    """Wait for a connection that begins with `initialize` and the token. Others are closed. Raises OSError."""
    waiting: dict[socket.socket, _Pending] = {}
    listener.setblocking(False)
    with selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)

        def drop(pending: _Pending) -> None:
            selector.unregister(pending.connection)
            del waiting[pending.connection]
            pending.connection.close()

        while True:
            for key, _ in selector.select(1.0 if waiting else None):
                if key.fileobj is listener:
                    try:
                        connection, _ = listener.accept()
                    except OSError:  # it left before we came to it
                        continue
                    connection.setblocking(False)
                    if len(waiting) >= MAX_WAITING:
                        drop(next(iter(waiting.values())))
                    waiting[connection] = _Pending(connection, time.monotonic() + GREETING_SECONDS)
                    selector.register(connection, selectors.EVENT_READ)
                    continue
                pending = waiting.get(key.fileobj) if isinstance(key.fileobj, socket.socket) else None
                if pending is None:  # dropped since
                    continue
                verdict = greets(bytes(pending.data), token) if _read(pending) else False
                if verdict is False:
                    drop(pending)
                elif verdict:
                    del waiting[pending.connection]
                    for other in waiting.values():
                        other.connection.close()
                    pending.connection.setblocking(True)
                    return GreetedClient(pending.connection, bytes(pending.data))
            now = time.monotonic()
            for late in [pending for pending in waiting.values() if now > pending.until]:
                drop(late)


def _read(pending: _Pending) -> bool:
    """Read what has arrived. Returns whether the connection is still open."""
    try:
        data = pending.connection.recv(1 << 16)
    except BlockingIOError:
        return True
    except OSError:
        return False
    pending.data += data
    return bool(data)


def greets(data: bytes, token: str) -> bool | None:
    """Whether a stream begins with `initialize` and the token; None while that is not known."""
    if not data.lower().startswith(_BEGINNING[: len(data)]):  # HTTP begins with a verb
        return False
    header = _HEADER.match(data[:_LONGEST_HEADER])
    if header is None:
        return None if len(data) < _LONGEST_HEADER and b"\r\n\r\n" not in data else False
    length = int(header[1])
    if length > MAX_GREETING:
        return False
    body = data[header.end() : header.end() + length]
    if len(body) < length:
        return None
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    given = params.maybe_text(message, "params.initializationOptions.token")
    if not isinstance(message, dict) or message.get("method") != "initialize" or given is None:
        return False
    return secrets.compare_digest(given.encode("utf-8", "replace"), token.encode())
