"""What a file declares under a name: the members of a class, and what functions return."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from editahead.analysis.facts.facts import OuterType
from editahead.analysis.resolver.declared_members import (
    added_members,
    class_with_bases,
    is_open,
    literal_keys,
    member_names,
)
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.outer_types import is_type_variable, layered_type, module_of
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.environment.classes.class_files import ClassFiles
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.construct_tables import LayerTable
from editahead.syntax.scope_table import Action, ScopeKind
from editahead.text.buffer import Buffer


class DeclaredClass(NamedTuple):
    """A class of a file, or a function.

    `levels`: its members that others see, with the steps to the base of the file that has them. `keys`: those that a
    literal gives a value, None where it may have others. `bases`: those that the file does not declare. `types`: of
    members the type that the file names for them, or for what they return. `returned`: of a function the type of what
    it returns. `modules`: what the first names of all these are imported from. `embeds`: its literals have no keys of
    its bases, which are embedded. `layers`: what the methods of its language make of layers around a class.
    """

    path: Path
    levels: Mapping[str, int]
    keys: tuple[str, ...] | None
    bases: tuple[tuple[str, ...], ...]
    types: Mapping[str, OuterType]
    returned: OuterType | None
    modules: Mapping[str, str]
    data: bytes
    language_id: str
    layers: LayerTable
    embeds: bool = False
    is_open: bool = False  # objects of it may have other members, too
    hidden: Mapping[str, int] = MappingProxyType({})  # members that only the class itself sees, as in `levels`


def names_of(path: Path, data: bytes, files: ClassFiles) -> Resolver | None:
    """The names of a file; None in a language without rules. `files`: those of the language of the file that asks."""
    language = files.language_of(path)
    return resolver_of(open_snapshot(Buffer(data), language)) if language is not None else None


def read_declared(path: Path, data: bytes, names: Resolver, name: str, files: ClassFiles) -> DeclaredClass | None:
    """The class or function of a name in a file with some `names`; None where it declares none, or several."""
    language = files.language_of(path)
    if language is None:
        return None
    scope = _only_class(names, name)
    if scope is None:
        returned = _returned_by(names, name)
        if returned is None:
            return None
        modules, layers = _modules(names, [returned.names]), names.table.layers
        return DeclaredClass(path, {}, None, (), {}, returned, modules, data, language.id, layers)
    levels, types, hidden = dict[str, int](), dict[str, OuterType](), dict[str, int]()
    for ref, level in class_with_bases(names, scope):
        hidden_here = files.hides(data, *names.scopes.span(ref))
        rows = [*names.names_in(ref), *((at.occurrence.name, at) for at in added_members(names, ref))]
        for written, at in rows:
            if hidden_here(at):
                hidden.setdefault(written, level)
            if typed := _type_of(names, at, name):
                types.setdefault(written, typed)
        for member in member_names(names, ref):
            if member not in hidden and not member.startswith(names.table.private_sign or "\0"):
                levels.setdefault(member, level)
    for base in names.classes.outer_bases(scope) if names.table.classes.embedded else ():
        levels.setdefault(base[-1] if base else "", 0)  # the field of an embedded type has its name
    keys = literal_keys(names, scope)
    keys = tuple(key for key in keys if key in levels) if keys is not None else None
    outer = (base for ref, _ in class_with_bases(names, scope) for base in names.classes.outer_bases(ref))
    bases = tuple(dict.fromkeys(outer))
    modules = _modules(names, [*bases, *(typed.names for typed in types.values())])
    return DeclaredClass(
        path, levels, keys, bases, types, None, modules, data, language.id, names.table.layers,
        embeds=bool(names.table.classes.embedded), is_open=is_open(names, scope), hidden=hidden,
    )  # fmt: skip


def _modules(names: Resolver, types: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """What the first names of types are imported from."""
    firsts = {row[0] for row in types if row}
    return {first: module for first in firsts if (module := module_of(names, first))}


def _only_class(names: Resolver, name: str) -> ScopeRef | None:
    """The class of a name; of several the least nested, if all such are parts of the same class."""
    scopes_by_depth: dict[int, list[ScopeRef]] = {}
    for at in names.names(name):
        scope = names.scopes.declared_by(at.start) if at.occurrence.kind == "class" else None
        if scope is not None and names.scopes.kind(scope) is ScopeKind.CLASS:
            scopes_by_depth.setdefault(len(list(names.scopes.around(scope))), []).append(scope)
    nearest = scopes_by_depth[min(scopes_by_depth)] if scopes_by_depth else []
    parts = {nearest[0], *names.classes.parts(nearest[0])} if nearest else set[ScopeRef]()
    return nearest[0] if nearest and parts.issuperset(nearest) else None


def _returned_by(names: Resolver, name: str) -> OuterType | None:
    """The type of what a function of the module returns."""
    rows = [at for at in names.names(name) if at.occurrence.action is Action.BIND]
    rows = [at for at in rows if names.scopes.placed(at.unit, at.occurrence.scope) == MODULE_SCOPE]
    return _type_of(names, rows[0], "") if len(rows) == 1 else None


def _type_of(names: Resolver, at: NameAt, owner: str) -> OuterType | None:
    """The type that a declaration names for a variable, or for what a function returns; None where it names none."""
    declared, scopes = at.occurrence.declared_type, names.scopes
    if at.occurrence.kind in ("accessor", "function", "variable") or declared is None:
        function = scopes.declared_by(at.start) or scopes.assigned_to(at.start)
        facts = scopes.local(function) if function is not None else None
        if facts is not None and facts.result_types:
            declared = facts.result_types[0]
    inner = declared
    while inner is not None and inner.base is not None and inner.kind in ("name", "layer"):
        inner = inner.base
    scope = scopes.placed(at.unit, at.occurrence.scope)
    if inner is not None and inner.kind == "name" and is_type_variable(names, inner, at.unit, scope):
        return None
    return layered_type(names, declared, owner)
