"""Members of a class of the file that its object literals may set."""

from __future__ import annotations

from collections.abc import Iterator

from editahead.analysis.resolver.file_scopes import ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.scope_table import ScopeKind

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
        if _takes_any_key(names, ref):
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
    if generated or any(_takes_any_key(names, ref) for ref, _ in class_with_bases(names, owner)):
        return True
    facts, outer = names.scopes.local(owner), names.scopes.parent(owner)
    if facts is None or outer is None or not facts.name:
        return False
    rows = (row for space in names.table.namespaces for row in names.scopes.bound_in(outer, space, facts.name))
    return any(row.occurrence.kind == "variable" for row in rows)  # a namespace of the same name


def _takes_any_key(names: Resolver, ref: ScopeRef) -> bool:
    """Whether a class has an index signature: `[key: string]: number`."""
    scopes = names.scopes
    for number, unit in scopes.units_in(ref):
        for at, scope in enumerate(unit.facts.scopes):
            if at and scope.kind is ScopeKind.BLOCK and scopes.parent(scopes.placed(number, at)) == ref:
                return True
    return False
