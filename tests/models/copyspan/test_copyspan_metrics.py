"""Metrics of rewritings, on outputs written by hand."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from editahead_models.copyspan.evaluate.metrics import (
    mean_of,
    of_beam,
    of_output,
    same_but_names,
    same_structure,
    span_figures,
    token_class,
)
from editahead_models.copyspan.network.batches import Pair

SOURCE, GOLD, OTHER = ("a", "(", ")"), ("b", "(", ")"), ("b", "(", "1", ")")
PAIR = Pair(SOURCE, GOLD)


def test_the_unchanged_input_is_skipped_for_the_accuracy_and_counts_for_ranks() -> None:
    found = of_beam(PAIR, [SOURCE, GOLD])
    assert (found["accuracy"], found["accuracy@20"], found["mrr"]) == (1.0, 1.0, 0.5)
    assert (found["exact"], found["input_rank"]) == (0.0, 1.0)


def test_a_beam_without_the_target_has_nothing_but_structure() -> None:
    found = of_beam(PAIR, [OTHER, ("c", "(", ")"), SOURCE])
    assert (found["accuracy"], found["accuracy@20"], found["mrr"], found["structural"]) == (0.0, 0.0, 0.0, 0.0)
    assert found["input_rank"] == pytest.approx(1 / 3)
    assert of_beam(PAIR, [("c", "(", ")")])["structural"] == 1.0
    assert of_beam(PAIR, [])["accuracy"] == 0.0


def test_only_the_first_outputs_count_for_the_accuracy_at_k() -> None:
    beam = [(str(number),) for number in range(5)]
    assert of_beam(Pair(SOURCE, ("4",)), beam, 4)["accuracy@4"] == 0.0
    assert of_beam(Pair(SOURCE, ("4",)), beam, 5)["accuracy@5"] == 1.0


def test_a_pair_that_stays_is_right_when_nothing_else_is_offered() -> None:
    stays = Pair(SOURCE, SOURCE)
    assert of_beam(stays, [SOURCE])["accuracy"] == 1.0
    assert of_beam(stays, [SOURCE, GOLD])["accuracy"] == 0.0
    assert of_beam(stays, [SOURCE, GOLD])["exact"] == 1.0


def test_a_greedy_output_is_its_only_answer() -> None:
    assert of_output(PAIR, GOLD)["accuracy"] == 1.0
    assert of_output(PAIR, SOURCE)["accuracy"] == 0.0
    assert of_output(PAIR, None)["structural"] == 0.0


@pytest.mark.parametrize(
    ("token", "expected"),
    [("VAR_1", "identifier"), ("if", "identifier"), (" x", " identifier"), ("12", "number"), ('"s', "string"),
     ("+=", "+="), ("\n+4", "\n+4")],
)  # fmt: skip
def test_classes_of_tokens(token: str, expected: str) -> None:
    assert token_class(token) == expected


def test_structure_is_looser_than_up_to_names() -> None:
    one = ("if", "(", "x", "+", "y", ")")
    for other, structure, names in (
        (("if", "(", "p", "+", "q", ")"), True, True),
        (("if", "(", "p", "+", "p", ")"), True, False),  # two names became one
        (("while", "(", "x", "+", "y", ")"), True, False),  # another keyword
        (("if", "(", "x", "-", "y", ")"), False, False),
        (("if", "(", "x", ")"), False, False),
    ):
        assert same_structure(one, other) is structure
        assert same_but_names(one, other) is names
    assert not same_but_names(("x", "x"), ("p", "q"))
    assert same_but_names((" x", "x"), (" p", "p"))
    assert not same_but_names(("x", " x"), (" p", "p"))


def test_statistics_of_spans() -> None:
    found = span_figures([[1, 4], [], [7]])
    assert (found["mean"], found["median"], found["single"], found["per_example"]) == (4.0, 4.0, 1 / 3, 1.0)
    assert span_figures([[], []])["per_example"] == 0.0
    assert span_figures([[1, 2]])["median"] == 1.5


def test_means_need_something() -> None:
    assert mean_of([{"a": 1.0}, {"a": 0.0}]) == {"a": 0.5}
    with pytest.raises(ValueError, match="no pairs"):
        mean_of([])
