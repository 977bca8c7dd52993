"""Trees of a grammar as the actions of their pre-order walk."""

from __future__ import annotations

from editahead.grammar.table import END, Grammar
from editahead.grammar.tree import Child, GrammarError, Node, Terminal, is_valid_text


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
