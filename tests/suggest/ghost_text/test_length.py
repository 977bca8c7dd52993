"""Length by value: the choice is the best of those that are allowed, and the dial moves one way only."""

from __future__ import annotations

import math

import pytest
from editahead.suggest.ghost_text.length import (
    MAX_SAVED,
    MIN_CHARACTERS,
    Length,
    by_value,
    can_pay_further,
    cost_of_wrong,
    is_long_enough,
    keystrokes,
    value,
)
from hypothesis import given
from hypothesis import strategies as st

PROBABILITY = st.floats(0.0, 1.0)
PRECISION = st.floats(0.0, 1.0)
WORDS = st.text(st.sampled_from("ab.( \n"), min_size=1, max_size=6)


@st.composite
def continuations(draw: st.DrawFn) -> list[Length]:
    """Lengths as a roll-out makes them: the text grows, the probability falls."""
    words = draw(st.lists(WORDS, max_size=8))
    falling = sorted(draw(st.lists(PROBABILITY, min_size=len(words), max_size=len(words))), reverse=True)
    return [Length(n + 1, "".join(words[: n + 1]), p) for n, p in enumerate(falling)]


def worth(length: Length, cost: float) -> float:
    return length.probability * length.saved_keystrokes - (1 - length.probability) * cost


@given(continuations(), PRECISION, st.floats(0.0, 1.0))
def test_the_choice_is_allowed_pays_and_nothing_allowed_pays_more(
    lengths: list[Length], precision: float, needed: float
) -> None:
    cost = min(cost_of_wrong(precision), 1e6)
    found = by_value(lengths, needed, cost)
    allowed = [one for one in lengths if one.probability >= needed and len(one.insert.strip()) >= MIN_CHARACTERS]
    assert {one.tokens for one in found} == {one.tokens for one in allowed if worth(one, cost) > 0}
    if found:
        assert found[0].probability >= needed
        assert worth(found[0], cost) == max(worth(one, cost) for one in allowed)


@given(continuations(), PRECISION, PRECISION, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_asking_for_more_never_shows_something_less_probable(
    lengths: list[Length], one: float, other: float, low: float, high: float
) -> None:
    less, more = sorted((one, other))
    bar_less, bar_more = sorted((low, high))  # a bar rises with the precision, or stays
    strict = by_value(lengths, bar_more, cost_of_wrong(more))
    loose = by_value(lengths, bar_less, cost_of_wrong(less))
    if strict:
        assert loose, "what a strict user sees, a tolerant one sees too, or something longer"
        assert strict[0].probability >= loose[0].probability


@given(PROBABILITY, st.floats(0.0, 50.0), st.floats(0.0, 1.0), PRECISION, PROBABILITY, st.integers(1, MAX_SAVED))
def test_growing_stops_only_when_no_longer_text_can_win(
    probability: float, best: float, needed: float, precision: float, later: float, saved: int
) -> None:
    cost = cost_of_wrong(precision)
    if not can_pay_further(probability, best, needed, cost):
        longer = min(later, probability)
        assert longer < needed or value(longer, saved, cost) <= max(best, value(probability, MAX_SAVED, cost))
        assert longer < needed or value(longer, saved, cost) <= best


@pytest.mark.parametrize(
    ("text", "keys"),
    [("abc", 3), ("", 0), ("a\n    b", 3), ("\n\t\tx = 1", 6), ("x  \ny", 5), ("漢字", 2)],
)
def test_indentation_is_no_keystroke(text: str, keys: int) -> None:
    assert keystrokes(text) == keys
    assert Length(1, text, 0.5).saved_keystrokes == keys - 1


def test_a_wrong_suggestion_costs_more_the_more_precision_is_asked_for() -> None:
    costs = [cost_of_wrong(precision) for precision in (-1.0, 0.0, 0.3, 0.5, 0.8, 0.95, 1.0, 2.0)]
    assert costs == sorted(costs)
    assert costs[:2] == [0.0, 0.0]
    assert costs[-2:] == [math.inf, math.inf]
    assert value(1.0, 3, math.inf) == 3  # what is certain costs nothing
    assert value(0.99, 3, math.inf) == -math.inf


def test_a_long_text_may_be_less_sure_than_a_short_one() -> None:
    short, long = Length(1, "self", 0.9), Length(4, "self.location = location", 0.7)
    assert by_value([short, long], 0.6, cost_of_wrong(0.8)) == [long, short]
    assert by_value([short, long], 0.8, cost_of_wrong(0.8)) == [short]
    unsure = Length(4, "self.location = location", 0.1)
    assert by_value([short, unsure], 0.0, cost_of_wrong(0.8)) == [short]


@pytest.mark.parametrize(
    ("text", "long_enough"), [("", False), (")", False), (" ) ", False), ("()", True), ("ab", True)]
)
def test_one_character_is_not_worth_a_glance(text: str, long_enough: bool) -> None:
    assert is_long_enough(text) is long_enough
