"""The pure parts: whole-line edits, ghost text at the cursor, answers that are older than the text."""

from __future__ import annotations

import pytest
from editahead.lsp.documents.rebasing import rebase_completions, rebase_cursor, rebase_edit
from editahead.lsp.surfaces.convert import ghost_edit
from editahead.lsp.surfaces.next_edit import whole_line_edit
from editahead.suggest.types import Completion, Completions
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from hypothesis import given
from hypothesis import strategies as st

LINES = st.lists(st.sampled_from(["a", "b", "x = é", "", "  y"]), min_size=1, max_size=6)
NEW = st.text(st.sampled_from("ab \né🎉"), max_size=12)


@st.composite
def text_and_edit(draw: st.DrawFn) -> tuple[Buffer, ByteEdit]:
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = end.join(draw(LINES))
    start = draw(st.integers(0, len(text)))
    stop = draw(st.integers(start, len(text)))
    for at in (start, stop):  # an engine makes no edit inside a line end
        if text[at - 1 : at + 1] == "\r\n" and at:
            start = stop = 0
    return Buffer.from_text(text), ByteEdit(len(text[:start].encode()), len(text[:stop].encode()), draw(NEW).encode())


@given(text_and_edit())
def test_whole_line_edits_do_the_same_and_have_one_of_the_shapes(case: tuple[Buffer, ByteEdit]) -> None:
    buffer, edit = case
    whole = whole_line_edit(buffer, edit)
    end = b"\n" if b"\r" not in buffer.data else (b"\r\n" if b"\n" in buffer.data else b"\r")
    expected = ByteEdit(edit.start, edit.old_end, edit.new.replace(b"\n", end)).apply(buffer.data)
    if whole is None:
        assert expected == buffer.data
        return
    assert whole.apply(buffer.data) == expected != buffer.data
    starts = {int(start) for start in buffer.line_starts}
    if whole.start in starts:
        at_line_end = whole.new.endswith(end) or whole.new == b""
        assert whole.old_end in starts or whole.old_end == len(buffer.data)
        assert at_line_end or whole.old_end == len(buffer.data)
    else:  # behind the last line, which has no line end
        assert whole.start == whole.old_end == len(buffer.data)
        assert whole.new.startswith(end)


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        ("a\nb\nc\n", ByteEdit(2, 3, b"B"), ByteEdit(2, 4, b"B\n")),
        ("a\nb\nc\n", ByteEdit(2, 4, b""), ByteEdit(2, 4, b"")),
        ("a\nb\nc\n", ByteEdit(2, 2, b"new\n"), ByteEdit(2, 2, b"new\n")),
        ("a\nb\nc\n", ByteEdit(3, 3, b"\nnew"), ByteEdit(4, 4, b"new\n")),
        ("a\nb", ByteEdit(3, 3, b"\nnew"), ByteEdit(3, 3, b"\nnew")),
        ("a\nb", ByteEdit(1, 3, b""), ByteEdit(0, 3, b"a")),
        ("a\nb\nc\nd", ByteEdit(0, 6, b"A\nb\nC\n"), ByteEdit(0, 6, b"A\nb\nC\n")),
        ("", ByteEdit(0, 0, b"x"), ByteEdit(0, 0, b"x")),
        ("a\n", ByteEdit(2, 2, b"x"), ByteEdit(2, 2, b"x")),
        ("a\nb\n", ByteEdit(0, 1, b"a"), None),
        ("a\r\nb\r\n", ByteEdit(3, 3, b"x\ny\n"), ByteEdit(3, 3, b"x\r\ny\r\n")),
    ],
)
def test_whole_line_edits_by_example(text: str, edit: ByteEdit, expected: ByteEdit | None) -> None:
    assert whole_line_edit(Buffer.from_text(text), edit) == expected


@pytest.mark.parametrize(
    ("text", "edit", "cursor", "expected"),
    [
        ("ab", ByteEdit(2, 2, b"cd"), 2, ByteEdit(2, 2, b"cd")),
        ("ab", ByteEdit(0, 2, b"abcd"), 2, ByteEdit(2, 2, b"cd")),
        ("f()", ByteEdit(2, 3, b"x, y)"), 2, ByteEdit(2, 2, b"x, y")),
        ("f() # t", ByteEdit(2, 3, b"x) + (y"), 2, ByteEdit(2, 3, b"x) + (y")),
        ("f(a)", ByteEdit(2, 3, b"b"), 2, None),  # would take text away
        ("ab", ByteEdit(0, 2, b"xbcd"), 2, None),  # would change what stands before the cursor
        ("ab\ncd", ByteEdit(2, 4, b"x\ncd"), 2, None),  # over a line end
        ("ab", ByteEdit(2, 2, b""), 2, None),
        ("abc", ByteEdit(2, 3, b"c"), 2, None),
        ("abc", ByteEdit(0, 1, b"x"), 2, None),
    ],
)
def test_ghost_text_is_what_a_client_can_draw(
    text: str, edit: ByteEdit, cursor: int, expected: ByteEdit | None
) -> None:
    buffer = Buffer.from_text(text)
    drawn = ghost_edit(buffer, edit, cursor)
    assert drawn == expected
    if drawn is not None:
        assert drawn.apply(buffer.data) == edit.apply(buffer.data)


def completions(*labels: str, start: int = 4, end: int = 6) -> Completions:
    items = tuple(Completion(label, 0.5, "name", "vocabulary") for label in labels)
    return Completions(items, start, end, complete=True)


@pytest.mark.parametrize(
    ("typed", "labels", "start"),
    [
        ([], ["foobar", "foe"], 4),
        ([ByteEdit(6, 6, b"o")], ["foobar"], 4),
        ([ByteEdit(6, 6, b"O")], ["foobar"], 4),  # clients match without regard to case
        ([ByteEdit(6, 6, b"o"), ByteEdit(7, 7, b"b")], ["foobar"], 4),
        ([ByteEdit(0, 1, b"xyz")], ["foobar", "foe"], 6),
        ([ByteEdit(9, 12, b"")], ["foobar", "foe"], 4),
        ([ByteEdit(6, 6, b"o"), ByteEdit(0, 0, b"\n")], ["foobar"], 5),
        ([ByteEdit(6, 6, b"q")], None, 0),
        ([ByteEdit(5, 6, b"")], None, 0),
        ([ByteEdit(4, 4, b"z")], None, 0),
        (None, None, 0),
    ],
)
def test_completions_older_than_the_text(typed: list[ByteEdit] | None, labels: list[str] | None, start: int) -> None:
    found = rebase_completions(completions("foobar", "foe"), typed)
    if labels is None:
        assert found is None
        return
    assert found is not None
    assert [item.label for item in found.items] == labels
    assert (found.start, found.end - found.start) == (start, 2)
    assert found.complete == (typed == [])


def test_rebasing_goes_over_each_edit_in_turn() -> None:
    ghost = ByteEdit(3, 3, b"alpha")
    assert rebase_edit(ghost, [ByteEdit(0, 0, b"x"), ByteEdit(4, 4, b"al")]) == ByteEdit(6, 6, b"pha")
    assert rebase_edit(ghost, [ByteEdit(3, 3, b"z"), ByteEdit(0, 0, b"x")]) is None
    assert rebase_edit(ghost, None) is None
    assert rebase_cursor(3, [ByteEdit(0, 0, b"x"), ByteEdit(4, 4, b"al"), ByteEdit(9, 9, b"!")]) == 6
    assert rebase_cursor(3, [ByteEdit(1, 5, b"")]) == 1
