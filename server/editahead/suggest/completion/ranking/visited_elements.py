"""The parameter of a function on the cursor's line that a method calls with each element: `all.map((one) => one.`."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.resolver.facts import Receiver
from editahead.suggest.completion.ranking.receiver_expression import receiver_expression
from editahead.suggest.completion.receiver_types.receiver_text import receiver_text
from editahead.syntax.construct_tables import ELEMENT
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.tokens import Line

_ARROWS = frozenset(("=>", "->", "|"))


def with_elements(receiver: Receiver, lines: Sequence[Line], dots: Sequence[str], table: ScopeTable) -> Receiver:
    """A receiver whose first name is such a parameter, with the element in its place; any other one as it is."""
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
        method = at - 2 - (words[at - 2] == "(" or words[at - 1] == "|")
        if not is_parameter or method < 1 or words[method + 1] != "(" or words[method] not in table.layers.visiting:
            continue
        text = receiver_text([*lines[:-1], line[:method]], dots)
        through = receiver_expression(text, named.start, table) if text else None
        return Receiver("step", ELEMENT, base=through) if through is not None else None
    return None
