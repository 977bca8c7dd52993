"""Framing of the base protocol: a header with a length, a blank line, a body. Blocking, for a thread."""

from __future__ import annotations

import re
import select
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

_CHUNK = 1 << 16
_MAX_READ_BYTES = 1 << 20  # at once: memory grows with the bytes received, not with the length in a header
_MAX_HEADER_BYTES = 1 << 14
_LENGTH = re.compile(rb"-?[0-9]+")
_LENGTH_DIGITS = 18  # a length with more digits is impossible, and Python refuses to read thousands of digits
MAX_UNSENT = 1 << 26  # bytes; beyond this the client is assumed to have stopped reading
MAX_BODY_BYTES = 1 << 30  # bytes; a longer length is an invalid header


class FrameError(Exception):
    """The stream lost the message boundaries and cannot be read further. The message is a single line."""


class RawReader(Protocol):
    """An unbuffered input stream."""

    def read(self, size: int, /) -> bytes | None:
        """Read at most `size` bytes, as soon as some are available; None if none are, nothing at the end."""


class RawWriter(Protocol):
    """An unbuffered output stream."""

    def write(self, data: bytes | memoryview, /) -> int | None:
        """Write some of the bytes and return their number, None for none yet."""

    def flush(self) -> None:
        """Flush written bytes."""


def read_frames(stream: RawReader, log: Callable[[str], None]) -> Iterator[bytes]:
    """Yield the bodies of the messages on a stream until it ends.

    Header names are case-insensitive and lines may end with a bare line feed. Bytes before a header with a length are
    skipped, with a line to `log`. Raises FrameError for an invalid length.
    """
    buffer = bytearray()
    while True:
        end, width = _header_end(buffer)
        while end < 0:
            if len(buffer) > _MAX_HEADER_BYTES:
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
        if not 0 <= length <= MAX_BODY_BYTES:
            raise FrameError(f"a message of {length} bytes")
        while len(buffer) < length:
            if not _fill(stream, buffer, min(max(_CHUNK, length - len(buffer)), _MAX_READ_BYTES)):
                log(f"the stream ended inside a message, {len(buffer)} of {length} bytes were there")
                return
        body = bytes(buffer[:length])
        del buffer[:length]
        yield body


def _fill(stream: RawReader, buffer: bytearray, size: int) -> bool:
    try:
        while (data := stream.read(size)) is None:  # whoever started us made the stream non-blocking
            _wait(stream, to_write=False)
    except (OSError, ValueError):  # closed concurrently
        return False
    buffer += data
    return bool(data)


def _wait(stream: object, *, to_write: bool) -> None:
    """Wait until a non-blocking stream is ready. Raises OSError or ValueError for a closed stream."""
    fileno = getattr(stream, "fileno", None)
    if fileno is None:
        raise ValueError("a stream that gives nothing and cannot be waited for")
    number = [fileno()]
    select.select([] if to_write else number, number if to_write else [], [])


def _header_end(buffer: bytearray) -> tuple[int, int]:
    """Return the end of the header and the length of its blank line; -1 when it is incomplete."""
    ends = [(at, len(blank)) for blank in (b"\r\n\r\n", b"\n\n") if (at := buffer.find(blank)) >= 0]
    return min(ends, default=(-1, 0))


def _content_length(header: bytes) -> int | None:
    """Return the length that a header gives, None if it gives none. Raises FrameError for an invalid length."""
    for line in header.splitlines():
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            text = value.strip()
            if not _LENGTH.fullmatch(text):
                return None
            if len(text) > _LENGTH_DIGITS:
                raise FrameError(f"a message whose length has {len(text)} digits")
            return int(text)
    return None


class FrameWriter:
    """Writes whole messages in order from its own thread, so that a client that does not read blocks nothing.

    Any thread may write. After the first failure, or when more than `most` bytes are unsent, the client counts as lost:
    `on_lost` is called once and further messages are dropped. A message counts as at most half of `most`, so that no
    single answer ends a server whose client reads.
    """

    def __init__(self, stream: RawWriter, on_lost: Callable[[], None], most: int = MAX_UNSENT) -> None:
        self._stream = stream
        self._on_lost = on_lost
        self._most = most
        self._changed = threading.Condition()
        self._waiting: deque[bytes] = deque()
        self._unsent = 0  # bytes as they count, those that are being written included
        self._lost = self._closed = False
        self._thread: threading.Thread | None = None

    def write(self, data: bytes) -> None:
        """Queue `data` for writing. Never blocks, never raises."""
        with self._changed:
            if self._lost or self._closed:
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._main, name="writer", daemon=True)
                self._thread.start()
            self._waiting.append(data)
            self._unsent += self._counted(data)
            too_much = self._unsent > self._most
            self._changed.notify_all()
        if too_much:
            self._lose()

    def close(self) -> None:
        """Stop writing (part of the interface that pygls expects)."""
        self.finish(0.0)

    def finish(self, wait: float) -> bool:
        """Write what is queued, for at most `wait` seconds, and stop. Return whether all was written."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            done = self._changed.wait_for(lambda: self._lost or not self._unsent, wait)
        if done and self._thread is not None:
            self._thread.join(wait)
        return done

    def _main(self) -> None:
        """Write queued messages until the writer is closed. On the writer thread."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._lost or self._closed)
                if self._lost or not self._waiting:
                    return
                data, counted = b"".join(self._waiting), sum(map(self._counted, self._waiting))
                self._waiting.clear()
            try:
                self._write(data)
            except Exception:  # closed, reset or out of memory: whatever it is, the client misses a message
                self._lose()
                return
            with self._changed:
                self._unsent -= counted
                self._changed.notify_all()

    def _counted(self, data: bytes) -> int:
        return min(len(data), self._most // 2)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            written = self._stream.write(rest)
            if written is None:
                _wait(self._stream, to_write=True)
            else:
                rest = rest[written:]
        self._stream.flush()

    def _lose(self) -> None:
        with self._changed:
            first, self._lost = not self._lost, True
            self._waiting.clear()
            self._changed.notify_all()
        if first:
            self._on_lost()
