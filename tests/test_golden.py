"""The tool that compares the server's answers before and after a change of structure."""

from __future__ import annotations

from tests.golden.__main__ import differences, rounded


def test_figures_are_compared_to_three_decimals() -> None:
    assert rounded({"p": 0.12345, "items": [0.99951], "command": "x"}) == {"p": 0.123, "items": [1.0]}


def test_an_answer_that_changed_is_named_and_so_is_one_that_is_gone_or_new() -> None:
    before = {"same": 1, "changed": None, "gone": 3}
    assert differences(before, {"same": 1, "changed": [], "new": None}) == ["changed", "gone", "new"]
