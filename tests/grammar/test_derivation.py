"""Trees that grow rule by rule, and the texts that terminals take."""

from __future__ import annotations

import random

import pytest
from editahead.grammar.table import Grammar, Rule, from_json
from editahead.grammar.tree import Node, Terminal, begin, is_valid_text, read
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.grammar.states import grammar_of
from editahead_models.treegen.grammar.write import write
from hypothesis import given
from hypothesis import strategies as st


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
    state = begin(sums, 20).step(sums.rule_id["sum"])
    assert (state.open_node.field, state.open_node.parent, state.open_node.depth) == ("left", 0, 1)
    state = state.step(sums.rule_id["leaf"]).fill("a")
    assert (state.open_node.field, state.open_node.parent) == ("right", 0)
    state = state.step(sums.rule_id["row"])
    assert (state.open_node.field, state.open_node.parent, state.open_node.depth) == ("elements", 3, 2)
    state = state.step(sums.rule_id["leaf"]).fill("b").step(sums.rule_id["End"])
    assert state.open_node is None
    tree = read(sums, [step.action for step in state.history()])
    assert tree == Node("sum", (Node("leaf", ("a",)), Node("row", ((Node("leaf", ("b",)),),))))
    assert [step.open_node.parent for step in state.history()] == [0, 0, 1, 0, 3, 4, 3]


def test_a_low_budget_leaves_only_what_closes(sums: Grammar) -> None:
    names = [sums.rules[rule].name for rule in begin(sums, 2).rules()]
    assert names == ["row"]  # and its End
    with pytest.raises(ValueError, match="a budget of 1 steps, but 2 are needed"):
        begin(sums, 1)


def test_branches_do_not_disturb_each_other(sums: Grammar) -> None:
    state = begin(sums, 30).step(sums.rule_id["sum"])
    left, right = state.step(sums.rule_id["leaf"]), state.step(sums.rule_id["row"])
    assert len(state.history()) == 1
    assert [s.action for s in left.history()] != [s.action for s in right.history()]


@given(st.integers(0, 10**6), st.integers(3, 60))
def test_every_derivation_ends_within_its_budget(seed: int, budget: int) -> None:
    grammar, rng = python_grammar(), random.Random(seed)
    state = begin(grammar, budget)
    while (node := state.open_node) is not None:
        kind = grammar.kinds[node.tag]
        if kind is None:
            assert state.rules()
            state = state.step(rng.choice(state.rules()))
        else:
            state = state.fill("x")
        assert state.needed <= state.budget
    assert len(state.history()) <= budget
    read(grammar, [step.action for step in state.history()])


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
