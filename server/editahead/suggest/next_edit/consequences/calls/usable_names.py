"""Whether a name may be written at a place: it is visible there, and has a value by then."""

from __future__ import annotations

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Namespace, ScopeKind

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
