"""A tree that grows rule by rule: the rules that may come next, and the steps required to close all open nodes.

The open nodes are on a stack, the left-most on top. A derivation is immutable: `step` and `fill` return a new
derivation that shares the rest, so that a beam can branch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from editahead.grammar.table import Grammar
from editahead.grammar.tree import Terminal


class OpenNode(NamedTuple):
    """An open node: its tag, the number of the step whose rule opened it, that rule's field, its depth in rules."""

    tag: int
    parent: int
    field: str
    depth: int


class DerivationStep(NamedTuple):
    """A step of a derivation, and the node that it expanded."""

    action: int | Terminal
    open_node: OpenNode


class _Stack(NamedTuple):
    top: OpenNode
    rest: _Stack | None


class _History(NamedTuple):
    last: DerivationStep
    rest: _History | None


@dataclass(frozen=True, slots=True)
class Derivation:
    """`needed` is the fewest safe steps that close everything; `budget`, the remaining steps, is never less."""

    grammar: Grammar
    stack: _Stack | None
    applied: _History | None
    steps: int
    needed: int
    budget: int

    @property
    def open_node(self) -> OpenNode | None:
        """The left-most open node; None when the tree is complete."""
        return self.stack.top if self.stack else None

    def history(self) -> list[DerivationStep]:
        """The steps so far, in order."""
        row, node = [], self.applied
        while node is not None:
            row.append(node.last)
            node = node.rest
        return row[::-1]

    def rules(self) -> list[int]:
        """Rules that may expand the open node: safe rules after which the budget suffices. Empty at a terminal."""
        node = self.open_node
        if node is None:
            return []
        spare = self.budget - self.needed
        costs = self.grammar.costs
        allowed = []
        for production in self.grammar.productions[node.tag].values():
            if production.safe:
                after = 1 + sum(costs[child] for child in production.children)
                after += costs[production.follow] if production.follow is not None else 0
                if after - costs[node.tag] <= spare:
                    allowed.append(production.rule)
        return allowed

    def step(self, rule: int) -> Derivation:
        """The derivation after a rule of the table. KeyError when the open node does not accept it."""
        stack, grammar = self.stack, self.grammar
        assert stack is not None
        node = stack.top
        production = grammar.productions[node.tag][rule]
        rest = stack.rest
        needed = self.needed - grammar.costs[node.tag]
        if production.follow is not None:
            rest = _Stack(node._replace(tag=production.follow), rest)
            needed += grammar.costs[production.follow]
        fields = grammar.rules[rule].fields
        for tag, (field, _) in zip(reversed(production.children), reversed(fields), strict=True):
            rest = _Stack(OpenNode(tag, self.steps, field, node.depth + 1), rest)
            needed += grammar.costs[tag]
        applied = _History(DerivationStep(rule, node), self.applied)
        return Derivation(grammar, rest, applied, self.steps + 1, needed, self.budget - 1)

    def fill(self, text: str) -> Derivation:
        """The derivation after a whole terminal, in a single step."""
        node = self.open_node
        assert node is not None
        assert self.stack is not None
        action = Terminal(self.grammar.kinds[node.tag] or "", text)
        needed = self.needed - self.grammar.costs[node.tag]
        applied = _History(DerivationStep(action, node), self.applied)
        return Derivation(self.grammar, self.stack.rest, applied, self.steps + 1, needed, self.budget - 1)


def begin(grammar: Grammar, budget: int, start: str | None = None) -> Derivation:
    """An empty derivation. ValueError when the budget closes no tree."""
    tag = grammar.tag_id[start] if start else 0
    if budget < grammar.costs[tag]:
        raise ValueError(f"a budget of {budget} steps, but {grammar.costs[tag]} are needed")
    return Derivation(grammar, _Stack(OpenNode(tag, 0, "root", 0), None), None, 0, grammar.costs[tag], budget)
