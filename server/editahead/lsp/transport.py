"""Frames of the base protocol: a header with a length, a blank line, a body. Blocking, for a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Protocol

_CHUNK = 1 << 16
_LONGEST_HEADER = 1 << 14
LONGEST_BODY = 1 << 30  # bytes; a length beyond this is a broken header, not a message


class FrameError(Exception):
    """The stream is no longer at the start of a message and cannot be followed further. One line."""


class RawReader(Protocol):
    """An unbuffered stream: at most `size` bytes, as soon as some are there; nothing at the end."""

    def read(self, size: int, /) -> bytes | None: ...


class RawWriter(Protocol):
    """A stream that takes bytes."""

    def write(self, data: bytes, /) -> int | None: ...

    def flush(self) -> None: ...


def read_frames(stream: RawReader, log: Callable[[str], None]) -> Iterator[bytes]:
    """The bodies of the messages on the stream, until it ends.

    Header names are read without regard to case and lines may end with a bare line feed. What stands before a
    header that gives a length is skipped, with one line to `log`. Raises FrameError for an impossible length.
    """
    buffer = bytearray()
    while True:
        end, width = _header_end(buffer)
        while end < 0:
            if len(buffer) > _LONGEST_HEADER:
                raise FrameError(f"no header in {len(buffer)} bytes")
            if not _fill(stream, buffer, _CHUNK):
                if buffer.strip():
                    log(f"the stream ended inside a header, after {len(buffer)} bytes")
                return
            end, width = _header_end(buffer)
        header = bytes(buffer[:end])
        del buffer[: end + width]
        length = _content_length(header)
        if length is None:
            if header.strip():
                log(f"skipped {len(header)} bytes that are no header")
            continue
        if not 0 <= length <= LONGEST_BODY:
            raise FrameError(f"a message of {length} bytes")
        while len(buffer) < length:
            if not _fill(stream, buffer, max(_CHUNK, length - len(buffer))):
                log(f"the stream ended inside a message, {len(buffer)} of {length} bytes were there")
                return
        body = bytes(buffer[:length])
        del buffer[:length]
        yield body


def _fill(stream: RawReader, buffer: bytearray, size: int) -> bool:
    try:
        data = stream.read(size)
    except (OSError, ValueError):  # closed under our feet
        return False
    buffer += data or b""
    return bool(data)


def _header_end(buffer: bytearray) -> tuple[int, int]:
    """Where the header ends and how long its blank line is; -1 when it is not complete."""
    found = [(at, len(blank)) for blank in (b"\r\n\r\n", b"\n\n") if (at := buffer.find(blank)) >= 0]
    return min(found, default=(-1, 0))


def _content_length(header: bytes) -> int | None:
    for line in header.splitlines():
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            text = value.strip().decode("ascii", "replace")
            return int(text) if text.lstrip("-").isdecimal() else None
    return None


class FrameWriter:
    """What the protocol writes to. Any thread may write; after the first failure the rest goes nowhere."""

    def __init__(self, stream: RawWriter, on_lost: Callable[[], None]) -> None:
        self._stream = stream
        self._on_lost = on_lost
        self._lock = threading.Lock()
        self._lost = False

    def write(self, data: bytes) -> None:
        """Write all of `data`; a client that is gone is reported once and never raises."""
        if self._lost:
            return
        try:
            with self._lock:
                self._stream.write(data)
                self._stream.flush()
        except (OSError, ValueError):
            self._lost = True
            self._on_lost()

    def close(self) -> None:
        """Nothing more will be written."""
        self._lost = True
