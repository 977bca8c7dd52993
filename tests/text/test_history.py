"""What a user expects of the history, one habit at a time."""

from __future__ import annotations

import pytest
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import CoalescedEdit, gap_between
from editahead.text.edits import ByteEdit
from editahead.text.history import EditKind, History, HistoryLimits, HistoryView
from text_history import Writer


def changes(view: HistoryView) -> list[tuple[int, bytes, bytes]]:
    return [(burst.start, burst.removed, burst.inserted) for burst in view.settled]


def test_typing_is_one_burst_and_a_pause_settles_it() -> None:
    writer = Writer("x = \n")
    writer.type(4, "foo", every=0.2)
    view = writer.view()
    assert view.settled == ()
    assert view.pending is not None
    assert (view.pending.start, view.pending.inserted, view.pending.time) == (4, b"foo", pytest.approx(0.6))
    assert not writer.history.settle(writer.now + 0.9)
    assert writer.history.settle(writer.now + 1.0)
    assert changes(writer.view()) == [(4, b"", b"foo")]
    assert writer.view().pending is None


def test_typing_on_after_a_pause_is_a_new_burst() -> None:
    writer = Writer("")
    writer.type(0, "ab")
    writer.now += 1.5
    writer.type(2, "cd")
    assert changes(writer.view()) == [(0, b"", b"ab")]
    assert writer.view().pending.inserted == b"cd"  # type: ignore[union-attr]


def test_a_jump_settles() -> None:
    writer = Writer("one\ntwo\n")
    writer.type(3, "!")
    writer.type(8, "?")
    assert changes(writer.view()) == [(3, b"", b"!")]


def test_a_new_line_after_text_settles_and_opens_the_next_burst() -> None:
    writer = Writer("if a:\n")
    writer.type(5, "\n    ")
    writer.type(10, "b()")
    writer.put(13, 13, "\n    ")
    writer.type(18, "c()")
    writer.history.settle()
    assert changes(writer.view()) == [(5, b"", b"\n    b()"), (13, b"", b"\n    c()")]


def test_typing_and_erasing_it_again_leaves_nothing() -> None:
    writer = Writer("ab")
    writer.type(1, "foo")
    for at in (4, 3, 2):
        writer.put(at - 1, at, "")
    view = writer.view()
    assert (view.settled, view.pending) == ((), None)


def test_erasing_past_what_was_typed_takes_the_old_text_too() -> None:
    writer = Writer("value")
    writer.type(5, "x")
    writer.put(5, 6, "")
    writer.put(4, 5, "")
    writer.put(3, 4, "")
    writer.type(3, "id")
    writer.history.settle()
    assert changes(writer.view()) == [(3, b"ue", b"id")]


def test_replacing_a_selection_is_one_burst() -> None:
    writer = Writer("call(foobar)")
    writer.put(5, 11, "b")
    writer.type(6, "az")
    writer.history.settle()
    assert changes(writer.view()) == [(5, b"foobar", b"baz")]


def test_a_completion_accepted_over_its_prefix_joins_the_burst() -> None:
    writer = Writer("x = \n")
    writer.type(4, "tot")
    writer.put(4, 7, "total_value")
    writer.history.settle()
    assert changes(writer.view()) == [(4, b"", b"total_value")]


def test_undo_of_a_settled_burst_takes_it_off_the_list() -> None:
    writer = Writer("a\nb\n")
    writer.type(1, "1")
    writer.type(4, "2")
    writer.history.settle()
    assert len(writer.view().settled) == 2
    writer.now += 5
    writer.put(4, 5, "")
    assert changes(writer.view()) == [(1, b"", b"1")]
    assert writer.view().pending is None
    assert writer.view().generation == 0


@pytest.mark.slow
def test_undo_of_several_keys_at_once_and_redo() -> None:
    writer = Writer("call()")
    writer.type(5, "foo, bar")
    writer.history.settle()
    writer.now += 5
    writer.put(10, 13, "")  # the editor undoes the last word
    writer.put(5, 10, "")  # then the rest
    assert writer.view().settled == ()
    assert writer.view().pending is None
    writer.put(5, 5, "foo, ")
    writer.put(10, 10, "bar")
    writer.history.settle()
    assert changes(writer.view()) == [(5, b"", b"foo, bar")]


