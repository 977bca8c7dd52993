"""Closed list rules: every list of children that training has is one rule, as in the published grammar of cards.

`stmt*=[Expr, Return]` opens one place an element, and each place has the one rule of its class. Rules that training has
not are no part of the grammar, so a program with another list cannot be written: that is their ceiling. Source: Sun et
al., AAAI 2020, section 5, and the rules of the published run.
"""

from __future__ import annotations

from collections.abc import Iterable

from editahead.grammar.table import Grammar, Production, Rule
from editahead.grammar.tree import Child, GrammarError, Node

from editahead_models.treegen.grammar.states import grammar_of

_MARK = "=["  # in the name of a list rule, and of no other


def closed_grammar(grammar: Grammar, trees: Iterable[Node]) -> Grammar:
    """The grammar of the lists and rules of some trees of `grammar`. GrammarError for a tree that it lacks."""
    seen = _Seen(grammar)
    for tree in trees:
        seen.closed(0, tree)
    states: dict[str, list[tuple[str, str | None, bool, dict[str, str]]]] = {
        tag: [(name, None, True, dict(zip((field for field, _ in seen.rules[name].fields), children, strict=True)))
              for name, children in found.items()]
        for tag, found in seen.states.items()
    }  # fmt: skip
    return grammar_of(grammar.language, grammar.version, seen.rules.values(), states)


def close_lists(grammar: Grammar, tree: Node) -> Node:
    """A tree of `grammar` with a rule for every list. GrammarError for a tree that it lacks."""
    closed = _Seen(grammar).closed(0, tree)
    assert isinstance(closed, Node)
    return closed


def open_lists(tree: Node) -> Node:
    """The tree whose lists were closed; a tree without closed lists as it is."""
    return Node(tree.rule, tuple(_opened(child) for child in tree.children))


def _opened(child: Child) -> Child:
    if not isinstance(child, Node):
        return child if isinstance(child, str) else tuple(open_lists(element) for element in child)
    opened = open_lists(child)
    return tuple(one for one in opened.children if isinstance(one, Node)) if _MARK in child.rule else opened


class _Seen:
    """The rules that trees have, by the tag of their place: name and tags of the children."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self.rules: dict[str, Rule] = {}
        self.states: dict[str, dict[str, tuple[str, ...]]] = {}

    def closed(self, tag: int, child: Child) -> Child:
        """A child with its lists closed; what it has is kept."""
        if isinstance(child, str):
            return child
        if isinstance(child, Node):
            return self._rule(tag, child, self._grammar.tags[tag])
        name = f"{self._grammar.tags[tag]}{_MARK}{', '.join(element.rule for element in child)}]"
        places, state = list[tuple[int, str]](), tag
        for element in child:
            places.append((state, f"{self._grammar.tags[state]}/{element.rule}"))
            follow = self._production(state, element).follow
            state = tag if follow is None else follow  # only the last element may have none
        tags = tuple(place for _, place in places)
        rule = Rule(name, self._grammar.tags[tag], tuple((str(at), place) for at, place in enumerate(tags)))
        self._keep(self._grammar.tags[tag], rule, tags)
        pairs = zip(places, child, strict=True)
        return Node(name, tuple(self._rule(state, element, place) for (state, place), element in pairs))

    def _rule(self, tag: int, node: Node, place: str) -> Node:
        production = self._production(tag, node)
        children = tuple(self._grammar.tags[child] for child in production.children)
        self._keep(place, self._grammar.rules[production.rule], children)
        pairs = zip(production.children, node.children, strict=True)
        return Node(node.rule, tuple(self.closed(tag, child) for tag, child in pairs))

    def _production(self, tag: int, node: Node) -> Production:
        production = self._grammar.productions[tag].get(self._grammar.rule_id.get(node.rule, -1))
        if production is None:
            raise GrammarError(f"{node.rule} where {self._grammar.tags[tag]} is asked for")
        return production

    def _keep(self, place: str, rule: Rule, children: tuple[str, ...]) -> None:
        self.rules[rule.name] = rule
        self.states.setdefault(place, {})[rule.name] = children
