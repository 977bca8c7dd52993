"""Receivers of members: an edit of a member is repeated only on receivers like those in the examples.

A change of `cart.add` to `cart.push` is no example for `store.add`, unless both receivers are of the same class or the
examples have different receivers.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import IntEnum
from typing import NamedTuple

from editahead.analysis.resolver.declared_members import class_with_bases
from editahead.analysis.resolver.outer_types import outer_type
from editahead.analysis.resolver.resolver import Resolver
from editahead.patterns.pattern import is_word
from editahead.patterns.token_stream import token_stream
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action

_SIGNS = frozenset({".", "->", "::"})
_BEHIND_NAME = frozenset({"?", "!"})  # of `a?.b`
_CLOSED = {")": "(", "]": "[", "}": "{"}
_LINES_ABOVE = 3  # lines of a call chain above the member


class MemberObject(NamedTuple):
    """The receiver of a member: its last name, and its class if the file declares it."""

    name: str
    owner: Hashable | None


class Likeness(IntEnum):
    """Whether a receiver matches those of the examples."""

    OTHER = 0
    UNKNOWN = 1
    SAME = 2


def object_at(document: Document, byte: int, resolver: Resolver | None = None) -> MemberObject | None:
    """The receiver of the member whose name begins at an offset; None if there is no member.

    The class is None without `resolver`.
    """
    buffer = document.syntax.buffer
    line = buffer.line_at(byte)
    tokens = token_stream(buffer, line - _LINES_ABOVE, line + 1)
    index = next((index for index, start in enumerate(tokens.starts) if start == byte and tokens.raw(index)), 0)
    name = _object_before(tokens.texts, index)
    if name is None:
        return None
    owner = _class_of(document.uri, resolver, byte, tokens.texts[index]) if resolver is not None else None
    return MemberObject(name, owner)


def likeness(receiver: MemberObject, examples: Sequence[MemberObject]) -> Likeness:
    """The likeness of a receiver to those of the examples."""
    owners = {example.owner for example in examples if example.owner is not None}
    if receiver.owner is not None and owners:
        return Likeness.SAME if receiver.owner in owners else Likeness.OTHER
    if any(example.name == receiver.name for example in examples):
        return Likeness.SAME
    return Likeness.UNKNOWN if len({example.name for example in examples}) > 1 else Likeness.OTHER


def _object_before(texts: Sequence[str], at: int) -> str | None:
    """The last name of the receiver of a member, with the brackets behind it."""
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
    """The index of the last token up to `at` that is not a line end."""
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


def _class_of(uri: str, resolver: Resolver, byte: int, name: str) -> Hashable | None:
    """A key of the class that declares a member; None where the file does not say."""
    member = resolver.name_at(byte, name)
    if member is None or member.occurrence.action is not Action.ATTRIBUTE:
        return None
    scope = resolver.scopes.placed(member.unit, member.occurrence.scope)
    binding = resolver.binding(member)
    if binding is not None and not binding.loose:
        return uri, binding.scope
    owner = resolver.members.class_of(member.occurrence.receiver, member.unit, scope)
    if owner is None:
        outer = outer_type(resolver, member.occurrence.receiver, member.unit, scope)
        # `a.make<B>()` and `a.make<C>()` give objects of the same class
        return outer and outer._replace(members=tuple(name.partition("<")[0] for name in outer.members))
    bases = (base for ref, _ in class_with_bases(resolver, owner) for base in resolver.classes.outer_bases(ref))
    return next(bases, (uri, owner))
