"""Trees over a grammar, read from the actions of their pre-order walk: a rule of the table, or a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.grammar.table import END, Grammar, Production


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
    """The tree of actions. GrammarError when they are not exactly one tree."""
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
