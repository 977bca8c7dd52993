"""Whether the new name of what a file imports means something else in that file: there, nothing may be renamed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

_BOUND = (Action.ATTRIBUTE, Action.IMPORTED)
"""Names that stand behind something else, or bind nothing: no scope hides them."""


def is_taken(
    names: Resolver, uses: Sequence[NameAt], new: str, is_home: Callable[[str], bool], *, finished: bool
) -> bool:
    """Whether the uses would mean something else by the new name, or something else would mean what they are.

    What is imported by its new name from a module that `is_home` was renamed before. In a file that is `finished`, a
    name that nothing binds comes from somewhere; in one that is being written it may have been renamed before, too.
    """
    scopes, seen = names.scopes, dict[ScopeRef, bool]()
    bare = [at for at in uses if at.occurrence.action not in _BOUND]
    places = {scopes.placed(at.unit, at.occurrence.scope) for at in bare}
    if any(
        _binds(names, ref, number, new, is_home, seen) for at in places for number, ref in enumerate(scopes.around(at))
    ):
        return True
    holders = {
        scopes.binding_scope(scopes.placed(at.unit, at.occurrence.scope), at.occurrence.name)
        for at in bare
        if at.occurrence.action is Action.BIND and at.occurrence.kind == "import"
    }
    return bool(holders) and any(_captured(names, at, holders, is_home, finished) for at in names.names(new))


def _binds(
    names: Resolver, ref: ScopeRef, distance: int, new: str, is_home: Callable[[str], bool], seen: dict[ScopeRef, bool]
) -> bool:
    """Whether a scope, so many around a bare name, gives it another meaning."""
    table, spaces = names.table, tuple(Namespace)
    inside = distance == 0 and not table.classes.members_need_receiver
    if names.scopes.kind(ref) is ScopeKind.CLASS and not (table.classes.scope_is_inherited or inside):
        spaces = (Namespace.TYPE,)
    elif ref in seen:
        return seen[ref]
    rows = [at for space in spaces for at in names.scopes.bound_in(ref, space, new)]
    found = any(at.occurrence.kind != "import" or not is_home(at.occurrence.module) for at in rows)
    if len(spaces) > 1:
        seen[ref] = found
    return found


def _captured(
    names: Resolver, at: NameAt, holders: set[ScopeRef], is_home: Callable[[str], bool], finished: bool
) -> bool:
    """Whether the new name as it stands somewhere would mean what is imported in one of some scopes."""
    if at.occurrence.action not in (Action.USE, Action.GLOBAL, Action.NONLOCAL):
        return False
    scopes = names.scopes
    around = list(scopes.around(scopes.placed(at.unit, at.occurrence.scope)))
    holder = next((number for number, ref in enumerate(around) if ref in holders), None)
    if holder is None:
        return False
    binding = names.binding(at)
    if binding is None:
        return finished or at.occurrence.name in names.table.builtins or scopes.has_wildcard_import()
    if all(one.occurrence.kind == "import" and is_home(one.occurrence.module) for one in names.declarations(binding)):
        return False
    return binding.scope not in around[:holder]
