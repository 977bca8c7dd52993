"""What a parse, its tokens and its cuts cost grows with the text, whatever stands in it; and it can be interrupted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from editahead.syntax import interrupt as parsing
from editahead.syntax.chunks.chunked import ChunkedSnapshot, open_snapshot
from editahead.syntax.interrupt import interruptible
from editahead.syntax.language import Language, by_id
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.syntax.string_syntax import Cutter
from editahead.syntax.tokens import MAX_DEPTH
from editahead.text.buffer import MAX_LINE_BYTES, Buffer
from editahead.text.edits import ByteEdit

from tests.growth import MOST, assert_linear, peak_bytes

HOSTILE: dict[str, Callable[[int], str]] = {
    "a sum on one line": lambda n: "x = " + " + ".join(["a"] * (n // 4)),
    "a sum on many lines": lambda n: "x = (" + " +\n".join(["a"] * (n // 4)) + ")",
    "brackets on one line": lambda n: "x = " + "[" * (n // 2) + "]" * (n // 2),
    "brackets on lines below the limit": lambda n: ("x = " + "[" * 400 + "]" * 400 + "\n") * (n // 800),
    "brackets on many lines": lambda n: "x = " + "[\n" * (n // 4) + "]\n" * (n // 4),
    "open brackets": lambda n: "[\n" * (n // 2),
    "closing brackets": lambda n: "]\n" * (n // 2),
    "open calls": lambda n: "f(\n" * (n // 3),
    "targets in targets": lambda n: "(a,\n" * (n // 6) + ")" * (n // 6) + " = 1",
    "a list on one line": lambda n: "x = [" + "a, " * (n // 3) + "]",
    "quotes and backslashes": lambda n: "'\"\\" * (n // 3),
    "blank lines": lambda n: "\n" * n,
    "branches": lambda n: "if (a) {\n}\n" + "else if (a) {\n}\n" * (n // 16),
    "blocks in blocks": lambda n: "".join(" " * depth + "if a:\n" for depth in range(int((2 * n) ** 0.5))),
    "an open text": lambda n: '"""' + "\\\n" * (n // 2),
    "holes in a text": lambda n: "f'" + "{a}" * (n // 3) + "'",
}


def language(name: str) -> Language:
    found = by_id(name)
    assert found is not None
    return found


def everything(data: bytes, name: str) -> None:
    """All that is asked of a file's syntax: when it is opened, and after a key in its middle."""
    snapshot = SyntaxSnapshot.open(Buffer(data), language(name))
    snapshot.tokens()
    middle = len(data) // 2
    edit = ByteEdit(middle, middle, b"q")
    after = snapshot.advance(snapshot.buffer.apply(edit), [edit])
    for version in (snapshot, after):
        version.lines(0, 10**9)
        version.region_at(middle)
        version.scopes_at(middle)
        version.error_count()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["python", "java"])
@pytest.mark.parametrize("case", HOSTILE)
def test_the_work_grows_with_the_text(name: str, case: str) -> None:
    texts = {size: HOSTILE[case](size).encode() for size in (2500, 5000, 10_000)}
    assert_linear(lambda size: lambda: everything(texts[size], name), 2500)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["a sum on one line", "brackets on one line", "brackets on many lines"])
def test_the_memory_grows_with_the_text(case: str) -> None:
    """Each token once kept all nodes around it: 60 KB of brackets took 5.5 GB."""
    one, four = (peak_bytes(lambda n=n: everything(HOSTILE[case](n).encode(), "python")) for n in (2400, 9600))
    assert four <= MOST * max(one, 1_000_000)


def test_a_line_over_the_limit_has_no_tokens_and_its_neighbours_have_theirs() -> None:
    rows = ["a = 1", "b = [" + "1, " * MAX_LINE_BYTES + "]", "c = 3", "d = " + "x" * (MAX_LINE_BYTES - 4), "e = 5"]
    for line_end in ("\n", "\r\n"):
        snapshot = SyntaxSnapshot.open(Buffer(line_end.join(rows).encode()), language("python"))
        found = [[token.text for token in snapshot.line_tokens(line)][1:2] for line in range(5)]
        assert found == [["a"], [], ["c"], ["d"], ["e"]]


def test_what_is_nested_too_deeply_is_not_read() -> None:
    text = "a = [\n" + "[\n" * (MAX_DEPTH + 50) + "deep\n" + "]\n" * (MAX_DEPTH + 51) + "b = 1\n"
    snapshot = SyntaxSnapshot.open(Buffer(text.encode()), language("python"))
    texts = [token.text for token in snapshot.tokens()]
    assert texts[1:4] == ["a", "=", "["]
    assert "deep" not in texts
    assert "b" in texts


def test_a_long_list_between_commas_is_read_to_its_end() -> None:
    """Each value stands in the rest of the list. A header of llama.cpp with 2,800 of them lost half of its tokens."""
    values = "".join(f"    {number}, {number},\n" for number in range(1400))
    snapshot = SyntaxSnapshot.open(Buffer(f"void f() {{ a =\n{values}    last; }}\n".encode()), language("c"))
    assert not snapshot.error_count()
    assert [token.text for token in snapshot.line_tokens(1399)[1:]] == ["1398", ",", "1398", ","]
    assert [token.text for token in snapshot.line_tokens(1401)[1:]] == ["last", ";", "}"]


