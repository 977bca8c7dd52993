"""Trees that grow rule by rule, and the texts that terminals take."""

from __future__ import annotations

import random

import pytest
from editahead.grammar.table import Grammar, Rule, from_json
from editahead.grammar.tree import Node, OpenNode, Terminal, begin, is_valid_text, read
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.grammar.states import grammar_of
from editahead_models.treegen.grammar.write import write
from hypothesis import given
from hypothesis import strategies as st

from tests.grammar.random_trees import random_steps


@pytest.fixture(scope="module")
def sums() -> Grammar:
    """`e -> sum(e, e) | leaf(@name) | row(e*)`."""
    rules = [
        Rule("sum", "e", (("left", "e"), ("right", "e"))),
        Rule("leaf", "e", (("name", "@name"),)),
        Rule("row", "e", (("elements", "e*"),)),
        Rule("End", "list", ()),
    ]
    one = [(name, None, True, {}) for name in ("sum", "leaf", "row")]
    many = [("End", None, True, {}), *((name, "e*", True, {}) for name, *_ in one)]
    return grammar_of("sums", "1", rules, {"e": one, "e*": many})


def test_places_know_who_opened_them(sums: Grammar) -> None:
    names = ("sum", "leaf", "a", "row", "leaf", "b", "End")
    actions = [sums.rule_id.get(name, Terminal("name", name)) for name in names]
    state, nodes = begin(sums, 20), list[OpenNode]()
    for action in actions:
        nodes.append(state.open_node)
        state = state.step(action) if isinstance(action, int) else state.fill()
    assert state.open_node is None
    assert [node.parent for node in nodes] == [0, 0, 1, 0, 3, 4, 3]
    places = [(nodes[number].field, nodes[number].depth) for number in (1, 3, 4)]
    assert places == [("left", 1), ("right", 1), ("elements", 2)]
    assert read(sums, actions) == Node("sum", (Node("leaf", ("a",)), Node("row", ((Node("leaf", ("b",)),),))))


def test_a_low_budget_leaves_only_what_closes(sums: Grammar) -> None:
    names = [sums.rules[rule].name for rule in begin(sums, 2).rules()]
    assert names == ["row"]  # and its End
    with pytest.raises(ValueError, match="a budget of 1 steps, but 2 are needed"):
        begin(sums, 1)


def test_branches_do_not_disturb_each_other(sums: Grammar) -> None:
    state = begin(sums, 30).step(sums.rule_id["sum"])
    left, right = state.step(sums.rule_id["leaf"]), state.step(sums.rule_id["row"])
    assert (state.steps, left.steps, right.steps) == (1, 2, 2)
    assert [branch.open_node.field for branch in (state, left, right)] == ["left", "name", "elements"]


@given(st.integers(0, 10**6), st.integers(3, 60))
def test_every_derivation_ends_within_its_budget(seed: int, budget: int) -> None:
    grammar = python_grammar()
    steps = random_steps(grammar, random.Random(seed), budget)
    assert len(steps) <= budget
    read(grammar, [step.action for step in steps])


def test_keywords_are_no_names() -> None:
    assert is_valid_text("name", "passe")
    assert not is_valid_text("name", "pass")
    assert not is_valid_text("name", "None")
    assert not is_valid_text("free_name", "_")
    assert not is_valid_text("dotted", "a..b")


def test_a_terminal_is_one_step(sums: Grammar) -> None:
    assert write(sums, Node("leaf", ("a",))) == [sums.rule_id["leaf"], Terminal("name", "a")]


def test_a_table_that_is_none_is_refused_in_one_line() -> None:
    for text in ("", "{}", '{"format": 9}', '{"format": 1, "rules": 3}'):
        with pytest.raises(ValueError, match="not a grammar table") as caught:
            from_json(text)
        assert "\n" not in str(caught.value)
