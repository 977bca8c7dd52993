"""The line ends of a text are its own, whichever of the three kinds it has."""

from __future__ import annotations

import pytest
from editahead.text.line_ends import line_end, with_line_ends
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
