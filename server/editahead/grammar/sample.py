"""Random trees of a grammar: what an untrained model would write at worst."""

from __future__ import annotations

import random

from editahead.grammar.derivation import Derivation, begin
from editahead.grammar.table import Grammar
from editahead.grammar.terminals import STOP
from editahead.grammar.tree import Node, read


def random_tree(grammar: Grammar, rng: random.Random, budget: int = 200, start: str | None = None) -> Node:
    """A random tree of at most `budget` steps, letters of spelled terminals counted."""
    state = begin(grammar, budget, start)
    while state.open_node is not None:
        rules = state.rules()
        state = state.step(rng.choice(rules)) if rules else state.spell(_symbol(state, rng))
    return read(grammar, [step.action for step in state.history()], start)


def _symbol(state: Derivation, rng: random.Random) -> int:
    symbols = state.symbols()
    return STOP if STOP in symbols and rng.random() < 0.3 else rng.choice(symbols)
