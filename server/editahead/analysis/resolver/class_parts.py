"""Classes that are declared in several places of a file, and copies of a class, which look the same."""

from __future__ import annotations

from editahead.analysis.resolver.file_scopes import FileScopes, ScopeRef
from editahead.syntax.scope_table import Namespace


def are_parts(scopes: FileScopes, start: int, other_start: int) -> bool:
    """Whether the class names at two bytes declare parts of the same class.

    Declarations that share a member are no parts: the second is a copy that the user is about to rename.
    """
    first, second = (scopes.facts.units[scopes.unit_at(byte)].inner for byte in (start, other_start))
    if min(first, second) < 0 or first == second:
        return False
    containers = scopes.facts.containers
    if containers[first].first != containers[second].first:
        return False
    return _members(scopes, first).isdisjoint(_members(scopes, second))


def _members(scopes: FileScopes, container: int) -> set[tuple[Namespace, str]]:
    """The members that one declaration of a class declares, without its type parameters, which all parts have."""
    owner: ScopeRef = (-1, scopes.facts.containers[container].first)
    members = set[tuple[Namespace, str]]()
    for number, unit in scopes.units_in(owner):
        for at, scope in enumerate(unit.facts.scopes if container in (unit.outer, unit.inner) else ()):
            if scopes.placed(number, at) == owner:
                kinds = ((key, unit.facts.occurrences[bound[0]].kind) for key, bound in scope.bound.items())
                members.update(key for key, kind in kinds if kind != "type-parameter")
    return members