def test_undo_of_a_deletion() -> None:
    writer = Writer("keep gone keep")
    writer.put(5, 10, "")
    writer.history.settle()
    writer.now += 9
    writer.put(5, 5, "gone ")
    assert writer.view().settled == ()
    assert writer.view().pending is None


def test_undo_across_two_bursts_in_one_edit() -> None:
    writer = Writer("()")
    writer.type(1, "foo")
    writer.now += 3
    writer.type(4, "bar")
    writer.history.settle()
    assert len(writer.view().settled) == 2
    writer.now += 3
    writer.put(1, 7, "", kind=EditKind.UNDO)
    assert writer.view().settled == ()


def test_an_edit_after_undo_forgets_the_redo() -> None:
    writer = Writer("")
    writer.type(0, "foo")
    writer.history.settle()
    writer.put(0, 3, "")
    writer.type(0, "x")
    writer.put(0, 0, "foo")  # what a redo would have been, had there been no `x`
    writer.history.settle()
    assert changes(writer.view()) == [(0, b"", b"foox")]


def test_typing_without_a_pause_is_settled_when_it_gets_long() -> None:
    writer = Writer("", HistoryLimits(max_bytes=100))
    for at in range(9):
        writer.put(10 * at, 10 * at, "0123456789", kind=EditKind.TYPED)
        pending = writer.view().pending
        assert pending is None or pending.size <= 50
    assert writer.view().settled


def test_a_paste_is_one_settled_burst() -> None:
    writer = Writer("a\nb\n")
    writer.type(1, "1")
    writer.put(3, 3, "def f():\n    return 1\n")
    assert changes(writer.view()) == [(1, b"", b"1"), (3, b"", b"def f():\n    return 1\n")]
    assert writer.view().pending is None


def test_a_short_paste_when_the_editor_says_so() -> None:
    writer = Writer("a")
    writer.put(1, 1, "b", kind=EditKind.PASTE)
    assert changes(writer.view()) == [(1, b"", b"b")]


def test_format_on_save_is_no_burst_and_the_users_bursts_stay() -> None:
    writer = Writer("a=1\nb=2\nc=3\nd=4\n")
    writer.type(15, "0")
    writer.history.settle()
    writer.now += 5
    writer.batch([(1, 2, " = "), (7, 8, " = "), (13, 14, " = "), (19, 20, " = ")])
    view = writer.view()
    assert writer.text == "a = 1\nb = 2\nc = 3\nd = 40\n"
    assert view.generation == 1
    assert view.anchor.text == "a = 1\nb = 2\nc = 3\nd = 4\n"
    assert changes(view) == [(23, b"", b"0")]


def test_format_of_the_whole_document() -> None:
    writer = Writer("a=1\nb=2\n")
    writer.put(0, 8, "a = 1\nb = 2\n")
    assert changes(writer.view()) == []
    assert writer.view().pending is None
    assert writer.view().anchor.text == "a = 1\nb = 2\n"
    assert writer.view().generation == 1


def test_format_within_a_burst_changes_the_burst() -> None:
    writer = Writer("a=1\n\nb=2\n")
    writer.type(4, "c=3")
    writer.now += 2
    writer.put(0, 12, "a = 1\nc = 3\nb = 2\n")
    assert [(burst.removed, burst.inserted) for burst in writer.view().settled] == [(b"", b"c = 3")]
    assert writer.view().anchor.text == "a = 1\n\nb = 2\n"


def test_a_replacement_by_the_same_text_is_nothing() -> None:
    writer = Writer("a\nb\n")
    writer.type(1, "x")
    before = writer.view()
    writer.put(0, 5, "ax\nb\n")
    assert writer.view() == before


def test_a_full_document_with_one_change_is_typing() -> None:
    writer = Writer("a\nb\nc\n")
    writer.put(0, 6, "a\nbx\nc\n")
    writer.put(0, 7, "a\nbxy\nc\n")
    view = writer.view()
    assert view.settled == ()
    assert view.pending is not None
    assert (view.pending.start, view.pending.inserted) == (3, b"xy")


