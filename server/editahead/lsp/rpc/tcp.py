"""Acceptance of a TCP client that authenticates with the token that was printed to the user.

Any web page may let a browser connect to a port of this machine, and so may any user of it. So a connection is accepted
only when its first message is `initialize` with the token; it is parsed strictly here, and all others are closed.
"""

from __future__ import annotations

import json
import re
import secrets
import selectors
import socket
import time
from dataclasses import dataclass, field

from editahead.lsp.rpc import params

HANDSHAKE_SECONDS = 10.0  # deadline for the first message of a connection
MAX_HANDSHAKE = 1 << 20  # bytes
MAX_WAITING = 16  # unauthenticated connections; beyond these the oldest is closed
_TYPE = rb"(?:content-type:[^\r\n]*\r\n)?"
_HEADER = re.compile(_TYPE + rb"content-length: *([0-9]{1,7})\r\n" + _TYPE + rb"\r\n", re.IGNORECASE)
_BEGINNING = b"content-"
_MAX_HEADER_BYTES = 1000  # bytes


@dataclass
class _Pending:
    """A connection that is not yet authenticated."""

    connection: socket.socket
    until: float
    data: bytearray = field(default_factory=bytearray)


class AuthenticatedClient:
    """The accepted connection as a raw stream, from its first byte on."""

    def __init__(self, connection: socket.socket, data: bytes) -> None:
        self.connection = connection
        self._data = data

    def read(self, size: int, /) -> bytes:
        """Read at most `size` bytes; none at the end."""
        if self._data:
            part, self._data = self._data[:size], self._data[size:]
            return part
        return self.connection.recv(size)


def new_token() -> str:
    """Return a random token for authentication."""
    return secrets.token_urlsafe(24)


def accept_client(listener: socket.socket, token: str) -> AuthenticatedClient:
    """Wait for a client that sends `initialize` with the token; close other connections. Raises OSError."""
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
                    except OSError:  # it disconnected before it was accepted
                        continue
                    connection.setblocking(False)
                    if len(waiting) >= MAX_WAITING:
                        drop(next(iter(waiting.values())))
                    waiting[connection] = _Pending(connection, time.monotonic() + HANDSHAKE_SECONDS)
                    selector.register(connection, selectors.EVENT_READ)
                    continue
                pending = waiting.get(key.fileobj) if isinstance(key.fileobj, socket.socket) else None
                if pending is None:  # dropped since
                    continue
                verdict = is_authenticated(bytes(pending.data), token) if _read(pending) else False
                if verdict is False:
                    drop(pending)
                elif verdict:
                    del waiting[pending.connection]
                    for other in waiting.values():
                        other.connection.close()
                    pending.connection.setblocking(True)
                    return AuthenticatedClient(pending.connection, bytes(pending.data))
            now = time.monotonic()
            for late in [pending for pending in waiting.values() if now > pending.until]:
                drop(late)


def _read(pending: _Pending) -> bool:
    """Read what has arrived. Return whether the connection is still open."""
    try:
        data = pending.connection.recv(1 << 16)
    except BlockingIOError:
        return True
    except OSError:
        return False
    pending.data += data
    return bool(data)


def is_authenticated(data: bytes, token: str) -> bool | None:
    """Whether a stream begins with `initialize` and the token; None while too little has arrived."""
    if not data.lower().startswith(_BEGINNING[: len(data)]):  # HTTP begins with a verb
        return False
    header = _HEADER.match(data[:_MAX_HEADER_BYTES])
    if header is None:
        return None if len(data) < _MAX_HEADER_BYTES and b"\r\n\r\n" not in data else False
    length = int(header[1])
    if length > MAX_HANDSHAKE:
        return False
    body = data[header.end() : header.end() + length]
    if len(body) < length:
        return None
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return False
    given = params.optional_text(message, "params.initializationOptions.token")
    if not isinstance(message, dict) or message.get("method") != "initialize" or given is None:
        return False
    return secrets.compare_digest(given.encode("utf-8", "replace"), token.encode())
