"""Messages to the client: JSON in the frames of the base protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Protocol

CONTENT_TYPE = b"application/vscode-jsonrpc; charset=utf-8"


class Writer(Protocol):
    """Where frames go."""

    def write(self, data: bytes) -> None:
        """Queue a frame. Never blocks, never raises."""


class Outgoing:
    """Sends messages to the client; before `connect`, they are dropped."""

    def __init__(self) -> None:
        self._writer: Writer | None = None

    def connect(self, writer: Writer) -> None:
        """Send all messages from now on to a writer."""
        self._writer = writer

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message. Raises TypeError, ValueError or RecursionError for one that is not JSON."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        if self._writer is not None:
            self._writer.write(b"Content-Length: %d\r\nContent-Type: %b\r\n\r\n%b" % (len(body), CONTENT_TYPE, body))
