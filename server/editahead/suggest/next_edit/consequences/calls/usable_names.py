"""Whether a name can be used at a byte: it is visible there, and has a value by then."""

from __future__ import annotations

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Namespace, ScopeKind

_BARE = tuple(space for space in Namespace if space not in (Namespace.PRIVATE, Namespace.LABEL))


def is_usable(names: Resolver, byte: int, name: str) -> bool:
    """Whether a bare name can be used at a byte. A variable of the same function must be bound before it."""
    scopes = names.scopes
    here = scopes.scope_at(byte)
    binding = _bound_around(names, here, byte, name)
    if binding is None:
        return False
    ref, declarations = binding
    if declarations[0].occurrence.kind != "variable" or scopes.function_around(ref) != scopes.function_around(here):
        return True
    return any(declaration.start < byte for declaration in declarations)


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
        rows = (row for space in _BARE for row in scopes.bound_in(ref, space, name))
        declarations = sorted(rows, key=lambda row: row.start)
        if kind is ScopeKind.BLOCK and not table.hoisted:
            declarations = [row for row in declarations if row.start <= byte]
        if declarations:
            return ref, declarations
    return None
