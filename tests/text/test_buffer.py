"""The buffer and positions against a plain client that holds its text as one string."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from time import perf_counter

import numpy as np
import pytest
from editahead.text.buffer import Buffer, decode_file, encode_text, rescan_window
from editahead.text.edits import ByteEdit
from editahead.text.positions import PositionEncoding, byte_at, position_at
from hypothesis import example, given
from hypothesis import strategies as st
from text_strategies import borders, data_and_edit, short_texts, texts


def reference_lines(text: str) -> list[str]:
    r"""The lines with their ends, character by character; only `\r\n`, `\n` and `\r` end one."""
    lines, line = [], ""
    for at, char in enumerate(text):
        line += char
        if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
            lines.append(line)
            line = ""
    return [*lines, line]


def reference_starts(text: str) -> list[int]:
    lengths = [len(line.encode()) for line in reference_lines(text)]
    return [sum(lengths[:n]) for n in range(len(lengths))]


def units_of(char: str, encoding: PositionEncoding) -> int:
    """How far one character moves the column."""
    if encoding is PositionEncoding.UTF8:
        return len(char.encode())
    return 2 if encoding is PositionEncoding.UTF16 and ord(char) > 0xFFFF else 1


class ReferenceClient:
    """An editor as LSP describes it: places are found by walking lines and units one by one."""

    def __init__(self, text: str, encoding: PositionEncoding) -> None:
        self.text = text
        self.encoding = encoding

    def index(self, line: int, character: int) -> int:
        """Where in the string a position is."""
        lines = reference_lines(self.text)
        if line >= len(lines):
            return len(self.text)
        at, used = sum(map(len, lines[:line])), 0
        for char in lines[line].rstrip("\r\n"):
            used += units_of(char, self.encoding)
            if used > character:
                break
            at += 1
        return at

    def change(self, start: tuple[int, int], end: tuple[int, int], new: str) -> None:
        a, b = sorted((self.index(*start), self.index(*end)))
        self.text = self.text[:a] + new + self.text[b:]


encodings = st.sampled_from(list(PositionEncoding))
places = st.tuples(st.integers(0, 12), st.integers(0, 20))
changes = st.lists(st.tuples(places, places, short_texts), min_size=1, max_size=12)


@pytest.mark.slow
@given(text=texts, encoding=encodings, steps=changes)
@example(text="a\r\nb", encoding=PositionEncoding.UTF16, steps=[((0, 1), (0, 1), "\r")])
@example(text="a\rb", encoding=PositionEncoding.UTF16, steps=[((1, 0), (1, 0), "\n")])
@example(text="\n", encoding=PositionEncoding.UTF16, steps=[((0, 0), (0, 0), "\r")])
def test_lsp_edits_keep_the_buffer_equal_to_a_reference_client(
    text: str,
    encoding: PositionEncoding,
    steps: list[tuple[tuple[int, int], tuple[int, int], str]],
) -> None:
    client, buffer = ReferenceClient(text, encoding), Buffer.from_text(text)
    for first, second, new in steps:
        start, end = min(first, second), max(first, second)
        client.change(start, end, new)
        a, b = byte_at(buffer, *start, encoding), byte_at(buffer, *end, encoding)
        buffer = buffer.apply(ByteEdit(min(a, b), max(a, b), encode_text(new)))
        assert buffer.data == client.text.encode()
        assert buffer.line_starts.tolist() == reference_starts(client.text)


@given(case=data_and_edit())
@example(case=(b"a\r\nb", ByteEdit(2, 2, b"x")))  # splits a \r\n
@example(case=(b"a\rx\nb", ByteEdit(2, 3, b"")))  # joins one
@example(case=(b"a\r\nb", ByteEdit(1, 2, b"")))
@example(case=(b"\r\n", ByteEdit(0, 1, b"")))
@example(case=(b"", ByteEdit(0, 0, b"\r\n\r")))
@example(case=(b"a\r", ByteEdit(2, 2, b"\n")))
def test_spliced_line_starts_equal_a_recomputation(case: tuple[bytes, ByteEdit]) -> None:
    before, edit = Buffer(case[0]), case[1]
    _ = before.line_starts, before.lone_cr_count  # known before, so that apply must carry them over
    after = before.apply(edit)
    assert "line_starts" in after.__dict__
    fresh = Buffer(after.data)
    assert after.data == before.data[: edit.start] + edit.new + before.data[edit.old_end :]
    assert after.line_starts.tolist() == fresh.line_starts.tolist() == reference_starts(after.text)
    assert after.lone_cr_count == fresh.lone_cr_count


@given(text=texts, encoding=encodings)
def test_every_character_border_makes_the_round_trip(text: str, encoding: PositionEncoding) -> None:
    buffer = Buffer.from_text(text)
    for byte in borders(buffer.data):
        if buffer.data[byte - 1 : byte + 1] == b"\r\n" and byte:
            continue  # no position names the middle of a line end
        line, character = position_at(buffer, byte, encoding)
        assert byte_at(buffer, line, character, encoding) == byte
        assert line == buffer.line_at(byte)


@given(text=texts, encoding=encodings, line=st.integers(-2, 50), character=st.integers(-2, 60))
def test_any_position_lands_on_a_border_of_its_own_line(
    text: str, encoding: PositionEncoding, line: int, character: int
) -> None:
    buffer = Buffer.from_text(text)
    byte = byte_at(buffer, line, character, encoding)
    assert byte in borders(buffer.data)
    if 0 <= line < buffer.line_count:
        start, end = buffer.line_span(line)
        assert start <= byte <= end
        assert position_at(buffer, byte, encoding)[1] <= max(character, 0)


@pytest.mark.slow
@given(text=texts)
def test_points_are_those_of_tree_sitter(text: str) -> None:
    buffer = Buffer.from_text(text)
    for byte in range(len(buffer.data) + 1):
        head = buffer.data[:byte]
        assert buffer.point(byte) == (head.count(b"\n"), len(head.rsplit(b"\n", 1)[-1]))


@pytest.mark.parametrize(
    ("text", "line", "character", "encoding", "byte"),
    [
        ("ab\ncd", 0, 9, "utf-16", 2),  # past the end of a line: before its line end
        ("ab\r\ncd", 0, 3, "utf-16", 2),
        ("ab\ncd", 7, 0, "utf-16", 5),  # past the last line: the end of the text
        ("ab\n", 1, 4, "utf-16", 3),
        ("x😀y", 0, 2, "utf-16", 1),  # inside a surrogate pair: its start
        ("x😀y", 0, 3, "utf-16", 5),
        ("x😀y", 0, 2, "utf-32", 5),
        ("x😀y", 0, 3, "utf-8", 1),  # inside a character: its start
        ("é漢x", 0, 2, "utf-16", 5),
        ("a\x0cb\u2028c\x85d\ne", 0, 6, "utf-16", 9),  # none of these ends a line
        ("a\x0cb\u2028c\x85d\ne", 1, 1, "utf-16", 12),
        ("a\rb\r\nc", 2, 1, "utf-16", 6),
        ("ab", -1, 5, "utf-16", 0),
        ("ab", 0, -5, "utf-16", 0),
        ("", 0, 0, "utf-8", 0),
    ],
)
def test_positions_clamp_as_lsp_says(text: str, line: int, character: int, encoding: str, byte: int) -> None:
    assert byte_at(Buffer.from_text(text), line, character, PositionEncoding(encoding)) == byte


@pytest.mark.parametrize(
    ("byte", "expected"),
    [
        (-5, (0, 0)),
        (0, (0, 0)),
        (1, (0, 1)),
        (2, (0, 1)),
        (3, (1, 0)),
        (4, (1, 0)),
        (6, (1, 0)),
        (7, (1, 2)),
        (99, (1, 2)),
    ],
)
def test_offsets_clamp_to_positions(byte: int, expected: tuple[int, int]) -> None:
    assert position_at(Buffer.from_text("a\r\n😀"), byte, PositionEncoding.UTF16) == expected


def test_lines() -> None:
    buffer = Buffer.from_text("one\r\ntwo\rthree\n\nlast")
    assert buffer.line_count == 5
    assert [buffer.line_bytes(n) for n in range(5)] == [b"one", b"two", b"three", b"", b"last"]
    assert [buffer.line_at(byte) for byte in (-1, 0, 4, 5, 8, 9, 99)] == [0, 0, 0, 1, 1, 2, 4]
    with pytest.raises(IndexError, match="line 5 of a text with 5 lines"):
        buffer.line_span(5)


def test_text_that_is_no_unicode_never_raises() -> None:
    assert encode_text("a\ud800b\udc00") == "a\ufffdb\ufffd".encode()
    assert Buffer.from_bytes(b"\xef\xbb\xbfok\xff\xfe\r\n").text == "ok\ufffd\ufffd\r\n"
    assert Buffer(b"raw \xff").text == "raw \ufffd"


@given(raw=st.binary(max_size=60))
def test_any_file_becomes_valid_utf8_and_stays_so(raw: bytes) -> None:
    clean = decode_file(raw)
    clean.decode("utf-8")
    if not clean.startswith(b"\xef\xbb\xbf"):
        assert decode_file(clean) == clean


def test_an_edit_past_the_end_is_refused() -> None:
    with pytest.raises(ValueError, match="bytes 1 to 4 in a text of 3 bytes"):
        Buffer(b"abc").apply(ByteEdit(1, 4, b""))


def test_a_buffer_is_immutable() -> None:
    buffer = Buffer(b"a\nb")
    with pytest.raises(ValueError, match="read-only"):
        buffer.line_starts[0] = 1
    with pytest.raises(AttributeError):
        buffer.data = b""  # type: ignore[misc]


def test_an_edit_in_a_large_file_reads_only_its_neighbourhood(monkeypatch: pytest.MonkeyPatch) -> None:
    from editahead.text import buffer as module

    read: list[int] = []
    real = module._starts_within

    def counting(data: bytes, low: int, high: int) -> np.ndarray:
        read.append(high - low)
        return real(data, low, high)

    before = Buffer(b"    total = total + value  # of all\n" * 50_000)
    assert before.line_count == 50_001
    monkeypatch.setattr(module, "_starts_within", counting)
    edit = ByteEdit(900_000, 900_003, b"new\nline")
    assert rescan_window(edit, len(before)) == (899_999, 900_009)
    after = before.apply(edit)
    assert after.line_count == 50_002
    assert read == [10]


def test_an_edit_costs_far_less_than_finding_all_lines_again() -> None:
    before = Buffer(b"    total = total + value  # of all\n" * 50_000)
    _ = before.line_starts
    edit = ByteEdit(900_000, 900_000, b"x")

    def seconds(work: Callable[[], object]) -> float:
        started = perf_counter()
        work()
        return perf_counter() - started

    again = min(seconds(lambda: Buffer(before.data).line_starts) for _ in range(5))
    spliced = min(seconds(lambda: before.apply(edit).line_starts) for _ in range(20))
    assert spliced < again / 2  # measured: a twentieth


def test_a_text_whose_lines_are_known_goes_to_another_process() -> None:
    buffer = Buffer.from_text("a\nb\r\nc")
    assert buffer.line_at(3) == 1
    again = pickle.loads(pickle.dumps(buffer))
    assert again == buffer
    assert again.line_span(1) == (2, 3)
