"""How the tables of a language are written: lists of words in a text, grouped by what holds for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from editahead.syntax.scope_table import EdgeKey, ScopeKind

_Value = TypeVar("_Value")


def words(text: str) -> frozenset[str]:
    """The words of a text that blanks separate."""
    return frozenset(text.split())


def by_word(groups: Mapping[_Value, str]) -> dict[str, _Value]:
    """A table that gives each word of a text the value in front of that text."""
    return {word: value for value, text in groups.items() for word in text.split()}


def scopes_of(groups: Mapping[ScopeKind, str]) -> dict[str | tuple[str, str], ScopeKind]:
    """The scopes of a table, by their kind: `node`, or `parent/node`."""
    scopes: dict[str | tuple[str, str], ScopeKind] = {}
    for written, kind in by_word(groups).items():
        parent, _, node = written.rpartition("/")
        scopes[(parent, node) if parent else node] = kind
    return scopes


def edges_of(groups: Mapping[_Value, str]) -> dict[EdgeKey, _Value]:
    """What names do by the edge above them: `node`, `node.field`, `node>child` or `node.field>child`."""
    return {_edge_key(written): value for written, value in by_word(groups).items()}


def _edge_key(written: str) -> EdgeKey:
    node, behind = re.split(r"\.|(?=>)", written + ".", maxsplit=1)
    return node, behind.rstrip(".") or None