def test_a_full_document_with_several_changes_is_one_burst_each() -> None:
    old = "".join(f"value_{n} = {n}\n" for n in range(30))
    writer = Writer(old)
    writer.put(0, len(old), old.replace("value_3 ", "total_3 ").replace("= 20", "= 21"))
    assert [(removed, inserted) for _, removed, inserted in changes(writer.view())] == [
        (b"value", b"total"),
        (b"0", b"1"),
    ]


def test_another_text_in_the_whole_document_is_a_new_anchor() -> None:
    old = "".join(f"value_{n} = {n}\n" for n in range(60))
    writer = Writer(old)
    writer.type(0, "x")
    writer.put(0, len(old) + 1, "".join(f"other_{n} = {n}\n" for n in range(60)))
    view = writer.view()
    assert (view.settled, view.pending) == ((), None)
    assert view.generation == 1
    assert view.anchor.text == writer.text


def test_a_reload_is_a_new_anchor() -> None:
    writer = Writer("a\n")
    writer.type(1, "x")
    writer.put(0, 3, "b\n", kind=EditKind.RELOADED)
    assert writer.view() == HistoryView(Buffer(b"b\n"), (), None, 1)


def test_several_cursors_are_one_burst_while_typing_and_one_each_when_settled() -> None:
    writer = Writer("a = old\nb = old\n")
    writer.batch([(4, 7, "n"), (10, 13, "n")])
    writer.batch([(5, 5, "ew"), (13, 13, "ew")])
    assert writer.text == "a = new\nb = new\n"
    assert writer.view().settled == ()
    writer.history.settle()
    assert changes(writer.view()) == [(4, b"old", b"new"), (12, b"old", b"new")]
    writer.batch([(4, 7, "n"), (10, 13, "n")])  # not an undo: another change of the same places
    assert writer.view().pending is not None


def test_a_space_typed_at_several_cursors_is_no_format() -> None:
    writer = Writer("a\nb\nc\n")
    writer.batch([(1, 1, "+"), (4, 4, "+"), (7, 7, "+")])
    writer.batch([(2, 2, " "), (6, 6, " "), (10, 10, " ")])
    writer.batch([(3, 3, "1"), (8, 8, "1"), (13, 13, "1")])
    assert writer.text == "a+ 1\nb+ 1\nc+ 1\n"
    writer.history.settle()
    assert writer.view().generation == 0
    assert [change[2] for change in changes(writer.view())] == [b"+ 1"] * 3


def test_undo_of_several_cursors() -> None:
    writer = Writer("a = old\nb = old\n")
    writer.batch([(4, 7, "x"), (10, 13, "x")])
    writer.history.settle()
    writer.now += 2
    writer.batch([(10, 11, "old"), (4, 5, "old")])
    assert writer.text == "a = old\nb = old\n"
    assert writer.view().settled == ()


def test_a_rename_all_over_a_file_is_one_burst_each() -> None:
    middle = "# filler\n" * 2_000
    writer = Writer(f"x = 1\n{middle}print(x)\n")
    writer.batch([(len(writer.text) - 3, len(writer.text) - 2, "y"), (0, 1, "y")])
    writer.history.settle()
    assert [change[1:] for change in changes(writer.view())] == [(b"x", b"y"), (b"x", b"y")]


def test_a_full_history_moves_its_older_half_into_the_anchor() -> None:
    writer = Writer("\n" * 20, HistoryLimits(max_edits=4))
    for line in range(5):
        writer.type(3 * line, "ab")
    assert len(writer.view().settled) == 4
    assert writer.view().generation == 0
    writer.history.settle()
    view = writer.view()
    assert view.generation == 1
    assert len(view.settled) == 2
    assert view.anchor.text.startswith("ab\nab\nab\n\n")
    assert view.current() == writer.text.encode()


