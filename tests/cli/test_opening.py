"""Places, files and replayed changes: from the command line to a document."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.cli.errors import CliError
from editahead.cli.question.asking import (
    FilePosition,
    byte_of_position,
    change_document,
    code_at,
    in_reading_order,
    open_document,
    parse_place,
    position_of_byte,
    read_buffer,
)
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.consequences.source import ConsequenceSource
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.edits import apply_all, minimal_diff
from hypothesis import given
from hypothesis import strategies as st

PYTHON = by_id("python")
assert PYTHON is not None
lines = st.lists(st.text("abc é漢😀", max_size=6), max_size=8).map("\n".join)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.py:3:4", ("a.py", 3, 4)),
        ("C:\\src\\a.py:3:4", ("C:\\src\\a.py", 3, 4)),
        ("C:/src/a.py:3:4", ("C:/src/a.py", 3, 4)),
        ("/odd:name/a:1.py:12:1", ("/odd:name/a:1.py", 12, 1)),
        ("./a.py:1:1", ("a.py", 1, 1)),
    ],
)
def test_place(text: str, place: tuple[str, int, int]) -> None:
    assert parse_place(text) == FilePosition(Path(place[0]), place[1], place[2])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a.py",
        "a.py:3",
        "C:\\src\\a.py",
        "a.py:3:",
        "a.py::4",
        ":3:4",
        "a.py:-3:4",
        "a.py:³:4",
        "a.py:0:1",
    ],
)
def test_no_place(text: str) -> None:
    with pytest.raises(CliError, match="is no position"):
        parse_place(text)


@given(lines)
def test_every_place_of_a_text_goes_there_and_back(text: str) -> None:
    buffer = Buffer.from_text(text)
    path = Path("a.py")
    seen = set()
    for number, line in enumerate(text.split("\n"), 1):
        for column in range(1, len(line) + 2):
            byte = byte_of_position(buffer, FilePosition(path, number, column))
            assert position_of_byte(buffer, path, byte) == FilePosition(path, number, column)
            seen.add(byte)
        with pytest.raises(CliError, match="the last column"):
            byte_of_position(buffer, FilePosition(path, number, len(line) + 2))
    assert len(seen) == len(text) + 1


@given(lines, lines)
def test_a_replayed_change_leads_to_the_new_text(before: str, after: str) -> None:
    old, new = Buffer.from_text(before), Buffer.from_text(after)
    assert apply_all(old.data, in_reading_order(minimal_diff(old.data, new.data))) == new.data
    assert PYTHON is not None
    document, end = change_document(Path("a.py"), PYTHON, old, new)
    assert document.syntax.buffer.data == new.data
    assert document.history.current() == new.data
    assert document.history.pending is None
    assert 0 <= end <= len(new.data)


def test_a_change_is_finished_so_that_its_consequences_show() -> None:
    before = "def title(order):\n    return order.name\n\n\nprint(title(first))\n"
    assert PYTHON is not None
    old, new = (Buffer.from_text(text) for text in (before, before.replace("def title", "def headline")))
    found = ConsequenceSource().candidates(*change_document(Path("a.py"), PYTHON, old, new), Cancel())
    assert [one.edit.apply(new.data) for one in found] == [before.replace("title", "headline").encode()]


def test_two_changes_are_two_edits_in_order() -> None:
    before = "a = load(x)\nb = 1\nc = load(y)\n"
    after = before.replace("load", "open")
    assert PYTHON is not None
    document, end = change_document(Path("a.py"), PYTHON, Buffer.from_text(before), Buffer.from_text(after))
    starts = [burst.start for burst in document.history.settled]
    assert starts == sorted(starts)
    assert len(starts) == 2
    assert end == after.index("(y)")
    assert document.now > document.history.settled[-1].time - 1e-9


def test_read_buffer_takes_any_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"\xef\xbb\xbfx = '\xff'\r\n")
    assert read_buffer(path).text == "x = '\ufffd'\r\n"
    with pytest.raises(CliError, match="cannot read"):
        read_buffer(tmp_path)


def test_the_workspace_is_the_nearest_folder_under_git(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    inner = tmp_path / "repo" / "src"
    inner.mkdir()
    assert PYTHON is not None
    document = open_document(inner / "a.py", PYTHON, Buffer.from_text(""))
    assert document.root == tmp_path / "repo"
    assert document.path == inner / "a.py"
    assert document.uri == (inner / "a.py").as_uri()


def test_embedded_code_is_found_at_its_place_and_prose_says_so() -> None:
    buffer = Buffer("# Größe\n```python\nx = 1\n```\n<b>\n".encode())
    at = buffer.data.index(b"x = 1")
    language, code = code_at(Path("notes.md"), buffer, at + 5)
    assert language.id == "python"
    assert len(code.data) == len(buffer.data)
    assert code.data[at : at + 5] == b"x = 1"
    assert code.data.split() == [b"x", b"=", b"1"]
    with pytest.raises(CliError, match=r"^notes\.md has no code of a supported language at this place$"):
        code_at(Path("notes.md"), buffer, 0)
    language, code = code_at(Path("notes.py"), buffer, at)
    assert (language.id, code) == ("python", buffer)
    with pytest.raises(CliError, match=r"^notes\.vue is in no supported language$"):
        code_at(Path("notes.vue"), buffer, at)
