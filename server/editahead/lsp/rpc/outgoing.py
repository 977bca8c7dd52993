"""Messages to the client: responses at once; notifications and requests through pygls, once it is imported.

Importing pygls builds all classes of lsprotocol, which takes longer than all else before the first completion
(docs/adr/0013). Earlier messages wait here, in order.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pygls.protocol import JsonRPCProtocol

CONTENT_TYPE = b"application/vscode-jsonrpc; charset=utf-8"


class Writer(Protocol):
    """Where frames go."""

    def write(self, data: bytes) -> None:
        """Queue a frame. Never blocks, never raises."""

    def close(self) -> None:
        """Stop writing."""


def import_pygls() -> None:
    """Import what `Outgoing.connect` needs, on any thread."""
    import linecache

    import pygls.protocol
    import pygls.server

    del pygls
    linecache.clearcache()  # the source of the classes that were built, for tracebacks: 3 MB


class Outgoing:
    """Sends what the server responds, says and asks. On the event loop's thread; without a writer, all is dropped."""

    def __init__(self) -> None:
        self._writer: Writer | None = None
        self._protocol: JsonRPCProtocol | None = None
        self._waiting: deque[Callable[[JsonRPCProtocol], object]] = deque()

    def set_writer(self, writer: Writer) -> None:
        """Send all messages from now on to a writer."""
        self._writer = writer
        if self._protocol is not None:
            self._protocol.set_writer(writer)

    def drop_messages(self) -> None:
        """Keep no notification and no request: there is no client that could read them."""
        self._waiting = deque(maxlen=0)

    def respond(self, message: Mapping[str, object]) -> None:
        """Send a response. Raises TypeError, ValueError or RecursionError if it is not JSON."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self._writer is not None:
            self._writer.write(b"Content-Length: %d\r\nContent-Type: %b\r\n\r\n%b" % (len(body), CONTENT_TYPE, body))

    def send(self, message: Callable[[JsonRPCProtocol], object]) -> None:
        """Send a notification or request: `message` sends it through pygls, now or when that is connected."""
        if self._protocol is None:
            self._waiting.append(message)
        else:
            message(self._protocol)

    def connect(self) -> None:
        """Send through pygls from now on, first what waits. Imports pygls if nobody has. Once is enough."""
        if self._protocol is not None:
            return
        from pygls.protocol import JsonRPCProtocol, default_converter
        from pygls.server import JsonRPCServer

        self._protocol = protocol = JsonRPCServer(JsonRPCProtocol, default_converter).protocol
        if self._writer is not None:
            protocol.set_writer(self._writer)
        waiting, self._waiting = self._waiting, deque()
        for message in waiting:
            message(protocol)
