"""Whatever is done to a text, the history tells the text."""

from __future__ import annotations

import pytest
from editahead.text.coalesced_edits import CoalescedEdit, rebase_before, reverted_text, text_before, to_coalesced_edit
from editahead.text.edits import ByteEdit, apply_all
from editahead.text.history import EditKind, HistoryLimits
from hypothesis import given
from hypothesis import strategies as st
from text_history import Writer
from text_strategies import borders, short_texts, texts

kinds = st.one_of(st.none(), st.none(), st.sampled_from(list(EditKind)))
limits = st.builds(
    HistoryLimits,
    max_edits=st.integers(1, 6),
    max_bytes=st.sampled_from([20, 60, 1_000]),
    max_spread=st.sampled_from([0, 8, 1_000]),
    max_parts=st.integers(1, 4),
    min_reload=st.sampled_from([0, 5, 100]),
    paste_bytes=st.integers(3, 20),
    max_work=st.sampled_from([0, 3, 100]),
    undo_depth=st.integers(1, 10),
)


def draw_change(draw: st.DrawFn, data: bytes, near: int) -> tuple[int, int, str]:
    """A change: often where the last one was, sometimes of the whole text."""
    places = borders(data)
    if draw(st.integers(0, 9)) == 0:
        return 0, len(data), draw(texts)
    nearest = min(range(len(places)), key=lambda n: abs(places[n] - near))
    at = nearest if draw(st.booleans()) else draw(st.integers(0, len(places) - 1))
    end = min(at + draw(st.integers(0, 3)), len(places) - 1)
    return places[at], places[end], draw(short_texts)


@given(case=st.data(), start=texts, bounds=limits)
def test_the_history_always_tells_the_text(case: st.DataObject, start: str, bounds: HistoryLimits) -> None:
    writer = Writer(start, bounds)
    undo: list[ByteEdit] = []
    near, generation, anchor = 0, 0, writer.view().anchor
    for _ in range(case.draw(st.integers(1, 25))):
        writer.now += case.draw(st.sampled_from([0.0, 0.1, 0.1, 2.0]))
        if undo and case.draw(st.integers(0, 3)) == 0:
            edit = undo.pop()
            writer.put(edit.start, edit.old_end, edit.new.decode())
        else:
            before = writer.buffer.data
            count = case.draw(st.sampled_from([1, 1, 1, 2, 3]))
            batch, data = [], before
            for _ in range(count):
                change = draw_change(case.draw, data, near)
                edit = ByteEdit(change[0], change[1], change[2].encode())
                near, data = edit.new_end, edit.apply(data)
                batch.append(change)
            writer.batch(batch, case.draw(kinds))
            if count == 1:
                undo.append(edit.inverse(before))
            else:
                undo.clear()
        view = writer.view()
        assert view.generation >= generation
        assert view.generation != generation or view.anchor == anchor
        assert len(view.settled) <= bounds.max_edits
        assert sum(burst.size for burst in view.settled) <= bounds.max_bytes
        assert not any(burst.is_noop for burst in view.settled)
        generation, anchor = view.generation, view.anchor


@pytest.mark.slow
@given(case=st.data(), data=texts)
def test_absorbed_steps_come_before_the_bursts(case: st.DataObject, data: str) -> None:
    start = now = data.encode()
    bursts, steps = [], []
    for told in (bursts, steps):
        for _ in range(case.draw(st.integers(0, 5))):
            change = draw_change(case.draw, now, 0)
            edit = ByteEdit(change[0], change[1], change[2].encode())
            told.append(to_coalesced_edit(edit, now, 0.0))
            now = edit.apply(now)
    settled = rebase_before(bursts, steps)
    anchor = reverted_text(now, settled)
    assert apply_all(anchor, [burst.edit for burst in settled]) == now
    assert len(settled) <= len(bursts)
    if not steps:
        assert anchor == reverted_text(now, bursts) == start


@pytest.mark.slow
@given(keys=st.lists(st.sampled_from("abc \n"), min_size=1, max_size=30), pauses=st.data())
def test_undoing_every_key_leaves_no_burst(keys: list[str], pauses: st.DataObject) -> None:
    writer = Writer("text\nmore\n")
    for at, key in enumerate(keys):
        writer.now += pauses.draw(st.sampled_from([0.1, 3.0]))
        writer.put(4 + at, 4 + at, key)
    for at in reversed(range(len(keys))):
        writer.now += pauses.draw(st.sampled_from([0.1, 3.0]))
        writer.put(4 + at, 5 + at, "")
    assert writer.view().settled == ()
    assert writer.view().pending is None
    assert writer.view().generation == 0


@pytest.mark.slow
@given(keys=st.lists(st.sampled_from("abc \n"), min_size=1, max_size=30), pauses=st.data())
def test_one_undo_of_a_whole_session_leaves_no_burst(keys: list[str], pauses: st.DataObject) -> None:
    writer = Writer("text\nmore\n")
    for at, key in enumerate(keys):
        writer.now += pauses.draw(st.sampled_from([0.1, 3.0]))
        writer.put(4 + at, 4 + at, key)
    typed = writer.view()
    writer.put(4, 4 + len(keys), "")
    assert writer.view().settled == ()
    assert writer.view().pending is None
    writer.put(4, 4, "".join(keys))
    writer.history.settle()
    assert len(writer.view().settled) == len(typed.settled) + (typed.pending is not None)


@pytest.mark.slow
@given(case=st.data(), start=texts)
def test_a_stretch_of_an_earlier_text_is_read_without_building_that_text(case: st.DataObject, start: str) -> None:
    versions, edits = [start.encode()], list[CoalescedEdit]()
    for _ in range(case.draw(st.integers(1, 6))):
        low, high, new = draw_change(case.draw, versions[-1], case.draw(st.integers(0, len(versions[-1]))))
        edits.append(to_coalesced_edit(ByteEdit(low, high, new.encode()), versions[-1], 0.0))
        versions.append(edits[-1].edit.apply(versions[-1]))
    for number, text in enumerate(versions):
        first = case.draw(st.integers(0, len(text)))
        last = case.draw(st.integers(first, len(text) + 3))
        assert text_before(versions[-1], edits, first, last, number) == text[first:last]