@pytest.mark.slow
def test_a_text_that_the_parser_reads_over_and_over_is_given_up_until_it_is_another() -> None:
    """A statement of Python and thousands of comment lines: the grammar reads all of them at each."""
    data = b"x = 1\n" + b"#\n" * 60_000
    snapshot = SyntaxSnapshot.open(Buffer(data), language("python"))
    assert snapshot.line_tokens(0) == ()
    assert snapshot.region_at(9) is Region.COMMENT
    assert snapshot.error_count() == 0
    begun = time.perf_counter()
    edit = ByteEdit(0, 0, b"y = 2\n")
    after = snapshot.advance(snapshot.buffer.apply(edit), [edit])
    assert after.lines(0, 3) == [(), (), ()]
    assert time.perf_counter() - begun < 0.5  # not tried again for a key
    cut = ByteEdit(20, len(after.buffer.data), b"")
    short = after.advance(after.buffer.apply(cut), [cut])
    assert [token.text for token in short.line_tokens(0)][1:] == ["y", "=", "2"]


class StoppedError(Exception):
    pass


def stop() -> None:
    raise StoppedError


@pytest.mark.parametrize("name", ["c_sharp", "java"])
@pytest.mark.parametrize("opening", ["List<\n", "a <\n"])
def test_angle_brackets_without_their_other_half_take_no_time(name: str, opening: str) -> None:
    head = "class A { void f() { var x = "
    begun = time.process_time()
    everything((head + opening * 3000 + "\nval").encode(), name)
    assert time.process_time() - begun < 0.5
    closed = SyntaxSnapshot.open(
        Buffer((head + "a;\n" + "var y = b < c << 1;\n" * 3000 + "}}").encode()), language(name)
    )
    assert closed.lines(2000, 2001)[0]


def test_a_parse_and_its_tokens_end_when_nobody_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = SyntaxSnapshot.open(Buffer(b"x = [1, 2]\n" * 2000), language("python"))
    monkeypatch.setattr(parsing, "UNINTERRUPTED_SECONDS", -1.0)
    with pytest.raises(StoppedError), interruptible(stop):
        snapshot.line_tokens(0)
    assert snapshot._tree is None
    assert len(snapshot.tree.root_node.children) == 2000  # without a check it goes on
    wide = SyntaxSnapshot.open(Buffer((b"x = [" + b"1, " * 2000 + b"]\n") * 3), language("python"))
    assert wide.tree is not None
    with pytest.raises(StoppedError), interruptible(stop):
        wide.line_tokens(0)
    assert len(wide.line_tokens(0)) > 4000


def test_other_threads_run_during_a_parse() -> None:
    """The parser holds the interpreter's lock, but for the callback that gives it the text."""
    snapshot = SyntaxSnapshot.open(
        Buffer(b"def f(a, b):\n    return [a + b, a.b.c(1)]\n\n\n" * 30_000), language("python")
    )
    done = threading.Event()
    ticks: list[float] = []

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    ticker = threading.Thread(target=tick)
    ticker.start()
    begun = time.perf_counter()
    assert snapshot.tree is not None
    ended = time.perf_counter()
    done.set()
    ticker.join()
    assert sum(begun < at < ended for at in ticks) >= 10


UNCUT: dict[str, Callable[[int], bytes]] = {
    "blank lines": lambda n: b"x\n" + b"\n" * n,
    "blank lines behind a brace": lambda n: b"\n}\n" + b"\n" * n + b" x",
    "blank lines of Windows": lambda n: b"x\r\n" + b"\r\n" * n,
    "an open text": lambda n: b'"""' + b"x" * n,
    "an open text of backslashes": lambda n: b"'''" + b"\\" * n,
    "an open text of escaped quotes": lambda n: b'"""' + b'\\"""' * (n // 4),
    "escaped quotes": lambda n: b'"' + b'\\"' * (n // 2),
    "escaped line ends": lambda n: b'"\\\n' * (n // 3),
    "quotes": lambda n: b"'\"" * (n // 2),
    "a comment": lambda n: b"#" * n,
    "comments": lambda n: b"/*" * (n // 2),
    "items": lambda n: b"\n\n@" * (n // 3),
    "braces": lambda n: b"\n}\n\n" * (n // 4),
}


@pytest.mark.parametrize("name", ["python", "java"])
@pytest.mark.parametrize("case", UNCUT)
def test_finding_cuts_grows_with_the_text(name: str, case: str) -> None:
    texts = {size: UNCUT[case](size) for size in (20_000, 40_000, 80_000)}
    assert_linear(lambda size: lambda: ChunkedSnapshot.cut(Buffer(texts[size]), language(name))._chunks, 20_000)


def test_opening_and_typing_in_a_large_file_cut_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop does both; cutting waits for the thread that asks."""
    monkeypatch.setattr(Cutter, "cuts", lambda self, data: pytest.fail("cut on the loop"))
    snapshot = open_snapshot(Buffer(b"x = 1\n\n\ndef f():\n    pass\n" * 1000), language("python"))
    assert isinstance(snapshot, ChunkedSnapshot)
    for at in range(500):
        edit = ByteEdit(at, at, b"y")
        snapshot = snapshot.advance(snapshot.buffer.apply(edit), [edit])
    monkeypatch.undo()
    assert [token.text for token in snapshot.line_tokens(3)][1:3] == ["def", "f"]
    edit = ByteEdit(0, 500, b"")
    later = snapshot.advance(snapshot.buffer.apply(edit), [edit])
    monkeypatch.setattr(Cutter, "cuts", lambda self, data: pytest.fail("cut twice"))
    assert [token.text for token in later.line_tokens(0)][1:2] == ["x"]
