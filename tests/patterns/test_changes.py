"""Net changes, examples and groups: what the user did, whatever the way to it."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from editahead.patterns.changes import net_changes
from editahead.patterns.examples import example_of
from editahead.patterns.groups import groups_of
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import EditKind
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from repeats import Hand


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.data())
def test_changes_taken_back_give_the_first_text(data: st.DataObject) -> None:
    text = data.draw(st.lists(st.sampled_from(["a", "bc", " ", "(", ")", "\n", "é", "x1"]), max_size=25).map("".join))
    hand = Hand(text)
    for _ in range(data.draw(st.integers(1, 6))):
        now = hand.buffer.data.decode()
        start = data.draw(st.integers(0, len(now)))
        end = data.draw(st.integers(start, min(len(now), start + 4)))
        new = data.draw(st.sampled_from(["", "q", "zé", "\n", "a b"]))
        hand.edit(len(now[:start].encode()), len(now[:end].encode()), new.encode(), settle=data.draw(st.booleans()))
    view = hand.history.view()
    current = hand.buffer.data
    changes = net_changes(view, current)
    assert all(one.end < two.start for one, two in pairwise(changes))
    for change in reversed(changes):
        current = current[: change.start] + change.old + current[change.end :]
    assert current == view.anchor.data
    for change in changes:
        example_of(hand.buffer, [change])  # never raises


def test_a_word_retyped_letter_by_letter_is_one_change_of_one_word() -> None:
    hand = Hand("x = check(a)\n")
    for end in range(9, 4, -1):
        hand.edit(end - 1, end, b"", settle=end == 6)  # the user pauses half way
    for at, letter in enumerate("verify"):
        hand.edit(4 + at, 4 + at, letter.encode(), settle=at == 2)
    (example,) = hand.examples
    assert [key.text for key in example.old] == ["check"]
    assert [key.text for key in example.new] == ["verify"]


def test_parts_of_a_word_are_one_change() -> None:
    hand = Hand("get_all_items()\n")
    hand.edit(0, 3, b"fetch")
    hand.edit(13, 15, b"")
    (example,) = hand.examples
    assert [key.text for key in example.old] == ["get_all_items"]
    assert [key.text for key in example.new] == ["fetch_all_ite"]


@pytest.mark.parametrize("start_of_line", [True, False])
def test_a_new_line_is_the_same_example_wherever_it_was_typed(start_of_line: bool) -> None:
    hand = Hand("def f():\n    a()\n    b()\n")
    at = hand.buffer.data.index(b"\n    b")
    if start_of_line:
        hand.edit(at + 1, at + 1, b"    log()\n")
    else:
        hand.edit(at, at, b"\n    log()")
    (example,) = hand.examples
    assert [key.text for key in example.new] == ["\n+0", "log", "(", ")"]
    assert example.old == ()


def test_blanks_alone_and_large_changes_are_no_examples() -> None:
    hand = Hand("a = 1\nb = 2\n")
    hand.edit(1, 1, b"  ")
    hand.edit(0, 0, b"import x, y, z\nfrom a import b\n" * 8)
    assert all(example_of(hand.buffer, [change]) is None for change in hand.changes)


def test_two_steps_on_a_line_are_one_example_beside_another_of_the_kind() -> None:
    hand = Hand("foo(a)\nfoo(b)\nfoo(c)\n")
    for name in ("a", "b"):
        hand.replace(f"foo({name})", f"bar({name})")
        hand.replace(f"bar({name})", f"bar({name}, 1)")
    (group,) = hand.groups
    assert len(group.samples) == 2
    assert hand.lines_after(group.pattern) == ["bar(c, 1)"]


def test_two_equal_changes_on_a_line_are_two_examples() -> None:
    hand = Hand("f(check(a), check(b))\ncheck(c)\n")
    hand.replace("check(a)", "verify(a)")
    hand.replace("check(b)", "verify(b)")
    (group,) = hand.groups
    assert len(group.samples) == 2
    assert hand.lines_after(group.pattern) == ["verify(c)"]


def test_groups_keep_apart_what_is_done_by_turns() -> None:
    hand = Hand("one(a)\ntwo(a)\none(b)\ntwo(b)\none(c)\ntwo(c)\n")
    for name in ("a", "b"):
        hand.replace(f"one({name})", f"eins({name})")
        hand.replace(f"two({name})", f"zwei({name})")
    assert [hand.lines_after(group.pattern) for group in hand.groups] == [["zwei(c)"], ["eins(c)"]]
    assert [len(group.samples) for group in hand.groups] == [2, 2]
    assert len({group.name for group in hand.groups}) == 2


def test_examples_of_two_texts_make_one_group() -> None:
    first, second = Hand("check(a)\n"), Hand("x = 1\ncheck(b)\ncheck(c)\n")
    first.replace("check", "verify")
    second.now = 100.0
    second.replace("check(b)", "verify(b)")
    (group,) = groups_of([("first", first.buffer, first.changes), ("second", second.buffer, second.changes)])
    assert [sample.where for sample in group.samples] == ["second", "first"]
    assert second.lines_after(group.pattern) == ["verify(c)"]


def test_what_is_still_typed_confirms_but_is_no_example_alone() -> None:
    hand = Hand("check(a)\ncheck(b)\ncheck(c)\n")
    hand.replace("check(a)", "verify(a)", settle=False)
    assert hand.groups == []
    hand.now += 10
    hand.history.settle(hand.now)
    assert [len(group.samples) for group in hand.groups] == [1]
    hand.replace("check(b)", "verify(b)", settle=False)
    assert [len(group.samples) for group in hand.groups] == [2]


def test_a_change_taken_back_by_hand_ends_the_repetition() -> None:
    hand = Hand("check(a)\ncheck(b)\ncheck(c)\n")
    hand.replace("check(a)", "verify(a)")
    hand.replace("check(b)", "verify(b)")
    at = hand.buffer.data.rindex(b"verify")
    back = ByteEdit(at, at + 6, b"check")
    hand.history.push(back, hand.buffer, EditKind.TYPED)  # as far as the history knows, no undo
    hand.buffer = hand.buffer.apply(back)
    assert len(hand.changes) == 2
    assert hand.groups == []


def test_texts_without_changes_have_no_groups() -> None:
    assert groups_of([("a", Buffer(b"x"), [])]) == []
    assert groups_of([]) == []
