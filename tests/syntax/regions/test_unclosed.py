"""Large files without places to cut, and those in which a string or comment is never closed: each piece stays small."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from editahead.syntax.chunks.chunked import LARGE_BYTES, LARGE_LINES, ChunkedSnapshot, next_snapshot, open_snapshot
from editahead.syntax.language import Language, by_id
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

PROSE = "words that never end\n"
UNCUT: dict[str, tuple[str, Callable[[int], str]]] = {
    "an open text": ("python", lambda n: 'x = """' + PROSE * (n // 21)),
    "an open text of escaped quotes": ("python", lambda n: 'x = """' + '\\"""\n' * (n // 5)),
    "an open quote in each line": ("python", lambda n: ("x = '" + PROSE) * (n // 26)),
    "a list": ("python", lambda n: "x = [\n" + "    100,\n" * (n // 9) + "]\n"),
    "long lines": ("python", lambda n: ("x = [" + "1, " * 3000 + "]\n") * (n // 9000)),
    "an open comment": ("java", lambda n: "class A {\n/*" + PROSE * (n // 21)),
    "a class": ("java", lambda n: "class A {\n" + "    int a = 1;\n" * (n // 15) + "}\n"),
}


def language(name: str) -> Language:
    found = by_id(name)
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize("case", UNCUT)
def test_no_piece_of_a_large_file_is_large(case: str) -> None:
    name, text = UNCUT[case]
    data = text(6 * LARGE_BYTES).encode()
    snapshot = open_snapshot(Buffer(data), language(name))
    assert isinstance(snapshot, ChunkedSnapshot)
    pieces = [piece.buffer.data for _, piece in snapshot.chunk_snapshots()]
    assert b"".join(pieces) == data
    assert max(map(len, pieces)) <= 1.1 * LARGE_BYTES
    assert all(piece.endswith(b"\n") for piece in pieces[:-1])


@pytest.mark.slow
def test_an_open_text_costs_what_its_piece_costs() -> None:
    """A parser that has lost its way takes a second a megabyte: it once took all of the file."""

    def seconds(size: int) -> float:
        snapshot = open_snapshot(Buffer(UNCUT["an open text"][1](size).encode()), language("python"))
        snapshot.chunk_snapshots()
        begun = time.process_time()
        assert snapshot.region_at(1) is Region.CODE
        return time.process_time() - begun

    seconds(LARGE_BYTES)
    one, eight = (min(seconds(factor * LARGE_BYTES) for _ in range(3)) for factor in (2, 16))
    assert eight < 3 * one


def test_code_behind_an_open_text_stays_code() -> None:
    function = "def f{0}(a):\n    return a + {0}\n\n\n"
    text = 'x = """never closed\n\n\n' + "".join(function.format(number) for number in range(2000))
    snapshot = open_snapshot(Buffer(text.encode()), language("python"))
    at = text.index("return a + 1990")
    assert snapshot.region_at(at) is Region.CODE
    assert len(snapshot.chunk_snapshots()) > 10


def test_a_closed_text_is_never_cut() -> None:
    text = 'x = """' + PROSE * (3 * LARGE_BYTES // 21) + '"""\n' + "y = 1\n" * 2000
    snapshot = open_snapshot(Buffer(text.encode()), language("python"))
    assert snapshot.region_at(2 * LARGE_BYTES) is Region.STRING
    assert snapshot.region_at(text.index("y = 1") + 6 * 1000) is Region.CODE


def test_a_file_that_becomes_large_is_cut() -> None:
    buffer = Buffer(b"x = 1\n")
    snapshot: SyntaxSnapshot = open_snapshot(buffer, language("python"))
    assert not isinstance(snapshot, ChunkedSnapshot)
    for new in (b"y = 2\n", b"z = 3\n" * LARGE_LINES):
        edit = ByteEdit(0, 0, new)
        buffer = buffer.apply(edit)
        snapshot = next_snapshot(snapshot, buffer, [edit])
    assert isinstance(snapshot, ChunkedSnapshot)
    assert [token.text for token in snapshot.line_tokens(LARGE_LINES)][1:] == ["y", "=", "2"]
