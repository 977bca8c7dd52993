"""Views of a history: the same one while nothing changes, and folds that go on from view to view."""

from __future__ import annotations

from text_history import Writer


def test_a_view_stays_while_nothing_changes() -> None:
    writer = Writer("one two\n")
    writer.type(0, "ab")
    view = writer.view()
    assert writer.view() is view
    writer.type(2, "c")
    assert writer.view() is not view
    writer.now += 5.0
    writer.history.settle(writer.now)
    settled = writer.view()
    assert settled is not view
    assert writer.view() is settled


def test_a_fold_goes_on_from_the_last_view_and_begins_again_after_an_undo() -> None:
    writer, seen = Writer("one two\n"), list[int]()

    def step(known: tuple[bytes, ...], number: int) -> tuple[bytes, ...]:
        seen.append(number)
        return (*known, writer.view().settled[number].inserted)

    for text in ("a", "b", "c"):
        writer.type(0, text)
        writer.now += 5.0
        writer.history.settle(writer.now)
        folded = writer.view().fold("inserted", tuple[bytes, ...](), step)
    assert folded == (b"a", b"b", b"c")
    assert seen == [0, 1, 2]  # each edit once
    writer.put(0, 1, "")  # which undoes the last one
    writer.type(0, "d")
    writer.now += 5.0
    writer.history.settle(writer.now)
    view = writer.view()
    assert view.fold("inserted", tuple[bytes, ...](), step) == tuple(edit.inserted for edit in view.settled)
    writer.history.reanchor(view.anchor)
    assert writer.view().fold("inserted", tuple[bytes, ...](), step) == ()
