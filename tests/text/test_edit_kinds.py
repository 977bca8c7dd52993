"""Where a change comes from, at the borders of each rule."""

from __future__ import annotations

import pytest
from editahead.text.coalesced_edits import CoalescedEdit
from editahead.text.history import EditKind, HistoryLimits, guess


def burst(start: int, removed: int, inserted: bytes) -> CoalescedEdit:
    return CoalescedEdit(start, b"x" * removed, inserted, 0.0)


def kind(steps: list[CoalescedEdit], size: int = 10_000, pushed: list[CoalescedEdit] | None = None) -> EditKind:
    return guess(steps if pushed is None else pushed, steps, None, None, size, HistoryLimits())


@pytest.mark.parametrize(("length", "expected"), [(79, EditKind.TYPED), (80, EditKind.PASTE)])
def test_a_long_insertion_was_not_typed(length: int, expected: EditKind) -> None:
    assert kind([burst(0, 0, b"a" * length)]) is expected
    assert kind([burst(0, 1, b"a" * length)]) is EditKind.TYPED


@pytest.mark.parametrize(
    ("size", "gone", "expected"),
    [
        (500, 250, EditKind.TYPED),
        (500, 251, EditKind.RELOADED),
        (300, 200, EditKind.TYPED),
        (300, 201, EditKind.RELOADED),
    ],
)
def test_another_text_replaces_more_than_half(size: int, gone: int, expected: EditKind) -> None:
    assert kind([burst(5, gone, b"new")], size, [burst(0, size, b"...")]) is expected


@pytest.mark.parametrize("pushed", [burst(1, 500, b""), burst(0, 499, b""), burst(0, 501, b"")])
def test_only_a_whole_document_is_reloaded(pushed: CoalescedEdit) -> None:
    assert kind([burst(5, 400, b"new")], 500, [pushed]) is EditKind.TYPED


@pytest.mark.parametrize(
    ("places", "expected"), [(1, EditKind.TYPED), (2, EditKind.TYPED), (3, EditKind.FORMAT), (20, EditKind.FORMAT)]
)
def test_white_space_in_many_places_is_a_format(places: int, expected: EditKind) -> None:
    assert kind([burst(10 * n, 0, b"  ") for n in range(places)]) is expected


def test_white_space_of_a_whole_document_is_a_format() -> None:
    assert kind([burst(10, 0, b"  ")], 500, [burst(0, 500, b"...")]) is EditKind.FORMAT


@pytest.mark.parametrize(("places", "expected"), [(16, EditKind.REPLACED), (17, EditKind.RELOADED)])
def test_a_tool_replaces_some_places_and_no_more(places: int, expected: EditKind) -> None:
    steps = [burst(10 * n, 1, b"ab") for n in range(places)]
    assert kind(steps, pushed=[burst(0, 500, b"...")]) is expected
