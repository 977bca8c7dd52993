"""Large files in chunks: the same tokens as a whole parse, whatever is typed, and errors that can be compared."""

from __future__ import annotations

import random

import pytest
from editahead.syntax.chunks.chunked import LARGE_LINES, ChunkedSnapshot, open_snapshot
from editahead.syntax.language import Language, by_id
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from hypothesis import given, settings
from hypothesis import strategies as st

PYTHON_ITEM = '''
class Shop{n}:
    """What a docstring shows is no code:

class Fake:

    """

    def find(self, key="#"):
        return self.items[key]  # "not a string


def use{n}(shop):
    text = """
class Other:

def more():
"""
    return shop.find({n}), text

'''
JAVA_ITEM = """
/** One of many; a brace at the left edge in a comment:
}

*/
class Shop{n} {
    private final String text = "}";

    int find(int key) {
        return key + {n}; // "
    }
}

"""


def language(name: str) -> Language:
    found = by_id(name)
    assert found is not None
    return found


def source(name: str, items: int = 30, line_end: str = "\n") -> bytes:
    item = PYTHON_ITEM if name == "python" else JAVA_ITEM
    text = "".join(item.replace("{n}", str(number)) for number in range(items))
    return text.replace("\n", line_end).encode()


def same_as_whole(chunked: SyntaxSnapshot) -> bool:
    whole = SyntaxSnapshot.open(chunked.buffer, chunked.language)
    return [chunked.line_tokens(n) for n in range(chunked.line_count)] == [
        whole.line_tokens(n) for n in range(whole.line_count)
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["python", "java"])
def test_a_cut_file_has_the_tokens_of_the_whole_file(name: str, line_end: str) -> None:
    chunked = ChunkedSnapshot.cut(Buffer(source(name, line_end=line_end)), language(name), 20)
    assert len(chunked._chunks) > 10
    assert b"".join(chunk.data for chunk in chunked._chunks) == chunked.buffer.data
    assert all(chunk.snapshot.error_count() == 0 for chunk in chunked._chunks)
    assert same_as_whole(chunked)


TYPED = ["\n", "x = 1\n", "    ", "def f(a):\n    return a\n", "(", '"', "# note", "class N:\n    x = 1\n\n\n", "z", ""]


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["python", "java"]))
def test_any_edits_keep_chunks_and_text_together(seed: int, name: str) -> None:
    """Line counts, bytes and regions hold after every edit; in whole code, so do the tokens."""
    chooser = random.Random(seed)
    snapshot: SyntaxSnapshot = ChunkedSnapshot.cut(Buffer(source(name, 12)), language(name), 15)
    for _ in range(8):
        size = len(snapshot.buffer.data)
        start = chooser.randrange(size + 1)
        end = min(size, start + chooser.choice([0, 0, 1, 3, 40, 400]))
        edit = ByteEdit(start, end, chooser.choice(TYPED).encode())
        snapshot = snapshot.advance(snapshot.buffer.apply(edit), [edit])
        assert isinstance(snapshot, ChunkedSnapshot)
        assert b"".join(chunk.data for chunk in snapshot._chunks) == snapshot.buffer.data
        assert sum(chunk.snapshot.line_count - 1 for chunk in snapshot._chunks) == snapshot.line_count - 1
        snapshot.region_at(edit.new_end)
        for number in range(snapshot.line_count):
            first, last = snapshot.buffer.line_span(number)
            for token in snapshot.line_tokens(number):
                assert 0 <= token.start <= token.end
                assert first + token.start <= last
    whole = SyntaxSnapshot.open(snapshot.buffer, snapshot.language)
    errors = whole.error_count() + sum(chunk.snapshot.error_count() for chunk in snapshot._chunks)
    if errors == 0:  # a comment that is opened in one chunk and closed in another is unfinished in the first
        assert same_as_whole(snapshot)


def test_a_method_typed_between_two_chunks_belongs_to_the_class_above() -> None:
    """The cursor stands at the left edge of the next class: what is typed there must see its own class."""
    item = "class A{n}:\n    def first(self):\n        return 1\n\n"
    data = "".join(item.replace("{n}", str(n)) for n in range(20)).encode()
    snapshot: SyntaxSnapshot = ChunkedSnapshot.cut(Buffer(data), language("python"), 8)
    at = data.index(b"class A10:")
    for key in "    def second(self):\n        return self.first()\n\n":
        edit = ByteEdit(at, at, key.encode())
        snapshot = snapshot.advance(snapshot.buffer.apply(edit), [edit])
        at = edit.new_end
    assert same_as_whole(snapshot)


