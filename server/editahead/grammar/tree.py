"""Trees over a grammar, written as the sequence of rules of their pre-order walk, and read back.

An action is a number: a rule of the table, or, from `len(grammar.rules)` on, a symbol of a spelled terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.grammar.table import END, Grammar, Production
from editahead.grammar.terminals import STOP, is_valid_text, spell, unspell


class GrammarError(ValueError):
    """A tree that the grammar does not have, or actions that are no tree; a single line."""


class Node(NamedTuple):
    """A rule by name with its children in the order of its fields; a tuple of nodes is a list, a text a terminal."""

    rule: str
    children: tuple[Child, ...] = ()


Child = Node | str | tuple[Node, ...]


class Terminal(NamedTuple):
    """An action that fills a terminal at once, before the method is chosen: from a list, as a copy, or spelled."""

    kind: str
    text: str


def write(grammar: Grammar, root: Node, start: str | None = None, safe: bool = False) -> list[int | Terminal]:
    """The actions of a tree, pre-order. GrammarError when the grammar lacks it, or lacks it among what is `safe`."""
    actions: list[int | Terminal] = []
    _write(grammar, grammar.tag_id[start] if start else 0, root, safe, actions)
    return actions


def _write(grammar: Grammar, tag: int, child: Child, safe: bool, actions: list[int | Terminal]) -> None:
    kind = grammar.kinds[tag]
    if kind is not None:
        if not isinstance(child, str) or not is_valid_text(kind, child):
            raise GrammarError(f"{child!r} is no {kind}")
        actions.append(Terminal(kind, child))
    elif isinstance(child, Node):
        after = _write_rule(grammar, tag, child, safe, actions)
        if after is not None:
            raise GrammarError(f"{child.rule} does not close {grammar.tags[tag]}")
    elif isinstance(child, tuple):
        state: int | None = tag
        for element in child:
            if state is None:
                raise GrammarError(f"{element.rule} after the last of {grammar.tags[tag]}")
            state = _write_rule(grammar, state, element, safe, actions)
        if state is not None:
            _write_rule(grammar, state, Node(END), safe, actions)
    else:
        raise GrammarError(f"{child!r} where {grammar.tags[tag]} is expected")


def _write_rule(grammar: Grammar, tag: int, node: Node, safe: bool, actions: list[int | Terminal]) -> int | None:
    production = grammar.productions[tag].get(grammar.rule_id.get(node.rule, -1))
    if production is None or (safe and not production.safe):
        raise GrammarError(f"{node.rule} where {grammar.tags[tag]} is expected")
    actions.append(production.rule)
    for child_tag, child in zip(production.children, node.children, strict=True):
        _write(grammar, child_tag, child, safe, actions)
    return production.follow


def spell_out(grammar: Grammar, actions: Sequence[int | Terminal]) -> list[int]:
    """The actions with every terminal spelled: numbers below `len(grammar.rules) + SYMBOLS`."""
    first = len(grammar.rules)
    row: list[int] = []
    for action in actions:
        if isinstance(action, int):
            row.append(action)
        else:
            row += [first + symbol for symbol in spell(action.text)]
    return row


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
    if kind is not None:
        return _read_terminal(grammar, kind, actions)
    production = _production(grammar, tag, next(actions))
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


def _read_terminal(grammar: Grammar, kind: str, actions: Iterator[int | Terminal]) -> str:
    action = next(actions)
    if isinstance(action, Terminal):
        return action.text
    first = len(grammar.rules)
    symbols: list[int] = []
    while action != first + STOP:
        if not isinstance(action, int) or action < first:
            raise GrammarError(f"a rule inside the spelling of a {kind}")
        symbols.append(action - first)
        action = next(actions)
    text = unspell(symbols)
    if not is_valid_text(kind, text):
        raise GrammarError(f"{text!r} is no {kind}")
    return text


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
