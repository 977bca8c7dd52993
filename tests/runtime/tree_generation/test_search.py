"""Beam search over programs, with a model that is a table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from editahead.encode.tree_generation.steps import Description, Vocabulary
from editahead.grammar.table import END, Grammar, Rule
from editahead.runtime.ort import Cancel, Cancelled
from editahead.runtime.tree_generation.search import Floats, StepQueries, TreeSearchOptions, search_all
from editahead_models.treegen.grammar.states import grammar_of

WORD = Description(("x",), ({"atom": "x"},))


def rows() -> Grammar:
    """A program is a row of one or more atoms."""
    rules = [
        Rule("row", "term", (("parts", "part+"),)),
        Rule("part", "part", (("text", "@atom"),)),
        Rule(END, "list", ()),
    ]
    return grammar_of("rows", "1", rules, {
        "term": [("row", None, True, {})],
        "part+": [("part", "part*", True, {})],
        "part*": [(END, None, True, {}), ("part", "part*", True, {})],
    })  # fmt: skip


class Rows:
    """A scorer: rows end with `length` parts, and with probability `early` after each one before."""

    def __init__(self, vocabulary: Vocabulary, length: int, early: float) -> None:
        self.grammar, self.length, self.early = vocabulary.grammar, length, early
        self.ids = {rule.name: number for number, rule in enumerate(vocabulary.grammar.rules)}
        self.asked = 0

    def step(self, asked: StepQueries) -> tuple[Floats, Floats]:
        self.asked += len(asked.tags)
        class_RC = np.full((len(asked.tags), len(self.ids)), -math.inf)
        for ray, (tag, nth) in enumerate(asked.tags):
            name = self.grammar.tags[tag]
            if name == "part*":
                end = 1.0 if nth >= self.length else self.early
                class_RC[ray, self.ids[END]] = math.log(end)
                class_RC[ray, self.ids["part"]] = math.log(1 - end) if end < 1 else -1e9
            else:
                class_RC[ray, self.ids["row" if name == "term" else "part"]] = 0.0
        return class_RC, np.zeros((len(asked.tags), 1))


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary(rows(), (), ("x",), ("x",), ())


def lengths(vocabulary: Vocabulary, scorer: Rows, how: TreeSearchOptions) -> list[int]:
    (found,) = search_all(scorer, vocabulary, [WORD], how)
    return [one.steps // 2 - 1 for one in found]


@pytest.mark.parametrize("power", [0.0, 0.6])
@pytest.mark.parametrize("beam", [1, 2, 5])
def test_a_likely_long_program_is_found_although_many_short_ones_end_before(
    vocabulary: Vocabulary, beam: int, power: float
) -> None:
    """With 0.8 ** 5 = 0.33 the row of six is likelier than any that ends early: those have 0.2, 0.16 and less."""
    scorer = Rows(vocabulary, 6, 0.2)
    assert lengths(vocabulary, scorer, TreeSearchOptions(beam, power, budget=60))[0] == 6


def test_the_sums_are_those_of_the_table(vocabulary: Vocabulary) -> None:
    (found,) = search_all(Rows(vocabulary, 3, 0.2), vocabulary, [WORD], TreeSearchOptions(3, 0.0, budget=60))
    assert [math.exp(one.logp) for one in found] == pytest.approx([0.64, 0.2, 0.16])
    assert [one.logp for one in found] == [one.score for one in found]


def test_it_ends_as_soon_as_nothing_better_can_come(vocabulary: Vocabulary) -> None:
    """Rows of forty are possible, but after a few steps they are less likely than what has ended."""
    scorer = Rows(vocabulary, 40, 0.9)
    assert lengths(vocabulary, scorer, TreeSearchOptions(2, 0.0, budget=200)) == [1, 2]
    assert scorer.asked < 12


def test_a_budget_and_a_floor_hold(vocabulary: Vocabulary) -> None:
    assert max(lengths(vocabulary, Rows(vocabulary, 40, 0.01), TreeSearchOptions(3, budget=20))) <= 9
    assert lengths(vocabulary, Rows(vocabulary, 6, 0.2), TreeSearchOptions(5, 0.0, least=math.log(0.17))) == [6, 1]


def test_it_can_be_cancelled_and_runs_out_of_calls(vocabulary: Vocabulary) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        search_all(Rows(vocabulary, 6, 0.2), vocabulary, [WORD], cancel=cancel)
    (found,) = search_all(Rows(vocabulary, 6, 0.2), vocabulary, [WORD], TreeSearchOptions(2, calls=4))
    assert [one.steps for one in found] == [4]
