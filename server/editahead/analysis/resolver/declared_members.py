"""Members of a class of the file, also of extension blocks and methods; classes that are declared in several places."""

from __future__ import annotations

from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import Action, Namespace, ScopeKind


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
    """The members that a single declaration of a class declares, without its type parameters, which all parts have."""
    owner: ScopeRef = (-1, scopes.facts.containers[container].first)
    members = set[tuple[Namespace, str]]()
    for number, unit in scopes.units_in(owner):
        for at, scope in enumerate(unit.facts.scopes if container in (unit.outer, unit.inner) else ()):
            if scopes.placed(number, at) == owner:
                kinds = ((key, unit.facts.occurrences[bound[0]].kind) for key, bound in scope.bound.items())
                members.update(key for key, kind in kinds if kind != "type-parameter")
    return members


_MAX_CLASSES = 8


def class_with_bases(names: Resolver, owner: ScopeRef) -> Iterator[tuple[ScopeRef, int]]:
    """Yield a class, its other declarations and its bases in the file, nearest first, each with its distance."""
    queue, seen = [(owner, 0)], {owner}
    for ref, level in queue:
        yield ref, level
        parts = [(part, level) for part in names.classes.parts(ref)]
        bases = [(base, level + 1) for base in names.classes.bases(ref)]
        for other, distance in (*parts, *bases) if len(queue) < _MAX_CLASSES else ():
            if other not in seen:
                seen.add(other)
                queue.append((other, distance))


def literal_keys(names: Resolver, owner: ScopeRef) -> tuple[str, ...] | None:
    """The keys of object literals of a class as the file declares them, in text order; None where any key is allowed.

    Where classes embed others, a literal has the members of the class itself only.
    """
    keys = dict[str, None]()
    for ref, level in class_with_bases(names, owner):
        if level and names.table.classes.embedded:
            break
        if _has_index_signature(names, ref):
            return None
        for name, at in names.names_in(ref):
            kind = at.occurrence.kind
            if kind == "field" or (kind == "function" and names.table.literals.objects):
                keys[name] = None
    embedded = names.classes.outer_bases(owner) if names.table.classes.embedded else ()
    keys.update((base[-1], None) for base in embedded if base)  # its field has the name of its type
    return tuple(keys)


def is_open(names: Resolver, owner: ScopeRef) -> bool:
    """Whether objects of a class may have members that neither it nor its bases in the file declare."""
    generated = any(word in names.scopes.facts.data for word in names.table.classes.generators)
    if generated or any(_has_index_signature(names, ref) for ref, _ in class_with_bases(names, owner)):
        return True
    facts, outer = names.scopes.local(owner), names.scopes.parent(owner)
    if facts is None or outer is None or not facts.name:
        return facts is not None and facts.value_of >= 0  # an object literal may be given more members
    rows = (row for space in names.table.namespaces for row in names.scopes.bound_in(outer, space, facts.name))
    return any(row.occurrence.kind == "variable" for row in rows)  # a namespace of the same name


def _has_index_signature(names: Resolver, ref: ScopeRef) -> bool:
    """Whether a class has an index signature: `[key: string]: number`."""
    scopes = names.scopes
    for number, unit in scopes.units_in(ref):
        for at, scope in enumerate(unit.facts.scopes):
            if at and scope.kind is ScopeKind.BLOCK and scopes.parent(scopes.placed(number, at)) == ref:
                return True
    return False
