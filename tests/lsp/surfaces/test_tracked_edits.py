"""Offered edits are followed through changes: what was typed, accepted and undone, and how long that takes."""

from __future__ import annotations

import random
from collections.abc import Callable

from editahead.lsp.surfaces.feedback import MAX_TRACKED, UNDO_SECONDS, Feedback, OfferedChange, TrackedSpan
from editahead.text.edits import ByteEdit

from tests.growth import assert_linear

URI = "file:///a"


class Document:
    """A text with feedback that follows it."""

    def __init__(self, text: bytes) -> None:
        self.now, self.data = 100.0, text
        self.feedback = Feedback(lambda: self.now, lambda: 20_000)

    def apply(self, *edits: ByteEdit, typed: bool = False) -> None:
        for edit in edits:
            self.data = edit.apply(self.data)
        self.feedback.follow(URI, list(edits), self.data, "/p", typed=typed)

    def offer(self, start: int, end: int, new: bytes, kind: str = "next_edit") -> str:
        edit = ByteEdit(start, end, new)
        change = OfferedChange(kind, "python", "/p", "rename", "pattern", edit, self.data[start:end], b"line")
        return self.feedback.offer(kind, f"{start}", 0.85, URI, change)

    def events(self) -> dict[str, int]:
        return {key.event: count for key, count in self.feedback.counts.items() if key.kind == "next_edit"}


def test_an_accepted_next_edit_in_two_hunks_is_undone_after_edits_elsewhere() -> None:
    document = Document(b"one two three four")
    name = document.offer(4, 13, b"zwei drei!")
    document.apply(ByteEdit(8, 13, b"drei!"), ByteEdit(4, 7, b"zwei"))
    document.feedback.count_accepted(name)
    document.apply(ByteEdit(0, 0, b"zero "))
    document.apply(ByteEdit(9, 19, b"two three"))
    assert document.data == b"zero one two three four"
    assert document.events()["undone"] == 1
    assert {each.key for each in document.feedback.rejections(0.0)} == {"4", "pattern"}
    assert document.feedback.budget.count_declined(0.0) == 0  # one step that is taken back requires no higher precision


def test_a_change_counts_once_for_its_kind_at_however_many_places_it_is_rejected() -> None:
    document = Document(b"a\na\na\n")
    for start in (0, 2, 4):
        document.feedback.count_rejected(document.offer(start, start + 1, b"b"))
    assert [kind.count for kind in document.feedback.rejected_kinds.kinds] == [1]
    assert len(document.feedback.rejections(0.0)) == 3


def test_it_is_undone_by_hand_as_well() -> None:
    document = Document(b"f(a)")
    name = document.offer(2, 3, b"a, b")
    document.apply(ByteEdit(3, 3, b", b"))
    document.feedback.count_accepted(name)
    for end in (6, 5, 4):
        document.apply(ByteEdit(end - 1, end, b""), typed=True)
    assert document.data == b"f(a)"
    assert document.events()["undone"] == 1


def test_what_changes_back_much_later_was_not_undone() -> None:
    document = Document(b"f(a)")
    name = document.offer(2, 3, b"b")
    document.apply(ByteEdit(2, 3, b"b"))
    document.feedback.count_accepted(name)
    document.now += UNDO_SECONDS + 1
    document.apply(ByteEdit(2, 3, b"a"))
    assert "undone" not in document.events()


def test_what_the_user_makes_and_undoes_himself_is_no_suggestion() -> None:
    document = Document(b"f(a)")
    document.offer(2, 3, b"b")
    document.apply(ByteEdit(2, 3, b"b"))
    document.apply(ByteEdit(2, 3, b"a"))
    assert "undone" not in document.events()


def test_a_rejected_item_is_followed_no_further() -> None:
    document = Document(b"f(a)")
    name = document.offer(2, 3, b"b")
    document.feedback.count_rejected(name)
    document.apply(ByteEdit(2, 3, b"b"))
    document.apply(ByteEdit(2, 3, b"a"))
    assert "undone" not in document.events()


def test_an_accepted_item_counts_the_keys_it_saved_once() -> None:
    document = Document(b"f(a)")
    name = document.offer(3, 3, b", second=2")
    document.feedback.count_accepted(name)
    document.feedback.count_accepted(name)
    assert document.events()["saved keys"] == 10 - 2
    assert document.events()["accepted"] == 1


def test_offered_again_a_next_edit_is_typed_through_once() -> None:
    document = Document(b"f(a)\n")
    for _ in range(30):
        document.feedback.count_shown(document.offer(2, 3, b"b"))
        document.apply(ByteEdit(len(document.data), len(document.data), b"x"), typed=True)
    assert document.events()["typed through"] == 1


def test_few_items_are_followed_and_a_closed_document_is_not() -> None:
    document = Document(b"f(a)" * 100)
    for at in range(100):
        document.feedback.count_accepted(document.offer(4 * at + 2, 4 * at + 3, b"b"))
    assert len(document.feedback._tracked) <= MAX_TRACKED
    document.feedback.forget(URI)
    assert not document.feedback._tracked


def test_a_span_holds_its_own_text_after_random_edits() -> None:
    chance = random.Random(7)
    for _ in range(500):
        data = bytes(chance.choices(b"abc", k=30))
        start = chance.randrange(30)
        span = TrackedSpan(start, start + chance.randrange(30 - start), b"", b"")
        before, after = data[: span.start], data[span.end :]
        for _ in range(5):
            at = chance.randrange(len(data) + 1)
            edit = ByteEdit(at, min(len(data), at + chance.randrange(4)), bytes(chance.choices(b"xyz", k=2)))
            outside_before, outside_after = edit.old_end <= span.start, edit.start >= span.end
            inside = span.start <= edit.start and edit.old_end <= span.end
            is_defined, _touched = span.follow([edit])
            data = edit.apply(data)
            if not is_defined:
                assert True not in (outside_before, outside_after, inside)
                break
            if inside:
                assert data[: span.start] == before
                assert data[span.end :] == after
            elif outside_before:
                before = data[: span.start]
            else:
                after = data[span.end :]
            assert before + data[span.start : span.end] + after == data


def test_following_takes_time_in_proportion_to_the_edits() -> None:
    def follow(size: int) -> Callable[[], object]:
        document = Document(b"f(a)\n" * size)
        document.offer(2, 3, b"b")
        edits = [ByteEdit(len(document.data), len(document.data), b"x")] * (20 * size)
        return lambda: document.feedback.follow(URI, edits, document.data, "", typed=False)

    assert_linear(follow, 1000)


def test_an_accepted_alternative_that_is_undone_counts_as_undone() -> None:
    document = Document(b"x = ")
    other, shown = (document.offer(4, 4, text, kind="inline") for text in (b"other", b"shown"))
    assert shown != other
    document.apply(ByteEdit(4, 4, b"other"))
    document.feedback.count_accepted(other)
    document.apply(ByteEdit(4, 9, b""))
    events = {key.event: count for key, count in document.feedback.counts.items() if key.kind == "inline"}
    assert (events["accepted"], events["undone"]) == (1, 1)
    assert "typed through" not in events
