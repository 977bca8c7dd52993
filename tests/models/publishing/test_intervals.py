"""Intervals over projects, verdicts and the rule of a kept target, against cases worked out by hand."""

from __future__ import annotations

import pytest
from editahead_models.publishing.intervals import keeps, pooled, ratio, verdict


def test_counts_are_pooled_and_not_averaged() -> None:
    share = pooled([("a", 1, 1), ("b", 0, 1), ("b", 0, 1), ("b", 1, 1)])
    assert (share.value, share.n, share.projects) == (0.5, 4, 2)


def test_the_interval_of_two_projects_reaches_from_the_one_to_the_other() -> None:
    # A draw of two projects is a, a (1 of 4), b, b (1 of 4), or both (1 of 2): the outer 2.5 % are a alone and b alone.
    share = pooled([("a", 1, 10), ("b", 9, 10)])
    assert (share.value, share.low, share.high) == (0.5, 0.1, 0.9)


def test_a_large_project_outweighs_a_small_one_in_every_draw() -> None:
    share = pooled([("large", 90, 100), ("small", 0, 1)])
    assert share.value == pytest.approx(90 / 101)
    assert (share.low, share.high) == (0.0, 0.9)  # small alone, large alone; both together: 0.89


def test_projects_that_agree_leave_no_doubt() -> None:
    share = pooled([(name, 8, 10) for name in "abcdef"])
    assert (share.low, share.high) == (0.8, 0.8)


def test_the_same_rows_in_another_order_have_the_same_interval() -> None:
    rows = [(name, number, 10) for number, name in enumerate("abcdef")]
    assert pooled(rows) == pooled(rows[::-1])


def test_one_project_is_no_sample() -> None:
    share = pooled([("a", 3, 4), ("b", 0, 0)])
    assert (share.value, share.low, share.high, share.projects) == (0.75, None, None, 1)
    assert pooled([]).as_json() == {"share": 0.0, "interval": [None, None], "n": 0, "projects": 0}


def test_a_ratio_counts_projects_without_any_of_the_second() -> None:
    assert ratio([("a", 6, 2), ("b", 3, 0)]) == (4.5, 3.0, None)  # b alone: infinitely many times
    assert ratio([("a", 6, 2), ("b", 3, 3)]) == (1.8, 1.0, 3.0)
    assert ratio([("a", 6, 2), ("a", 3, 1)]) == (3.0, None, None)
    assert ratio([("a", 6, 0), ("b", 3, 0)]) == (None, None, None)


@pytest.mark.parametrize(
    ("interval", "aim", "at_most", "expected"),
    [
        ([0.5, 0.6], 0.5, False, "yes"),
        ([0.49, 0.6], 0.5, False, "undecided"),
        ([0.4, 0.49], 0.5, False, "no"),
        ([0.01, 0.05], 0.05, True, "yes"),
        ([0.04, 0.06], 0.05, True, "undecided"),
        ([0.06, 0.1], 0.05, True, "no"),
        ([None, None], 0.5, False, "undecided"),
    ],
)
def test_a_claim_is_decided_where_the_interval_leaves_the_aim_out(
    interval: list[float | None], aim: float, at_most: bool, expected: str
) -> None:
    assert verdict({"interval": interval, "projects": 4}, aim, at_most=at_most) == expected
    assert verdict({"interval": interval, "projects": 3}, aim, at_most=at_most) == "undecided"


@pytest.mark.parametrize(
    ("by_project", "expected"),
    [
        ({"a": (77, 100)}, True),  # three points below are allowed
        ({"a": (76, 100)}, False),
        ({"a": (34, 49), "b": (90, 100)}, True),  # 0.69 of too few to count
        ({"a": (34, 50), "b": (90, 100)}, False),  # pooled 0.83, but 0.68 of 50
        ({"a": (35, 50), "b": (90, 100)}, True),
        ({}, None),
    ],
)
def test_a_target_of_80_percent_is_kept(by_project: dict[str, tuple[int, int]], expected: bool | None) -> None:
    assert keeps(0.8, by_project) is expected
