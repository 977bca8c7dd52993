"""Members of a class of the file, also of extension blocks and methods; classes that are declared in several places."""

from __future__ import annotations

from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Action, Namespace


def member_names(names: Resolver, owner: ScopeRef) -> list[str]:
    """Names of the members that a class of the file declares or its methods assign, in text order, without bases."""
    members: dict[str, None] = {}
    for number, unit in names.scopes.units_in(owner):
        for at, scope in enumerate(unit.facts.scopes):
            if names.scopes.placed(number, at) == owner:
                occurrences = unit.facts.occurrences
                rows = ((key, occurrences[bound[0]].kind) for key, bound in scope.bound.items())
                own = (key for key, kind in rows if kind != "type-parameter")
                members.update(dict.fromkeys(names.table.as_written(space, name) for space, name in own))
        for occurrence in unit.facts.occurrences if names.table.classes.members_by_assignment else ():
            if occurrence.action is Action.ATTRIBUTE and occurrence.kind and occurrence.name not in members:
                scope_ref = names.scopes.placed(number, occurrence.scope)
                if names.scopes.class_around(scope_ref) == owner and names.is_self(occurrence, scope_ref):
                    members[occurrence.name] = None
    added = {row.occurrence.name for row in added_members(names, owner)}
    return [*members, *sorted(added.difference(members))]


def added_members(names: Resolver, owner: ScopeRef) -> Iterator[NameAt]:
    """Declarations of members that extension blocks of the file add to a class."""
    facts = names.scopes.local(owner)
    if facts is None or not (names.table.classes.extensions or names.table.classes.method_receivers):
        return
    for number in names.scopes.units_with(facts.name.encode()):
        unit = names.scopes.facts.units[number]
        for occurrence in unit.facts.occurrences:
            if occurrence.action is Action.ATTRIBUTE and occurrence.kind in ("function", "field", "variable"):
                scope = names.scopes.placed(number, occurrence.scope)
                if names.members.class_of(occurrence.receiver, number, scope) == owner:
                    start = unit.start + occurrence.start
                    yield NameAt(start, unit.start + occurrence.end, number, occurrence)


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
