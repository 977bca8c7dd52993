"""Frames and the handshake, against RFC 6455 and against whoever does not keep to it."""

from __future__ import annotations

import asyncio

import pytest
from editahead.team.wire import websocket
from editahead.team.wire.websocket import HandshakeRefusedError, WebSocketClosedError, WebSocketError
from hypothesis import given
from hypothesis import strategies as st


class Writer:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    async def drain(self) -> None:
        pass


def reader_of(data: bytes) -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return reader


async def read(data: bytes, limit: int = 1 << 20) -> tuple[bytes, bytes]:
    writer = Writer()
    message = await websocket.read_message(reader_of(data), writer, limit, mask=True)  # type: ignore[arg-type]
    return message, writer.data


@given(st.binary(max_size=70_000), st.booleans())
def test_a_frame_is_read_as_it_was_written(payload: bytes, mask: bool) -> None:
    async def run() -> None:
        frame = websocket.encode_frame(websocket.BINARY, payload, mask=mask)
        got = await websocket.read_frame(reader_of(frame), 1 << 20)
        assert got == (websocket.BINARY, payload, True)

    asyncio.run(run())


async def test_the_examples_of_the_rfc() -> None:
    assert websocket.accept_key("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    frame = await websocket.read_frame(reader_of(bytes.fromhex("818537fa213d7f9f4d5158")), 100)
    assert frame == (websocket.TEXT, b"Hello", True)


async def test_parts_of_a_message_are_joined_and_a_ping_between_them_is_answered() -> None:
    parts = b"\x02\x03abc" + websocket.encode_frame(websocket.PING, b"x", mask=False) + b"\x80\x02de"
    message, written = await read(parts)
    assert message == b"abcde"
    pong = await websocket.read_frame(reader_of(written), 100)
    assert pong == (websocket.PONG, b"x", True)


@pytest.mark.parametrize(
    "data",
    [
        b"\x82\x7f" + (1 << 40).to_bytes(8, "big"),  # larger than anything that is read
        b"\xf2\x00",  # reserved bits
        b"\x09\x00",  # a ping in parts
        b"\x81\x01a",  # text
        b"\x80\x01a",  # a continuation of nothing
        b"\x02\x01a\x82\x01b",  # a message inside a message
        b"\x02\x00" + b"\x00\x00" * 5000,  # parts without an end
    ],
)
async def test_a_breach_of_the_protocol_ends_the_connection(data: bytes) -> None:
    with pytest.raises(WebSocketError):
        await read(data)


async def test_parts_count_together_against_the_limit() -> None:
    with pytest.raises(WebSocketError, match="of at most"):
        await read(b"\x02\x05aaaaa" + b"\x80\x06bbbbbb", limit=10)


async def test_a_close_has_its_code() -> None:
    with pytest.raises(WebSocketClosedError) as closed:
        await read(websocket.encode_frame(websocket.CLOSE, (4401).to_bytes(2, "big") + b"token", mask=False))
    assert (closed.value.code, closed.value.reason) == (4401, "token")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", HandshakeRefusedError),
        (b"220 mail.example.com ESMTP\r\n\r\n", WebSocketError),
        (b"HTTP/1.1 \xb2\xb2\xb2 X\r\n\r\n", WebSocketError),  # digits, but no number
        (b"HTTP/1.1 " + b"9" * 5000 + b" X\r\n\r\n", WebSocketError),
        (b"HTTP/1.1 101 X\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: guess\r\n\r\n", WebSocketError),
        (b"HTTP/1.1 200 OK\r\n" + b"a" * 20_000 + b"\r\n\r\n", WebSocketError),
    ],
)
async def test_what_is_no_websocket_is_not_spoken_to(answer: bytes, kind: type[WebSocketError]) -> None:
    reader = asyncio.StreamReader(limit=websocket.MAX_HEADER)
    reader.feed_data(answer)
    reader.feed_eof()
    with pytest.raises(kind):
        await websocket.connect(reader, Writer(), "h", "/v1", {})  # type: ignore[arg-type]
