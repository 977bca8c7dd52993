"""The expression before a dot as the resolver reads one: names, members and calls, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.analysis.resolver.facts import Receiver
from editahead.syntax.scope_table import ScopeTable

_SIGNS = frozenset((".", "->", "?.", "::"))
_CLOSER = {"(": ")", "<": ">"}


def receiver_expression(text: str, start: int, table: ScopeTable) -> Receiver | None:
    """The expression of some tokens that stand apart by blanks; None where it has another form.

    `start`: the byte at which its names are looked up, in the coordinates of the facts.
    """
    words = text.split()
    creates = words[:1] == ["new"]
    words = words[creates:]
    if not words:
        return None
    first, at = words[0], 1
    if first in table.classes.this_nodes or first in ("this", "super"):
        made = Receiver("this" if first != "super" else "super", first, start)
    elif first.isidentifier():
        made = Receiver("name", first, start)
    else:
        return None
    while at < len(words):
        word = words[at]
        if word in _SIGNS and at + 1 < len(words) and words[at + 1].isidentifier():
            made = Receiver("attribute", words[at + 1], start, made)
            at += 2
        elif word in _CLOSER:
            end = _closing(words, at)
            if end < 0:
                return None
            made, at = (_called(made, table, created=creates) if word == "(" else made), end + 1
            creates = creates and word != "("
        else:
            return None
    return made


def _called(callee: Receiver, table: ScopeTable, *, created: bool) -> Receiver:
    """The call of an expression; of a bare name, in languages without functions of a module, that of a method."""
    if callee.kind == "name" and table.method_calls and not created:
        callee = Receiver("attribute", callee.name, callee.start, Receiver("this"))
    if callee.kind == "attribute" and callee.name in table.types.factories and callee.base is not None:
        return callee.base  # `A::new()`
    return Receiver("call", base=callee)


def _closing(words: Sequence[str], at: int) -> int:
    """The number of the word that closes a bracket; -1 where none does."""
    opening, depth = words[at], 0
    for number in range(at, len(words)):
        depth += (words[number] == opening) - (words[number] == _CLOSER[opening])
        if depth == 0:
            return number
    return -1
