"""Random trees of a grammar: what an untrained model would write at worst."""

from __future__ import annotations

import random

from editahead.grammar.table import Grammar
from editahead.grammar.tree import DerivationStep, Node, Terminal, begin, read

_TEXTS = {
    "name": ["a", "b1", "_", "__x", "é"],
    "free_name": ["a", "b1", "__x"],
    "dotted": ["a", "a.b", "a.b1.c"],
    "int": ["0", "7", "12345678901234567890", "xff"],
    "float": ["0.5", "1e300", "2e-9", "inf", "3."],
    "imag": ["1.5", "2e3"],
    "str": ["", "a", "'\"", "\\n\n\0", "ü€😀"],
    "text": ["a", "{}", "'\"", "\\n"],
    "spec": [">10", "<", ".2f"],
    "bytes": ["", "a", "\xff\0"],
}


def random_tree(grammar: Grammar, rng: random.Random, budget: int = 200, start: str | None = None) -> Node:
    """A random tree of at most `budget` steps."""
    return read(grammar, [step.action for step in random_steps(grammar, rng, budget, start)], start)


def random_steps(grammar: Grammar, rng: random.Random, budget: int, start: str | None = None) -> list[DerivationStep]:
    """The steps of a random tree, of which there are at most `budget`."""
    state, steps = begin(grammar, budget, start), list[DerivationStep]()
    while (node := state.open_node) is not None:
        kind = grammar.kinds[node.tag]
        if kind is None:
            assert state.rules()
            rule = rng.choice(state.rules())
            state, action = state.step(rule), rule
        else:
            state, action = state.fill(), Terminal(kind, rng.choice(_TEXTS[kind]))
        assert state.needed <= state.budget
        steps.append(DerivationStep(action, node))
    return steps
