"""Calibration errors of rows whose probabilities are known to be true or false."""

from __future__ import annotations

import random

import pytest
from editahead_models.publishing.keystrokes.calibration import calibration
from editahead_models.replay.measured_rows import Row

from tests.models.publishing.keystrokes.test_users import key


def rows_with(stated: float, true: float, count: int = 200) -> list[tuple[str, Row]]:
    """Ten files whose first completions are right in a share of `true`, where `stated` is shown."""
    chooser = random.Random(5)
    return [
        (f"{number}.py", {"keys": [key(0, "keyword", "while", 1, first=[stated, chooser.random() < true])] * 1})
        for number in range(10)
        for _ in range(count // 10)
    ]


@pytest.mark.slow
def test_a_true_probability_has_no_error_and_a_false_one_its_distance() -> None:
    true, false = calibration(rows_with(0.6, 0.6, 2000)), calibration(rows_with(0.9, 0.5, 2000))
    assert true["all"]["share"] < 0.03
    assert abs(false["all"]["share"] - 0.4) < 0.04
    low, high = false["all"]["interval"]
    assert low < 0.4 < high < 0.5
    assert (false["all"]["expected"], abs(false["all"]["right"] - 0.5) < 0.04) == (0.9, True)


def test_the_interval_lies_around_the_figure_although_drawn_samples_show_more() -> None:
    found = calibration(rows_with(0.6, 0.6, 100))["all"]
    low, high = found["interval"]
    assert low <= found["share"] <= high
    assert found["by chance"] > 0


def test_keys_are_grouped_by_letters_and_by_what_came() -> None:
    rows: list[tuple[str, Row]] = [
        ("a.py", {"keys": [key(0, "keyword", "if", first=[0.5, True]), key(1, "keyword", "if", 1, first=[0.9, True])]}),
        ("b.py", {"keys": [key(0, "name of the file", "total", first=[0.2, False])]}),
        ("c.py", {"keys": [key(0, "comment", "total", region="comment", first=[0.2, False])]}),
        ("d.py", {"keys": [key(0, "name of the file", "total")]}),
    ]
    found = calibration(rows)
    assert {name: one["n"] for name, one in found.items()} == {
        "all": 3, "nothing typed": 2, "letters typed": 1, "names": 1, "keywords": 2,
    }  # fmt: skip
    assert found["letters typed"]["interval"] == [None, None]
    assert calibration([])["all"]["n"] == 0
