"""Trees over a grammar, read from the actions of their pre-order walk, and trees that grow rule by rule.

An action is a rule of the table, or a terminal. The open nodes of a tree that grows are on a stack, the left-most on
top. A derivation is immutable: `step` and `fill` return a new derivation that shares the rest, so that a beam can
branch.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from editahead.grammar.table import END, Grammar, Production

_FLOAT = re.compile(r"(\d+\.\d*|\d*\.\d+|\d+)(e[+-]?\d+)?|inf")
_INT = re.compile(r"\d+|x[0-9a-f]+")

# kinds whose closed lists and copies are shared
BASE = {"free_name": "name", "text": "str", "spec": "str", "some_text": "str"}


def base_kind(kind: str) -> str:
    """The kind without additional constraints: `free_name` (not `_`) is a `name`."""
    return BASE.get(kind, kind)


def is_valid_text(kind: str, text: str) -> bool:
    """Whether a terminal of this kind may be this text. Unknown kinds take any."""
    if kind == "name":
        return text.isidentifier() and not keyword.iskeyword(text)
    if kind == "free_name":
        return text != "_" and is_valid_text("name", text)
    if kind == "dotted":
        return all(is_valid_text("name", part) for part in text.split("."))
    if kind == "int":
        return _INT.fullmatch(text) is not None
    if kind in ("float", "imag"):
        return _FLOAT.fullmatch(text) is not None
    if kind in ("text", "spec", "some_text"):
        return text != ""
    if kind == "bytes":
        return all(ord(character) < 256 for character in text)
    return True


class GrammarError(ValueError):
    """A tree that the grammar does not have, or actions that are no tree; a single line."""


class Node(NamedTuple):
    """A rule by name with its children in the order of its fields; a tuple of nodes is a list, a text a terminal."""

    rule: str
    children: tuple[Child, ...] = ()


Child = Node | str | tuple[Node, ...]


class Terminal(NamedTuple):
    """An action that fills a terminal, from a list or as a copy."""

    kind: str
    text: str


def read(grammar: Grammar, actions: Sequence[int | Terminal], start: str | None = None) -> Node:
    """The tree of actions. GrammarError when they are not a single tree."""
    reader = iter(actions)
    try:
        child = _read(grammar, grammar.tag_id[start] if start else 0, reader)
    except StopIteration:
        raise GrammarError("the actions end inside the tree") from None
    if next(reader, None) is not None:
        raise GrammarError("actions follow after the tree")
    if not isinstance(child, Node):
        raise GrammarError("the actions are no tree")
    return child


def _read(grammar: Grammar, tag: int, actions: Iterator[int | Terminal]) -> Child:
    kind = grammar.kinds[tag]
    action = next(actions)
    if kind is not None:
        if not isinstance(action, Terminal):
            raise GrammarError(f"a rule where a {kind} is expected")
        return action.text
    production = _production(grammar, tag, action)
    if production.follow is None and not _is_list(grammar, tag):
        return _read_rule(grammar, production, actions)
    elements: list[Node] = []
    while True:
        if grammar.rules[production.rule].name != END:
            elements.append(_read_rule(grammar, production, actions))
        if production.follow is None:
            return tuple(elements)
        production = _production(grammar, production.follow, next(actions))


def _read_rule(grammar: Grammar, production: Production, actions: Iterator[int | Terminal]) -> Node:
    rule = grammar.rules[production.rule].name
    return Node(rule, tuple([_read(grammar, tag, actions) for tag in production.children]))


def _production(grammar: Grammar, tag: int, action: int | Terminal) -> Production:
    production = grammar.productions[tag].get(action) if isinstance(action, int) else None
    if production is None:
        raise GrammarError(f"{action!r} where {grammar.tags[tag]} is expected")
    return production


def _is_list(grammar: Grammar, tag: int) -> bool:
    """Whether a tag takes several children: it has productions that leave it open, or its name ends in a list mark."""
    return any(p.follow is not None for p in grammar.productions[tag].values()) or (
        grammar.rule_id.get(END) in grammar.productions[tag]
    )


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


@dataclass(frozen=True, slots=True)
class Derivation:
    """`needed` is the fewest safe steps that close everything; `budget`, the remaining steps, is never less."""

    grammar: Grammar
    stack: _Stack | None
    steps: int
    needed: int
    budget: int

    @property
    def open_node(self) -> OpenNode | None:
        """The left-most open node; None when the tree is complete."""
        return self.stack.top if self.stack else None

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
        return Derivation(grammar, rest, self.steps + 1, needed, self.budget - 1)

    def fill(self) -> Derivation:
        """The derivation after a whole terminal, in a single step."""
        assert self.stack is not None
        needed = self.needed - self.grammar.costs[self.stack.top.tag]
        return Derivation(self.grammar, self.stack.rest, self.steps + 1, needed, self.budget - 1)


def begin(grammar: Grammar, budget: int, start: str | None = None) -> Derivation:
    """An empty derivation. ValueError when the budget closes no tree."""
    tag = grammar.tag_id[start] if start else 0
    if budget < grammar.costs[tag]:
        raise ValueError(f"a budget of {budget} steps, but {grammar.costs[tag]} are needed")
    return Derivation(grammar, _Stack(OpenNode(tag, 0, "root", 0), None), 0, grammar.costs[tag], budget)
