"""The order of one step of ghost text with names that the last edits put in."""

from __future__ import annotations

import math

import pytest
from editahead.suggest.completion.candidates import Candidate
from editahead.suggest.ghost_text.continuation import EDITED, with_edited_names
from hypothesis import given
from hypothesis import strategies as st

SHARES = st.lists(st.floats(0.001, 1.0), min_size=1, max_size=6)


def odds(p: float) -> float:
    return p / (1 - p)


def test_without_an_edited_name_nothing_changes() -> None:
    found = [Candidate("a", 0.5, "vocabulary"), Candidate("b", 0.2, "pointer")]
    assert with_edited_names(found, frozenset()) is found
    assert with_edited_names(found, {"c"}) is found


@given(SHARES, st.integers(0, 5))
def test_the_log_odds_of_an_edited_name_rise_and_the_sum_stays_a_share(shares: list[float], edited: int) -> None:
    whole = sum(shares) * 1.25  # a fifth belongs to what is not listed
    found = sorted(
        (Candidate(f"n{k}", p / whole, "pointer") for k, p in enumerate(shares)), key=lambda c: -c.probability
    )
    name = f"n{edited % len(shares)}"
    before = next(one.probability for one in found if one.text == name)
    after = with_edited_names(found, {name})
    assert [one.probability for one in after] == sorted((one.probability for one in after), reverse=True)
    assert {one.text for one in after} == {one.text for one in found}
    now = next(one.probability for one in after if one.text == name)
    assert math.log(odds(now)) == pytest.approx(math.log(odds(before)) + EDITED)
    assert sum(one.probability for one in after) < 1
