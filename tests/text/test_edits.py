"""Byte edits: composing them, moving them over one another, and finding few of them between two texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from editahead.text.edits import ByteEdit, apart, apply_all, is_overlapping, minimal_diff, rebase
from hypothesis import assume, example, given
from hypothesis import strategies as st
from text_strategies import borders, data, data_and_edit, edits_of


def test_an_edit_knows_its_sizes() -> None:
    edit = ByteEdit(2, 5, b"ab")
    assert (edit.new_end, edit.delta) == (4, -1)
    assert edit.old_bytes(b"0123456") == b"234"
    assert edit.apply(b"0123456") == b"01ab56"
    assert edit.inverse(b"0123456") == ByteEdit(2, 4, b"234")
    assert ByteEdit(1, 3, b"12").is_noop(b"0123")
    assert not ByteEdit(1, 3, b"1").is_noop(b"0123")


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (3, 2)])
def test_what_is_no_edit_is_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="not an edit"):
        ByteEdit(start, end, b"")


@given(case=data_and_edit())
def test_the_inverse_undoes(case: tuple[bytes, ByteEdit]) -> None:
    before, edit = case
    after = edit.apply(before)
    assert edit.inverse(before).apply(after) == before
    assert edit.is_noop(before) == (after == before)
    assert edit.delta == len(after) - len(before)


@given(case=data_and_edit())
def test_a_trimmed_edit_does_the_same_with_less(case: tuple[bytes, ByteEdit]) -> None:
    before, edit = case
    small = edit.trim(before)
    assert small.apply(before) == edit.apply(before)
    assert edit.start <= small.start <= small.old_end <= edit.old_end
    small.new.decode()  # cuts no character
    if edit.is_noop(before):
        assert small.start == small.old_end
        assert not small.new


@pytest.mark.slow
@given(case=st.data(), start=data)
def test_many_edits_are_one_after_the_other(case: st.DataObject, start: bytes) -> None:
    edits, now = [], start
    for _ in range(case.draw(st.integers(0, 6))):
        edits.append(case.draw(edits_of(now)))
        now = now[: edits[-1].start] + edits[-1].new + now[edits[-1].old_end :]
    assert apply_all(start, edits) == now


def test_many_edits_past_the_end_are_refused() -> None:
    with pytest.raises(ValueError, match="byte 6 in a text of 5 bytes"):
        apply_all(b"abc", [ByteEdit(0, 0, b"xy"), ByteEdit(5, 6, b"")])


E = ByteEdit


@pytest.mark.parametrize(
    ("edit", "over", "moved"),
    [
        (E(5, 6, b"x"), E(1, 2, b"abc"), E(7, 8, b"x")),  # after it: shifted
        (E(5, 6, b"x"), E(1, 4, b""), E(2, 3, b"x")),
        (E(1, 2, b"x"), E(5, 6, b"abc"), E(1, 2, b"x")),  # before it: as it was
        (E(1, 5, b"x"), E(3, 4, b"y"), None),  # overlaps
        (E(3, 4, b"y"), E(1, 5, b"x"), None),
        (E(1, 4, b"x"), E(3, 6, b"y"), None),
        (E(1, 4, b""), E(2, 3, b""), None),
        (E(5, 5, b"foo"), E(5, 5, b"fo"), E(7, 7, b"o")),  # typed through
        (E(5, 5, b"foo"), E(5, 5, b"foo"), E(8, 8, b"")),
        (E(5, 5, b"foo"), E(5, 5, b"fox"), None),
        (E(5, 5, b"foo"), E(5, 5, b"foobar"), None),
        (E(5, 8, b"foobar"), E(5, 8, b"foo"), E(8, 8, b"bar")),  # typed through over the same selection
        (E(5, 8, b"foobar"), E(5, 5, b"foo"), E(8, 11, b"bar")),
        (E(5, 8, b"foobar"), E(5, 8, b"x"), None),
        (E(5, 8, b"foobar"), E(5, 9, b"foo"), None),  # took more away than the edit knew of
        (E(5, 8, b"new"), E(8, 8, b"s"), None),  # typed at the border of what is to be replaced
        (E(5, 5, b"new"), E(5, 7, b"x"), None),
        (E(5, 8, b""), E(8, 8, b"s"), E(5, 8, b"")),  # a deletion takes nothing typed beside it
        (E(5, 8, b""), E(5, 5, b"s"), E(6, 9, b"")),
        (E(5, 5, b"new"), E(2, 5, b""), E(2, 2, b"new")),
        (E(5, 5, b"new"), E(5, 7, b""), E(5, 5, b"new")),
        (E(5, 8, b"x"), E(8, 9, b"y"), E(5, 8, b"x")),  # neighbours that each replace
        (E(8, 9, b"y"), E(5, 8, b"xx"), E(7, 8, b"y")),
        (E(3, 4, b"x"), E(3, 3, b""), E(3, 4, b"x")),  # over nothing
    ],
)
def test_moving_an_edit_over_another(edit: ByteEdit, over: ByteEdit, moved: ByteEdit | None) -> None:
    assert rebase(edit, over) == moved


@pytest.mark.slow
@given(case=st.data(), start=data)
def test_a_moved_edit_does_what_it_would_have_done(case: st.DataObject, start: bytes) -> None:
    edit, over = case.draw(edits_of(start)), case.draw(edits_of(start))
    moved, other = rebase(edit, over), rebase(over, edit)
    assume(moved is not None)
    assert moved is not None
    after = moved.apply(over.apply(start))
    after.decode()
    if moved.new != edit.new:
        assert after == edit.apply(start)  # typed through: the suggestion as it was meant
    elif edit.old_end < over.start or over.old_end < edit.start:
        assert other is not None
        assert after == other.apply(edit.apply(start))


@pytest.mark.slow
@given(case=st.data(), start=data)
def test_overlapping_edits_never_move(case: st.DataObject, start: bytes) -> None:
    edit, over = case.draw(edits_of(start)), case.draw(edits_of(start))
    assume(max(edit.start, over.start) < min(edit.old_end, over.old_end))
    assume(not (over.new and edit.start == over.start and edit.new.startswith(over.new)))
    assert rebase(edit, over) is None


@given(case=st.data(), start=data, grown=st.integers(0, 6))
def test_typing_a_suggestion_key_by_key_ends_with_the_suggestion(case: st.DataObject, start: bytes, grown: int) -> None:
    edit = case.draw(edits_of(start))
    now, rest = start, edit
    for at, end in pairwise(borders(edit.new)):
        key = ByteEdit(rest.start, rest.start, edit.new[at:end])
        moved = rebase(rest, key)
        assert moved is not None
        now, rest = key.apply(now), moved
        if at == grown:
            break
    assert rest.apply(now) == edit.apply(start)


@given(old=data, new=data)
@example(old="é".encode(), new="è".encode())  # the same first byte
@example(old="ã".encode(), new="ţ".encode())  # the same last byte
@example(old=b"a\r\nb", new=b"a\nb")
@example(old=b"a\rb", new=b"a\r\nb")
@example(old=b"\r\n\r\n", new=b"\r\n")
@example(old=b"x\r", new=b"y\r\n")
def test_a_diff_leads_from_one_to_the_other(old: bytes, new: bytes) -> None:
    check_diff(old, new)


@given(case=st.data(), lines=st.lists(st.sampled_from(["a b c", "x = y", "", "  é", "x = z", "😀"]), max_size=12))
def test_a_diff_of_lines_leads_from_one_to_the_other(case: st.DataObject, lines: list[str]) -> None:
    old = "\n".join(lines).encode()
    new = old
    for _ in range(case.draw(st.integers(0, 4))):
        new = case.draw(edits_of(new)).apply(new)
    check_diff(old, new)


def check_diff(old: bytes, new: bytes) -> None:
    edits = minimal_diff(old, new)
    assert apply_all(old, edits) == new
    assert not any(edit.is_noop(old) for edit in edits)
    for edit in edits:
        edit.new.decode()
        for text, places in ((old, (edit.start, edit.old_end)), (new, ())):
            assert all(place in borders(text) for place in places)
            assert not any(text[place - 1 : place + 1] == b"\r\n" for place in places if place)
    for after, before in pairwise(edits):
        assert before.old_end < after.start
    # The edits' places in the new text, where a client would look for them, split no line end either.
    grown = 0
    for edit in reversed(edits):
        for place in (edit.start + grown, edit.new_end + grown):
            assert not (place and new[place - 1 : place + 1] == b"\r\n")
        grown += edit.delta


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("same", "same", []),
        ("", "new", [E(0, 0, b"new")]),
        ("old", "", [E(0, 3, b"")]),
        ("f(a, b)\n", "f(a, c)\n", [E(5, 6, b"c")]),
        ("getUser()\n", "getUserName()\n", [E(7, 7, b"Name")]),
        ("x = a + a\n", "x = b + b\n", [E(8, 9, b"b"), E(4, 5, b"b")]),
        ("a\nb\nc\n", "a\nc\n", [E(2, 4, b"")]),
        ("a\nc\n", "a\nb\nc\n", [E(2, 2, b"b\n")]),
        ("def f(a):\n    return a\n", "def f(b):\n    return b\n", [E(21, 22, b"b"), E(6, 7, b"b")]),
        ("hello\n", "12345\n", [E(0, 5, b"12345")]),  # nothing in common: one
        ("alpha beta gamma\n", "one two three\n", [E(0, 16, b"one two three")]),  # but for spaces: one
        ("naïve é\n", "naïve è\n", [E(7, 9, "è".encode())]),
        ("a\r\nb\r\n", "a\nb\r\n", [E(1, 3, b"\n")]),  # never between \r and \n
    ],
)
def test_diffs_that_a_reader_would_draw(old: str, new: str, edits: list[ByteEdit]) -> None:
    assert minimal_diff(old.encode(), new.encode()) == edits


def test_a_diff_of_a_large_file_finds_the_lines() -> None:
    old = b"".join(b"    value_%d = compute(%d)\n" % (n, n) for n in range(20_000))
    new = old.replace(b"value_77 ", b"total_77 ").replace(b"    value_15000 = compute(15000)\n", b"")
    edits = minimal_diff(old, new)
    assert [edit.new for edit in edits] == [b"", b"total"]
    assert apply_all(old, edits) == new


def test_a_diff_past_its_bounds_is_one_replacement(monkeypatch: pytest.MonkeyPatch) -> None:
    from editahead.text import diff

    monkeypatch.setattr(diff, "MAX_BYTES", 100)
    old = b"head\n" + b"one two three\n" * 10 + b"tail\n"
    new = b"head\n" + b"two two three\n" * 5 + b"tale\n"
    edits = minimal_diff(old, new)
    assert len(edits) == 1
    assert edits[0].start >= 5
    assert apply_all(old, edits) == new


@pytest.mark.parametrize("lines", [(b"a b c d e f\n", b"u v w x y z\n"), (b"x = 1\n", b"x  = 1\n")])
def test_a_diff_of_a_text_that_changed_everywhere_is_one_replacement(lines: tuple[bytes, bytes]) -> None:
    old, new = (line * 60_000 for line in lines)
    edits = minimal_diff(old, new)
    assert len(edits) == 1
    assert apply_all(old, edits) == new


def test_lines_that_changed_one_by_one_are_one_edit_each() -> None:
    old = b"".join(b"a%d = %d\nvalue_%d = old\n" % (n, n, n) for n in range(2_000))
    edits = minimal_diff(old, old.replace(b"= old", b"= new"))
    assert len(edits) == 2_000
    assert {(edit.old_end - edit.start, edit.new) for edit in edits} == {(3, b"new")}


@pytest.mark.slow
@given(case=st.data(), before=data)
def test_of_edits_that_overlap_none_is_apart(case: st.DataObject, before: bytes) -> None:
    edits = list({case.draw(edits_of(before)) for _ in range(case.draw(st.integers(0, 8)))})
    clear = [one for one in edits if not any(is_overlapping(one, other) for other in edits if other is not one)]
    assert apart(edits) == sorted(apart(edits), key=lambda edit: (edit.start, edit.old_end))
    assert set(apart(edits)) == set(clear)


def test_edits_that_touch_do_not_overlap() -> None:
    inside, before, behind = ByteEdit(3, 3, b"a"), ByteEdit(2, 2, b"a"), ByteEdit(5, 6, b"a")
    whole = ByteEdit(2, 5, b"b")
    assert [is_overlapping(whole, other) for other in (inside, before, behind, whole)] == [True, False, False, True]
