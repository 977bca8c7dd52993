"""What a save tells of the latest changes: which of them a formatter made."""

from __future__ import annotations

from editahead.text.coalesced_edits import HistoryView
from text_history import Writer


def changes(view: HistoryView) -> list[tuple[int, bytes, bytes]]:
    return [(burst.start, burst.removed, burst.inserted) for burst in view.settled]


def test_blank_changes_right_before_a_save_are_a_formatters() -> None:
    writer = Writer("a=1\nb = 2\n")
    writer.type(9, "3")
    writer.now += 2.0
    writer.put(1, 2, " = ")
    writer.now += 0.2
    assert writer.history.absorb_formatting()
    view = writer.view()
    assert (view.anchor.data, changes(view)) == (b"a = 1\nb = 2\n", [(11, b"", b"3")])
    assert view.current() == b"a = 1\nb = 23\n"
    assert not writer.history.absorb_formatting()


def test_blanks_that_a_formatter_takes_back_before_a_save_are_no_undo() -> None:
    writer = Writer("a = 1\nb = 2\n")
    writer.type(4, "4")
    writer.now += 2.0
    writer.put(12, 12, "  ")  # an indent that was left behind
    writer.now += 2.0
    writer.put(12, 14, "")
    assert writer.view().undone_at is not None
    assert writer.history.absorb_formatting()
    assert (writer.view().undone_at, writer.view().undone) == (None, ())
    assert changes(writer.view()) == [(4, b"", b"4")]


def test_an_undo_before_a_save_stays_one() -> None:
    writer = Writer("a = 1\n")
    writer.type(5, "4")
    writer.now += 2.0
    writer.put(5, 6, "")
    assert not writer.history.absorb_formatting()
    assert writer.view().undone_at is not None


def test_blanks_that_were_typed_some_time_before_a_save_are_kept() -> None:
    writer = Writer("a=1\n")
    writer.type(1, " ")
    writer.now += 0.9
    assert not writer.history.absorb_formatting()
    writer.type(4, "0")
    assert not writer.history.absorb_formatting()