def test_a_history_of_large_bursts_is_bounded_in_bytes() -> None:
    writer = Writer("", HistoryLimits(max_bytes=1_000))
    for _ in range(20):
        writer.put(0, 0, "x" * 90 + "\n", kind=EditKind.PASTE)
    assert 0 < sum(burst.size for burst in writer.view().settled) <= 1_000
    writer.put(0, 0, "y" * 700, kind=EditKind.PASTE)
    assert writer.view().settled == ()
    assert writer.view().anchor.text == writer.text


def test_a_text_that_the_history_was_not_told_of_becomes_the_anchor() -> None:
    history = History(Buffer(b"abc"), lambda: 0.0)
    history.push(ByteEdit(0, 0, b"x"), Buffer(b"something else"))
    view = history.view()
    assert view.current() == b"xsomething else"
    assert view.generation == 1


def test_when_it_was_last_changed() -> None:
    writer = Writer("one\ntwo\n")
    assert writer.history.changed_at == float("-inf")
    writer.type(3, "!")
    first = writer.now
    assert writer.history.changed_at == pytest.approx(first)
    writer.now += 5
    writer.type(8, "?")
    writer.history.settle()
    assert writer.history.changed_at > first


@pytest.mark.parametrize(("most", "kept"), [(6, 2), (5, 0)])
def test_a_format_too_large_to_carry_over_drops_the_bursts(most: int, kept: int) -> None:
    texts = [Buffer(b"a = 1\nb=2\nc=3\nd=4\n")]
    history = History(texts[0], lambda: 0.0, HistoryLimits(max_work=most))
    for edit in (ByteEdit(0, 1, b"x"), ByteEdit(9, 9, b"5")):
        history.push(edit, texts[-1])
        history.settle()
        texts.append(texts[-1].apply(edit))
    steps = []
    for edit in (ByteEdit(16, 16, b" "), ByteEdit(12, 12, b" "), ByteEdit(8, 8, b" ")):
        steps.append((edit, texts[-1]))
        texts.append(texts[-1].apply(edit))
    history.push_all(steps, EditKind.FORMAT)
    assert len(history.view().settled) == kept
    assert history.view().current() == texts[-1].data


def test_what_begins_the_file_is_not_the_whole_of_it() -> None:
    before = Buffer(b"".join(b"line %d\n" % number for number in range(100)))
    history = History(before, lambda: 0.0)
    history.push(ByteEdit(0, 600, b"other\n"), before)
    assert history.view().generation == 0
    assert history.view().anchor is before


def test_a_word_with_its_line_end_is_typed() -> None:
    before = Buffer(b"x\n")
    history = History(before, lambda: 0.0)
    history.push(ByteEdit(0, 0, b"word\n"), before)
    assert history.view().pending is not None
    history = History(before, lambda: 0.0)
    history.push(ByteEdit(0, 0, b"two words\n"), before)
    assert history.view().pending is None


@pytest.mark.parametrize(
    ("start", "removed", "gap"), [(20, b"", 7), (13, b"", 0), (11, b"", 0), (2, b"abc", 5), (7, b"abc", 0)]
)
def test_how_far_apart_two_edits_are(start: int, removed: bytes, gap: int) -> None:
    first = CoalescedEdit(10, b"", b"new", 0.0)
    assert gap_between(first, CoalescedEdit(start, removed, b"", 0.0)) == gap


@pytest.mark.parametrize("erased", ["backspace", "delete"])
def test_a_letter_typed_again_behind_several_erased_ones_is_no_undo(erased: str) -> None:
    """`width` was erased and `w` typed: nothing followed the rename, as if it had been undone."""
    writer = Writer("area(width)")
    for left in range(5, 0, -1):
        start = 4 + left if erased == "backspace" else 5
        writer.put(start, start + 1, "")
    writer.put(5, 5, "w" if erased == "backspace" else "h")
    assert writer.view().undone_at is None
    assert [edit.removed for edit in writer.view().edits] == [b"width"]


def test_a_letter_put_back_behind_a_single_erased_one_is_an_undo() -> None:
    writer = Writer("area(width)")
    writer.put(9, 10, "")
    writer.put(9, 9, "h")
    assert writer.view().undone_at is not None
