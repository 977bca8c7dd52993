"""Classes that are declared in several places of a file, and copies of a class, which look the same."""

from __future__ import annotations

from editahead.analysis.resolver.file_scopes import FileScopes, ScopeRef
from editahead.syntax.scope_table import Namespace


def are_parts(scopes: FileScopes, one: int, other: int) -> bool:
    """Whether the names of classes at two bytes declare parts of one class.

    A part that declares a member of the other one is taken for a copy of it, which is to become another class.
    """
    first, second = (scopes.facts.units[scopes.unit_at(start)].inner for start in (one, other))
    if min(first, second) < 0 or first == second:
        return False
    containers = scopes.facts.containers
    if containers[first].first != containers[second].first:
        return False
    return _members(scopes, first).isdisjoint(_members(scopes, second))


def _members(scopes: FileScopes, container: int) -> set[tuple[Namespace, str]]:
    """What one declaration of a class declares, without its type parameters, which all have."""
    owner: ScopeRef = (-1, scopes.facts.containers[container].first)
    found = set[tuple[Namespace, str]]()
    for number, unit in scopes.units_in(owner):
        for at, scope in enumerate(unit.facts.scopes if container in (unit.outer, unit.inner) else ()):
            if scopes.placed(number, at) == owner:
                rows = ((key, unit.facts.occurrences[bound[0]].kind) for key, bound in scope.bound.items())
                found.update(key for key, kind in rows if kind != "type-parameter")
    return found
