"""Trees over a grammar, read from the actions of their pre-order walk: a rule of the table, or a terminal."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
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
