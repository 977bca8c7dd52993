"""The client's side of a WebSocket (RFC 6455): handshake and frames over asyncio streams, without a library.

Only what the team protocol needs: binary messages, ping, pong and close; no extensions, no subprotocols.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import re
from collections.abc import Mapping
from typing import NamedTuple

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
MAX_HEADER = 16 << 10  # bytes of the answer to the handshake
MAX_CONTROL = 125  # bytes of a control frame
MAX_PARTS = 1000  # of a message
_STATUS = re.compile(r"HTTP/1\.[0-9] ([1-5][0-9][0-9])(?: |\Z)")


class WebSocketError(ConnectionError):
    """The other side broke the protocol or refused the handshake; the text is a single line."""


class HandshakeRefusedError(WebSocketError):
    """The server answered the handshake with another HTTP status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the server answered with HTTP status {status}")
        self.status = status


class WebSocketClosedError(WebSocketError):
    """The other side closed the connection, with a code (1006: no code was sent) and a reason."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(f"closed by the server with code {code}")
        self.code = code
        self.reason = reason


class Frame(NamedTuple):
    """One frame of the connection."""

    opcode: int
    payload: bytes
    final: bool


def accept_key(key: str) -> str:
    """Return the value of Sec-WebSocket-Accept for a key."""
    return base64.b64encode(hashlib.sha1(key.encode() + GUID, usedforsecurity=False).digest()).decode()


def apply_mask(payload: bytes, mask: bytes) -> bytes:
    """Return the payload with a mask of four bytes applied, or removed."""
    size = len(payload)
    whole = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "little") ^ int.from_bytes(whole, "little")).to_bytes(size, "little")


def encode_frame(opcode: int, payload: bytes, *, mask: bool) -> bytes:
    """Return a final frame; clients must mask, servers must not."""
    bit = 0x80 if mask else 0
    size = len(payload)
    if size < 126:
        length = bytes([bit | size])
    elif size < 1 << 16:
        length = bytes([bit | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([bit | 127]) + size.to_bytes(8, "big")
    head = bytes([0x80 | opcode]) + length
    if not mask:
        return head + payload
    key = os.urandom(4)
    return head + key + apply_mask(payload, key)


async def read_frame(reader: asyncio.StreamReader, limit: int) -> Frame:
    """Read a frame. Raises WebSocketError, also for a payload above `limit` bytes, and IncompleteReadError."""
    first, second = await reader.readexactly(2)
    if first & 0x70:
        raise WebSocketError("a frame with reserved bits")
    opcode, size = first & 0x0F, second & 0x7F
    if opcode >= CLOSE and (size > MAX_CONTROL or not first & 0x80):
        raise WebSocketError("a control frame that is too long or not final")
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2), "big")
    elif size == 127:
        size = int.from_bytes(await reader.readexactly(8), "big")
    if size > limit:
        raise WebSocketError(f"a frame of {size} bytes, of at most {limit}")
    key = await reader.readexactly(4) if second & 0x80 else b""
    payload = await reader.readexactly(size)
    return Frame(opcode, apply_mask(payload, key) if key else payload, bool(first & 0x80))


async def read_message(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: int, *, mask: bool) -> bytes:
    """Read the next binary message; answers pings with `mask`. An empty message stands for a pong.

    Raises WebSocketClosedError when the other side closes, WebSocketError when it breaks the protocol, and
    IncompleteReadError when the stream ends.
    """
    parts: list[bytes] = []
    remaining = limit
    while True:
        frame = await read_frame(reader, remaining)
        if frame.opcode == PING:
            writer.write(encode_frame(PONG, frame.payload, mask=mask))
        elif frame.opcode == PONG:
            if not parts:
                return b""
        elif frame.opcode == CLOSE:
            code = int.from_bytes(frame.payload[:2], "big") if len(frame.payload) >= 2 else 1005
            raise WebSocketClosedError(code, frame.payload[2:].decode("utf-8", "replace"))
        elif frame.opcode == (CONTINUATION if parts else BINARY):
            parts.append(frame.payload)
            remaining -= len(frame.payload)
            if frame.final:
                return b"".join(parts)
            if len(parts) > MAX_PARTS:
                raise WebSocketError(f"a message of more than {MAX_PARTS} parts")
        else:
            raise WebSocketError("a frame of an unexpected kind")


async def connect(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, path: str, headers: Mapping[str, str]
) -> None:
    """Make the handshake of a client on an open connection.

    Raises WebSocketError (HandshakeRefusedError where the server refuses) and IncompleteReadError.
    """
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]  # fmt: skip
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    await writer.drain()
    try:
        answer = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        raise WebSocketError("the answer to the handshake is too long") from None
    status, _, rest = answer.decode("latin-1").partition("\r\n")
    match = _STATUS.match(status)
    if match is None:
        raise WebSocketError("the other side speaks no HTTP")
    if match[1] != "101":
        raise HandshakeRefusedError(int(match[1]))
    given = dict(line.lower().split(":", 1) for line in rest.splitlines() if ":" in line)
    accepted = [
        line.partition(":")[2].strip() for line in rest.splitlines() if line.lower().startswith("sec-websocket-accept:")
    ]
    if given.get("upgrade", "").strip() != "websocket" or accepted != [accept_key(key)]:
        raise WebSocketError("the answer to the handshake is wrong")
