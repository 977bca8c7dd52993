"""Halves of surrogate pairs: kept beside the text while they are alone, one character as soon as they meet."""

from __future__ import annotations

import pytest
from editahead.text import surrogates
from editahead.text.edits import ByteEdit
from editahead.text.surrogates import LoneSurrogates

HIGH, LOW, SMILE = "\ud83d", "\ude00", "\U0001f600".encode()
LOST = "\ufffd".encode()


def after(halves: LoneSurrogates, data: bytes, start: int, old_end: int, text: str) -> bytes:
    return halves.edit(data, start, old_end, text).apply(data)


@pytest.mark.parametrize("text", [f"a{HIGH}b", f"a{LOW}b"])
def test_a_lone_half_is_one_replacement_character(text: str) -> None:
    assert after(LoneSurrogates(), b"", 0, 0, text) == b"a" + LOST + b"b"


def test_halves_that_meet_are_one_character_whichever_comes_first() -> None:
    data = after(left := LoneSurrogates(), b"xy", 1, 1, HIGH)
    assert after(left, data, 1 + len(LOST), 1 + len(LOST), LOW) == b"x" + SMILE + b"y"
    data = after(right := LoneSurrogates(), b"xy", 1, 1, LOW)
    assert after(right, data, 1, 1, HIGH) == b"x" + SMILE + b"y"


def test_halves_meet_when_what_stands_between_them_goes() -> None:
    halves = LoneSurrogates()
    data = after(halves, b"", 0, 0, f"{HIGH}-{LOW}")
    assert after(halves, data, len(LOST), len(LOST) + 1, "") == SMILE


def test_what_comes_between_two_halves_joins_both() -> None:
    halves = LoneSurrogates()
    data = after(halves, b"", 0, 0, f"{HIGH}-{LOW}")
    assert after(halves, data, len(LOST), len(LOST) + 1, f"{LOW}+{HIGH}") == SMILE + b"+" + SMILE


@pytest.mark.parametrize("text", ["a", LOW + "a", "é"])
def test_halves_of_one_kind_stay_alone(text: str) -> None:
    halves = LoneSurrogates()
    data = after(halves, b"", 0, 0, LOW)
    joined = after(halves, data, len(LOST), len(LOST), text)
    assert joined == LOST + text.replace(LOW, "\ufffd").encode()
    assert after(halves, joined, 0, 0, HIGH) == SMILE + joined[len(LOST) :]


def test_a_half_is_found_where_it_stands_after_other_edits() -> None:
    halves = LoneSurrogates()
    data = after(halves, b"", 0, 0, f"ab{HIGH}")
    data = after(halves, data, 0, 1, "longer")
    data = after(halves, data, len(data), len(data), "tail")
    at = data.index(LOST) + len(LOST)
    assert after(halves, data, at, at, LOW) == b"longerb" + SMILE + b"tail"


def test_a_half_that_was_replaced_is_forgotten() -> None:
    halves = LoneSurrogates()
    data = after(halves, b"", 0, 0, f"a{HIGH}")
    data = after(halves, data, 1, 1 + len(LOST), "bcd")
    assert after(halves, data, 4, 4, LOW) == b"abcd" + LOST


def test_of_a_text_with_very_many_halves_only_some_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surrogates, "_MAX_HALVES", 2)
    halves = LoneSurrogates(HIGH + "-" + HIGH + "-" + HIGH, LOST + b"-" + LOST + b"-" + LOST)
    data = LOST + b"-" + LOST + b"-" + LOST
    assert after(halves, data, len(data), len(data), LOW) == data + LOST
    data = after(halves, data, 7, 7, LOW)
    assert data == LOST + b"-" + SMILE + b"-" + LOST


def test_a_text_without_halves_is_left_as_it_is() -> None:
    assert LoneSurrogates().edit(b"x", 0, 1, "yé") == ByteEdit(0, 1, "yé".encode())


def test_two_halves_in_one_change_are_one_character() -> None:
    assert after(LoneSurrogates(), b"x", 1, 1, HIGH + LOW) == b"x" + SMILE


def test_a_text_told_again_without_its_halves_keeps_them() -> None:
    """Some editors send U+FFFD for a half when they send the whole text."""
    halves = LoneSurrogates()
    data = after(halves, b"", 0, 0, f"a{HIGH}")
    assert after(halves, data, 0, len(data), "a\ufffd") == data
    assert after(halves, data, len(data), len(data), LOW) == b"a" + SMILE
