"""Frames: cut anywhere, read the same."""

from __future__ import annotations

import io

import pytest
from editahead.lsp.rpc.transport import MAX_BODY_BYTES, FrameError, FrameWriter, read_frames
from hypothesis import given
from hypothesis import strategies as st


class Dribble:
    """A stream that gives as many bytes at a time as it is told."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self._data = data
        self._sizes = sizes or [1]
        self._reads = 0

    def read(self, size: int, /) -> bytes:
        self._reads += 1
        count = min(size, self._sizes[self._reads % len(self._sizes)])
        part, self._data = self._data[:count], self._data[count:]
        return part


def frame(body: bytes, end: bytes = b"\r\n") -> bytes:
    return b"Content-Length: %d" % len(body) + end + b"X-Other: y" + end + end + body


@given(
    bodies=st.lists(st.binary(max_size=40), max_size=5),
    sizes=st.lists(st.integers(1, 50), max_size=4),
    end=st.sampled_from([b"\r\n", b"\n"]),
)
def test_frames_arrive_whole_however_they_are_cut(bodies: list[bytes], sizes: list[int], end: bytes) -> None:
    logged: list[str] = []
    stream = Dribble(b"".join(frame(body, end) for body in bodies), sizes)
    assert list(read_frames(stream, logged.append)) == bodies
    assert logged == []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"Content-Length: 10\r\n\r\nabc", "inside a message, 3 of 10"),
        (b"Content-Len", "inside a header, after 11 bytes"),
        (b"hello\r\n\r\n", "skipped 5 bytes that are no header"),
        (b"", ""),
    ],
)
def test_a_stream_that_ends_early_ends_the_reading_with_one_line(data: bytes, said: str) -> None:
    logged: list[str] = []
    assert list(read_frames(io.BytesIO(data), logged.append)) == []
    assert [said in line for line in logged] == ([True] if said else [])


@pytest.mark.parametrize(
    "data",
    [
        b"x" * 20_000,
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1),
        b"Content-Length: %b\r\n\r\n" % (b"1" * 5_000),
    ],
)
def test_what_cannot_be_followed_raises(data: bytes) -> None:
    with pytest.raises(FrameError):
        list(read_frames(io.BytesIO(data), lambda line: None))


def test_a_lost_client_is_reported_once_and_never_raises() -> None:
    lost: list[int] = []
    stream = io.BytesIO()
    writer = FrameWriter(stream, lambda: lost.append(1))
    writer.write(b"one")
    assert writer.finish(10)
    assert stream.getvalue() == b"one"
    stream.close()
    writer = FrameWriter(stream, lambda: lost.append(1))
    writer.write(b"two")
    writer.write(b"three")
    assert writer.finish(10)
    assert lost == [1]
