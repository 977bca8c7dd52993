"""The line ends of a text are its own, whichever of the three kinds it has."""

from __future__ import annotations

import pytest
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import in_own_line_ends, line_end, split_lines, style_of, with_line_ends
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("data", "end"),
    [(b"", b"\n"), (b"x", b"\n"), (b"x\n", b"\n"), (b"x\r", b"\r"), (b"\r", b"\r"), (b"x\r\ny", b"\r\n"),
     (b"\nx\r", b"\n"), (b"x\ry\nz", b"\r"), (b"x\r\r\n", b"\r"), (b"\n\r", b"\n")],
)  # fmt: skip
def test_the_first_line_tells(data: bytes, end: bytes) -> None:
    assert line_end(data) == end


@given(st.sampled_from([b"\n", b"\r\n", b"\r"]), st.lists(st.sampled_from([b"a", b"bc", b""])))
def test_new_text_has_the_ends_of_the_file_and_no_others(end: bytes, lines: list[bytes]) -> None:
    made = with_line_ends(b"\n".join(lines), line_end(end))
    assert made == end.join(lines)


def test_style_is_that_of_the_text() -> None:
    assert style_of(b"if a:\r\n\tb\r\n") == (True, b"\r\n")
    assert style_of(b"if a:\n    b\n") == (False, b"\n")
    assert style_of(b"\n\tb\n") == (True, b"\n")
    assert style_of(b"a\rb\r") == (False, b"\r")


def test_an_edit_takes_the_line_ends_of_its_text() -> None:
    assert in_own_line_ends(ByteEdit(1, 2, b"x\ny\r\nz"), b"a\r\nb") == ByteEdit(1, 2, b"x\r\ny\r\nz")


def test_lines_end_where_those_of_lsp_do() -> None:
    assert split_lines("a\r\nb\nc\rd\x0ce\u2028f") == ["a", "b", "c", "d\x0ce\u2028f"]
