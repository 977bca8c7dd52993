"""The objects of members: an edit of a member is repeated on the objects on which the user made it.

`cart.add` that became `cart.push` says nothing of `store.add`, unless both are of one class; two different objects show
that more is meant.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import IntEnum
from typing import NamedTuple

from editahead.analysis.resolver.literal_members import class_with_bases
from editahead.analysis.resolver.outer_types import outer_type
from editahead.analysis.resolver.resolver import Resolver
from editahead.patterns.pattern import is_word
from editahead.patterns.token_stream import token_stream
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action

_SIGNS = frozenset({".", "->", "::"})
_BEHIND_NAME = frozenset({"?", "!"})  # of `a?.b`
_CLOSED = {")": "(", "]": "[", "}": "{"}
_LINES_ABOVE = 3  # in which the object of a chain of calls stands


class MemberObject(NamedTuple):
    """What stands before a member: its last name, and its class where the file tells it."""

    name: str
    owner: Hashable | None


class Likeness(IntEnum):
    """How like the objects of the examples one is."""

    OTHER = 0
    UNKNOWN = 1
    SAME = 2


def object_at(document: Document, byte: int, names: Resolver | None = None) -> MemberObject | None:
    """The object of the member whose name begins at a byte; None where no member does.

    Without `names` its class is left out.
    """
    buffer = document.syntax.buffer
    line = buffer.line_at(byte)
    tokens = token_stream(buffer, line - _LINES_ABOVE, line + 1)
    at = next((at for at, start in enumerate(tokens.starts) if start == byte and tokens.raw(at)), 0)
    name = _object_before(tokens.texts, at)
    if name is None:
        return None
    return MemberObject(name, _class_of(document.uri, names, byte, tokens.texts[at]) if names is not None else None)


def likeness(place: MemberObject, examples: Sequence[MemberObject]) -> Likeness:
    """How like the objects of the examples the one of a place is."""
    owners = {example.owner for example in examples if example.owner is not None}
    if place.owner is not None and owners:
        return Likeness.SAME if place.owner in owners else Likeness.OTHER
    if any(example.name == place.name for example in examples):
        return Likeness.SAME
    return Likeness.UNKNOWN if len({example.name for example in examples}) > 1 else Likeness.OTHER


def _object_before(texts: Sequence[str], at: int) -> str | None:
    """The last name of the expression before a member, with the brackets behind it."""
    before = _visible(texts, at - 1)
    if at < 1 or not is_word(texts[at]) or texts[before] not in _SIGNS:
        return None
    before = _visible(texts, before - 1)
    while before > 0 and texts[before] in _BEHIND_NAME:
        before -= 1
    signs = ""
    while before > 0 and texts[before] in _CLOSED:
        signs = f"{texts[before]}{signs}"
        before = _opening(texts, before) - 1
    return f"{texts[before]}{signs}" if before >= 0 else signs


def _visible(texts: Sequence[str], at: int) -> int:
    """The last token up to one that ends no line."""
    while at > 0 and texts[at].startswith("\n"):
        at -= 1
    return max(0, at)


def _opening(texts: Sequence[str], at: int) -> int:
    depth = 0
    for number in range(at, -1, -1):
        depth += (texts[number] in _CLOSED) - (texts[number] in _CLOSED.values())
        if depth == 0:
            return number
    return 0


def _class_of(uri: str, names: Resolver, byte: int, name: str) -> Hashable | None:
    """What tells the class that a member is of: the one that declares it, as far as it stands in the file."""
    at = names.name_at(byte, name)
    if at is None or at.occurrence.action is not Action.ATTRIBUTE:
        return None
    scope = names.scopes.placed(at.unit, at.occurrence.scope)
    binding = names.binding(at)
    if binding is not None and not binding.loose:
        return uri, binding.scope
    owner = names.members.class_of(at.occurrence.receiver, at.unit, scope)
    if owner is None:
        return outer_type(names, at.occurrence.receiver, at.unit, scope)
    bases = (base for ref, _ in class_with_bases(names, owner) for base in names.classes.outer_bases(ref))
    return next(bases, (uri, owner))
