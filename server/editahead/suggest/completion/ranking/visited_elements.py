"""The parameter of a function on the cursor's line that a method calls with each element: `all.map((item) => item.`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from editahead.analysis.facts.facts import Receiver
from editahead.suggest.completion.ranking.receiver_expression import receiver_expression
from editahead.suggest.completion.receiver_types.receiver_text import receiver_text
from editahead.syntax.construct_tables import ELEMENT
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.tokens import Line

_ARROWS = frozenset(("=>", "->", "|"))


def with_elements(receiver: Receiver, lines: Sequence[Line], dots: Sequence[str], table: ScopeTable) -> Receiver:
    """A receiver whose first name is such a parameter, with the element instead; any other receiver unchanged."""
    if receiver.kind == "name":
        return _element(receiver, lines, dots, table) or receiver
    if receiver.base is None or receiver.kind not in ("attribute", "call", "step"):
        return receiver
    return receiver._replace(base=with_elements(receiver.base, lines, dots, table))


def _element(named: Receiver, lines: Sequence[Line], dots: Sequence[str], table: ScopeTable) -> Receiver | None:
    line = lines[-1] if lines and table.layers.visiting else ()
    words = [token.text for token in line]
    for at in range(len(words) - 2, 2, -1):
        if words[at] != named.name:
            continue
        arrow = at + 1 + (words[at + 1] == ")")
        is_parameter = arrow < len(words) and words[arrow] in _ARROWS
        opening = at - 1 - (words[at - 2] in ("(", "async") or words[at - 1] == "|")
        opening -= words[opening] == "async"
        method = opening - 1
        is_visited = is_parameter and method > 0 and words[opening] == "(" and words[method] in table.layers.visiting
        if not is_visited or not _is_open(words[opening:]):
            continue
        text = receiver_text([*lines[:-1], line[:method]], dots)
        through = receiver_expression(text, named.start, table) if text else None
        return Receiver("step", ELEMENT, base=through) if through is not None else None
    return None


def _is_open(words: Sequence[str]) -> bool:
    """Whether the bracket that some words begin with is not closed in them."""
    depths = accumulate((word == "(") - (word == ")") for word in words)
    return all(depth > 0 for depth in depths)
