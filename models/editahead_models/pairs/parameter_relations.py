"""Parameters and return types that tie two hunks."""

from __future__ import annotations

from collections.abc import Iterator

from editahead_models.pairs.contexts import HeadChange
from editahead_models.pairs.pair import Pair


def parameter_field(pair: Pair) -> bool:
    """Whether a constructor parameter comes or goes, and its field with the later edit."""
    fields = {name for name, one in pair.later.declared.items() if one.kind == "field"}
    gone = {name for name, one in pair.later.undeclared.items() if one.kind == "field"}
    heads = [head for head in pair.first.context.heads if head.constructs] if pair.same_file else []
    return any(
        _without_signs(head.added) & _without_signs(fields) or _without_signs(head.removed) & _without_signs(gone)
        for head in heads
    )


def _without_signs(names: set[str] | frozenset[str]) -> set[str]:
    return {name.strip("_") for name in names}


def parameter_override(pair: Pair) -> bool:
    """Whether the same parameter of two functions of one name changes."""
    return any(one.name == other.name and _alike(one, other) for one, other in _heads(pair))


def parameter_elsewhere(pair: Pair) -> bool:
    """Whether the same parameter of two functions of other names changes."""
    return any(one.name != other.name and _alike(one, other) for one, other in _heads(pair))


def _heads(pair: Pair) -> Iterator[tuple[HeadChange, HeadChange]]:
    return ((one, other) for one in pair.first.context.heads for other in pair.later.context.heads)


def _alike(one: HeadChange, other: HeadChange) -> bool:
    return bool(one.added & other.added or one.removed & other.removed or (one.moved and other.moved))


def parameter_call(pair: Pair) -> bool:
    """Whether parameters change, and then arguments of a call."""
    return any(head.called & pair.later.context.calls for head in pair.first.context.heads)


def parameter_use(pair: Pair) -> bool:
    """Whether a parameter comes or goes, and then its use in the body."""
    return pair.same_file and any(
        head.name in pair.later.context.functions
        and (head.added & pair.later.used.keys() or head.removed & pair.later.unused.keys())
        for head in pair.first.context.heads
    )


def parameter_doc(pair: Pair) -> bool:
    """Whether a parameter comes or goes, and then a text of the file that names it."""
    return pair.same_file and any((head.added | head.removed) & pair.later.prose for head in pair.first.context.heads)


def return_type(pair: Pair) -> bool:
    """Whether the return type of a function changes, and what it returns."""
    one, other = pair.first.context, pair.later.context
    results = one.before.results | one.after.results, other.before.results | other.after.results
    returns = one.before.returns | one.after.returns, other.before.returns | other.after.returns
    return bool(results[0] & (returns[1] | results[1]) or results[1] & returns[0])
