"""Whether a name may be written at a place: it is visible there, and has a value by then."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Namespace, ScopeKind
from editahead.text.words import IDENTIFIER, WORD_BYTES

_WORD = re.compile(rb"(?<![." + WORD_BYTES + rb"])(?<!->)(?<!::)" + IDENTIFIER)  # that is no member of something
_BARE = tuple(space for space in Namespace if space not in (Namespace.PRIVATE, Namespace.LABEL))


def is_usable(names: Resolver, byte: int, name: str) -> bool:
    """Whether a bare name can be used at a byte. A variable of the same function must be bound before it."""
    scopes = names.scopes
    here = scopes.scope_at(byte)
    found = _bound_around(names, here, byte, name)
    if found is None:
        return False
    ref, bound = found
    if bound[0].occurrence.kind != "variable" or scopes.function_around(ref) != scopes.function_around(here):
        return True
    return any(one.start < byte for one in bound)


def is_visible(names: Resolver, byte: int, name: str) -> bool:
    """Whether a scope around a byte binds a name, before or behind it."""
    return _bound_around(names, names.scopes.scope_at(byte), byte, name) is not None


def blind_places(
    moment: Moment, home: Document, byte: int, given: Sequence[tuple[Document, int, bytes]]
) -> Set[tuple[str, int]]:
    """Of places (document, byte) that are given a text from a byte of `home`, those where a name in it means nothing.

    Only of names that something inside of `home` declares (a function, a class, a block) is that known.
    """
    words = {word for _, _, text in given for word in _words(text)}
    if not words:
        return frozenset()
    documents, starts = {home.uri: home}, {home.uri: [byte]}
    for document, start, _ in given:
        documents[document.uri] = document
        starts.setdefault(document.uri, []).append(start)
    found = {
        uri: moment.resolver(uri, document.syntax, Parts(frozenset(), tuple(starts[uri])))
        for uri, document in documents.items()
    }
    names = found[home.uri]
    if names is None:
        return frozenset()
    local = {word for word in words if is_visible(names, byte, word) and not names.exists(word, MODULE_SCOPE)}
    return {
        (document.uri, start)
        for document, start, text in given
        if (there := found[document.uri]) is not None
        and any(word in local and not is_visible(there, start, word) for word in _words(text))
    }


def _words(text: bytes) -> list[str]:
    return [word.decode("utf-8", "replace") for word in _WORD.findall(text)]


def _bound_around(names: Resolver, here: ScopeRef, byte: int, name: str) -> tuple[ScopeRef, list[NameAt]] | None:
    """The innermost scope that binds a name for a byte in `here`, with the declarations in it."""
    scopes, table = names.scopes, names.table
    for distance, ref in enumerate(scopes.around(here)):
        kind = scopes.kind(ref)
        if kind is ScopeKind.CLASS and distance and not table.classes.scope_is_inherited:
            continue
        rows = (one for space in _BARE for one in scopes.bound_in(ref, space, name))
        bound = sorted(rows, key=lambda one: one.start)
        if kind is ScopeKind.BLOCK and not table.hoisted:
            bound = [one for one in bound if one.start <= byte]
        if bound:
            return ref, bound
    return None