def test_errors_are_counted_against_the_file_as_it_was_opened() -> None:
    data = source("python") + b"def broken(:\n"
    opened = ChunkedSnapshot.cut(Buffer(data), language("python"), 20)
    assert opened.error_count() == 0
    at = data.index(b"class Shop7")
    edit = ByteEdit(at, at, b"x = (1\n")
    worse = opened.advance(opened.buffer.apply(edit), [edit])
    assert worse.error_count() == opened.errors_with([edit]) > 0
    mended = worse.advance(opened.buffer, [ByteEdit(at, at + 7, b"")])
    assert mended.error_count() == 0


def test_only_the_chunks_that_are_asked_about_are_parsed() -> None:
    snapshot = ChunkedSnapshot.cut(Buffer(source("python", 60)), language("python"), 20)
    snapshot.line_tokens(500)
    assert snapshot.region_at(10) is Region.CODE
    assert sum(chunk.snapshot._tree is not None for chunk in snapshot._chunks) == 2


def test_many_lines_at_once_are_those_of_one_by_one() -> None:
    whole = SyntaxSnapshot.open(Buffer(source("python")), language("python"))
    chunked = ChunkedSnapshot.cut(whole.buffer, language("python"), 20)
    for first, last in [(0, 5), (17, 90), (-3, 2), (100, 10**6), (40, 40), (10**6, 10**6 + 5)]:
        one_by_one = [whole.line_tokens(n) for n in range(max(0, first), min(last, whole.line_count))]
        assert whole.lines(first, last) == chunked.lines(first, last) == one_by_one


def test_small_files_and_languages_without_cuts_stay_whole() -> None:
    large = Buffer(b"x = 1\n" * (LARGE_LINES + 1))
    assert isinstance(open_snapshot(large, language("python")), ChunkedSnapshot)
    assert not isinstance(open_snapshot(Buffer(b"x = 1\n"), language("python")), ChunkedSnapshot)
    other = Language(id="toml", extensions=(".toml",))
    assert not isinstance(open_snapshot(large, other), ChunkedSnapshot)


def test_a_type_on_the_line_above_is_read_again_with_its_name() -> None:
    snapshot = SyntaxSnapshot.open(Buffer(b"\npackage a.b;\nclass A {}\n"), language("java"))
    snapshot.tokens()
    for key in (b"x", b"x"):
        edit = ByteEdit(0, 0, key)
        snapshot = snapshot.advance(snapshot.buffer.apply(edit), [edit])
        snapshot.tokens()
    assert snapshot.line_tokens(1)[1].type_name == "xx"


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), name=st.sampled_from(["python", "java"]))
def test_a_cut_file_counts_and_finds_as_a_whole_one(seed: int, name: str) -> None:
    """What is remembered of a chunk is that of its text, whatever was typed in between."""
    chooser = random.Random(seed)
    snapshot: SyntaxSnapshot = ChunkedSnapshot.cut(Buffer(source(name, 12)), language(name), 15)
    wanted = [b"return", b"find", b"Shop1", b"absent", b"x = 1", b"a", b"\n\n"]
    for _ in range(4):
        data = snapshot.buffer.data
        assert [snapshot.count(text) for text in wanted] == [data.count(text) for text in wanted]
        for text in wanted[:-1]:
            assert list(snapshot.occurrences(text)) == [at for at in range(len(data)) if data.startswith(text, at)]
        assert snapshot.has_line(b"x = 1") is (b"x = 1" in [row.strip() for row in data.split(b"\n")])
        edits = []
        for _ in range(chooser.choice([1, 3])):
            start = chooser.randrange(len(data) + 1)
            end = min(len(data), start + chooser.choice([0, 0, 1, 3, 40, 400]))
            edits.append(ByteEdit(start, end, chooser.choice(TYPED).encode()))
            data = edits[-1].apply(data)
        errors = snapshot.errors_with(edits)
        snapshot = snapshot.advance(Buffer(data), edits)
        assert snapshot.error_count() == errors


@pytest.mark.parametrize("at", [0, 1])
def test_a_byte_between_two_chunks_is_at_both(at: int) -> None:
    snapshot = ChunkedSnapshot.cut(Buffer(source("python")), language("python"), 20)
    border = snapshot.chunk_snapshots()[3][0]
    found = [first for first, _ in snapshot.chunk_snapshots((), (border + at,))]
    assert found == [first for first, _ in snapshot.chunk_snapshots()][2 + at : 4]
