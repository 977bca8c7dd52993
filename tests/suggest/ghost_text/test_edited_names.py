"""The order of one step of ghost text with names that the last edits put in."""

from __future__ import annotations

import math

import pytest
from editahead.suggest.completion.candidates import EDITED, with_edited_names
from hypothesis import given
from hypothesis import strategies as st

SHARES = st.lists(st.floats(0.001, 1.0), min_size=1, max_size=6)


def odds(p: float) -> float:
    return p / (1 - p)


def test_without_an_edited_name_nothing_changes() -> None:
    mass = {"a": 0.5, "b": 0.2}
    assert with_edited_names(mass, frozenset()) is mass
    assert with_edited_names(mass, {"c"}) is mass


@given(SHARES, st.integers(0, 5))
def test_the_log_odds_of_an_edited_name_rise_and_the_sum_stays_a_share(shares: list[float], edited: int) -> None:
    whole = sum(shares) * 1.25  # a fifth belongs to what is not listed
    before = {f"n{number}": share / whole for number, share in enumerate(shares)}
    name = f"n{edited % len(shares)}"
    after = with_edited_names(before, {name})
    assert after.keys() == before.keys()
    assert math.log(odds(after[name])) == pytest.approx(math.log(odds(before[name])) + EDITED)
    assert sum(after.values()) < 1
    factors = [after[other] / before[other] for other in before if other != name]
    assert factors == pytest.approx([(1 - after[name]) / (1 - before[name])] * len(factors))
