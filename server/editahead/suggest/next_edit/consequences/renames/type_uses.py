"""Where a file uses what another file of its project exports, where files name their packages: certain places alone.

A type is meant by its import, by its package, or by its whole name. A member is one of the exported type where the file
says that what stands before it is that type: a variable by its declaration, a class of the file by what it extends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from editahead.analysis.resolver.facts import Receiver
from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.import_statements import imports_of
from editahead.analysis.resolver.resolver import Resolver
from editahead.index.packages import package_of
from editahead.suggest.next_edit.consequences.renames.exported_types import ExportedName, is_open, overrides
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.syntax.snapshot import SyntaxSnapshot

_DEEPEST = 6  # expressions and bases that are followed
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)*")
_SELECTED = re.compile(rb"\s*(?:\.|::)")
_IDENTIFIER = re.compile(rb"[\w$.\x80-\xff]")

Leads = Callable[[str], bool]
"""Whether a type as it is written in the file is the exported one: its dotted name, or its name alone."""


class _Import(NamedTuple):
    """An import: the parts of its name, which begins at a byte, and whether it ends in `*`."""

    parts: tuple[str, ...]
    start: int
    wildcard: bool


class TypeUses:
    """The uses of one exported name in one file."""

    def __init__(self, names: Resolver, syntax: SyntaxSnapshot, exported: ExportedName, leads: Leads) -> None:
        self._names, self._exported, self._leads = names, exported, leads
        self._data = syntax.buffer.data
        self._package = tuple(part for part in exported.package.split(".") if part)
        self._beside = package_of(self._data) == exported.package
        self._imports = list(_imports(syntax, names))
        self._derived: dict[ScopeRef, bool] = {}

    def starts(self, new: str) -> list[int]:
        """The bytes where the name is used; none at all where one of them would mean something else by `new`."""
        exported, found = self._exported, set[int]()
        if not self._leads(".".join((*self._package, exported.path[0]))):
            return []
        whole = (*self._package, *exported.types, exported.name)
        for one in self._imports if exported.alone else ():
            if one.parts[: len(whole)] == whole:
                found.add(one.start + len(".".join((*whole[:-1], ""))))
        if (found or exported.kind == "class") and self._names.names(new):
            return []
        is_use = self._is_type if exported.kind == "class" else self._is_member
        for at in self._names.names(exported.name):
            if is_use(at):
                if self._is_taken(at, new):
                    return []
                found.add(at.start)
        return sorted(found)

    def _is_type(self, at: NameAt) -> bool:
        """Whether an occurrence is the exported type."""
        one, names, path = at.occurrence, self._names, self._exported.path
        scope = names.scopes.placed(at.unit, one.scope)
        if one.action is Action.ATTRIBUTE and one.namespace is not Namespace.METHOD:
            around = self._type(one.receiver, at.unit, scope)
            return around == len(path) - 1 > 0 or self._is_whole(at)
        if one.action is not Action.USE or one.namespace is Namespace.METHOD:
            return False
        if one.namespace is Namespace.VALUE:
            value = names.lookup(scope, Namespace.VALUE, one.name, at.start)
            if _SELECTED.match(self._data, at.end) is None or (value and value.namespace is Namespace.VALUE):
                return False
        return self._named(one.name, scope, at.start) == len(path)

    def _is_whole(self, at: NameAt) -> bool:
        """Whether the package stands before a type, and the types around it."""
        before = ".".join((*self._package, *self._exported.types, "")).encode()
        start = at.start - len(before)
        outside = start <= 0 or _IDENTIFIER.match(self._data, start - 1) is None
        return bool(self._package) and start >= 0 and outside and self._data.startswith(before, start)

    def _is_member(self, at: NameAt) -> bool:
        """Whether an occurrence is the exported member."""
        one, names, exported = at.occurrence, self._names, self._exported
        scope = names.scopes.placed(at.unit, one.scope)
        if one.namespace is not exported.namespace:
            return False
        if one.action is Action.BIND:
            return one.kind != "import" and self._overrides(at)
        if one.action is Action.ATTRIBUTE:
            owner = self._type(one.receiver, at.unit, scope)
            return self._is_inherited(owner) if isinstance(owner, tuple) else owner == len(exported.path)
        if one.action is not Action.USE:
            return False
        binding = names.binding(at)
        if binding is not None:
            rows = names.declarations(binding)
            whole = ".".join((*self._package, *exported.types, exported.name))
            imported = [row for row in rows if row.occurrence.kind == "import"]
            if imported:
                return exported.alone and all(row.occurrence.module == whole for row in imported)
            return bool(rows) and all(self._overrides(row) for row in rows)
        return self._is_seen(scope)

    def _is_seen(self, scope: ScopeRef) -> bool:
        """Whether a bare name that the file does not bind is the exported member: inherited, or imported with all."""
        for ref in self._names.scopes.around(scope):
            if self._names.scopes.kind(ref) is ScopeKind.CLASS:
                if self._derives(ref):
                    return True
                if is_open(self._names, ref):
                    return False
        whole = (*self._package, *self._exported.types)
        wildcards = [one for one in self._imports if one.wildcard and one.parts[-1][:1].isupper()]
        return len(wildcards) == 1 and wildcards[0].parts == whole

    def _overrides(self, at: NameAt) -> bool:
        scope = self._names.scopes.placed(at.unit, at.occurrence.scope)
        inside = self._names.scopes.kind(scope) is ScopeKind.CLASS and self._derives(scope)
        return inside and overrides(self._names, at, self._exported)

    def _is_inherited(self, ref: ScopeRef) -> bool:
        """Whether the member of a class of the file is the exported one."""
        owner = self._names.members.owner(ref, self._exported.namespace, self._exported.name)
        if owner is None:
            return self._derives(ref)
        rows = self._names.scopes.bound_in(owner, self._exported.namespace, self._exported.name)
        return bool(rows) and all(self._overrides(row) for row in rows)

    def _derives(self, ref: ScopeRef, depth: int = 0) -> bool:
        """Whether a class of the file extends the exported type."""
        known = self._derived.get(ref)
        if known is None:
            self._derived[ref] = False  # ends a circle
            facts, outer = self._names.scopes.local(ref), self._names.scopes.parent(ref)
            unit = ref[0] if ref[0] >= 0 else self._names.scopes.facts.containers[ref[1]].head
            bases = facts.bases if facts is not None and outer is not None and depth < _DEEPEST else ()
            found = [self._type_name(base, unit, outer) for base in bases if outer is not None]
            known = self._derived[ref] = any(
                self._derives(one, depth + 1) if isinstance(one, tuple) else one == len(self._exported.path)
                for one in found
            )
        return known

    def _type(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> int | ScopeRef:
        """What an expression is, or an instance of: so many of the types of the path, a class of the file, or 0."""
        names = self._names
        if receiver is None or depth > _DEEPEST:
            return 0
        kind, whole = receiver.kind, _dotted(receiver)
        for count in range(1, len(self._exported.path) + 1) if len(whole) > 1 and self._package else ():
            if whole == (*self._package, *self._exported.path[:count]):
                return count
        if kind == "name":
            start = names.scopes.facts.units[unit].start + receiver.start
            binding = names.lookup(scope, Namespace.VALUE, receiver.name, start)
            if binding is not None and binding.namespace is Namespace.VALUE:
                return self._declared(names.declarations(binding))
        if kind in ("name", "type", "this-of"):
            return self._type_name(receiver._replace(kind="name"), unit, scope)
        if kind in ("this", "super"):
            around = names.members.class_around(unit, scope)
            facts, outer = (names.scopes.local(around), names.scopes.parent(around)) if around else (None, None)
            if kind == "this" or facts is None or outer is None or around is None:
                return around or 0
            head = around[0] if around[0] >= 0 else names.scopes.facts.containers[around[1]].head
            return self._type_name(facts.bases[0], head, outer) if facts.bases else 0
        if kind == "call":
            return self._type_name(receiver.base, unit, scope)
        if kind == "attribute":
            base = self._type(receiver.base, unit, scope, depth + 1)
            if isinstance(base, tuple):
                owner = names.members.owner(base, Namespace.VALUE, receiver.name)
                return self._declared(names.scopes.bound_in(owner, Namespace.VALUE, receiver.name)) if owner else 0
            inner = 0 < base < len(self._exported.path) and self._exported.path[base] == receiver.name
            return base + 1 if inner else 0
        return 0

    def _declared(self, rows: list[NameAt]) -> int | ScopeRef:
        """The type that all declarations of a name agree on."""
        found = {
            self._type_name(
                row.occurrence.declared_type, row.unit, self._names.scopes.placed(row.unit, row.occurrence.scope)
            )
            for row in rows
        }
        return found.pop() if len(found) == 1 else 0

    def _type_name(self, receiver: Receiver | None, unit: int, scope: ScopeRef) -> int | ScopeRef:
        """What a name means where a type stands."""
        if receiver is None or receiver.kind != "name":
            return 0
        start = self._names.scopes.facts.units[unit].start + receiver.start
        return self._named(receiver.name, scope, start) or self._names.members.class_named(receiver, unit, scope) or 0

    def _named(self, name: str, scope: ScopeRef, start: int) -> int:
        """How many of the types of the path a bare name leads to; 0 where it is another type, or nobody knows."""
        path = self._exported.path
        if name not in path:
            return 0
        binding = self._names.lookup(scope, Namespace.TYPE, name, start)
        if binding is not None:
            rows = self._names.declarations(binding)
            modules = {row.occurrence.module for row in rows if row.occurrence.kind == "import"}
            whole = [".".join((*self._package, *path[:count])) for count in range(1, len(path) + 1)]
            return next((count for count, one in enumerate(whole, 1) if modules == {one}), 0)
        count = path.index(name) + 1
        holder = (*self._package, *path[: count - 1])
        wildcard = any(one.wildcard and one.parts == holder for one in self._imports)
        return count if ((count == 1 and self._beside) or wildcard) and self._leads(name) else 0

    def _is_taken(self, at: NameAt, new: str) -> bool:
        """Whether the new name means something else at a place already."""
        one = at.occurrence
        scope = self._names.scopes.placed(at.unit, one.scope)
        if one.action is Action.ATTRIBUTE:
            return False
        if one.action is Action.BIND:
            return self._names.members.owner(scope, one.namespace, new) is not None
        spaces = (Namespace.METHOD,) if one.namespace is Namespace.METHOD else (Namespace.VALUE, Namespace.TYPE)
        return any(self._names.lookup(scope, space, new, at.start) is not None for space in spaces)


def _imports(syntax: SyntaxSnapshot, names: Resolver) -> Iterator[_Import]:
    data = syntax.buffer.data
    for one in imports_of(syntax, names.table):
        if _DOTTED.fullmatch(one.module) is not None:
            wildcard = b"*" in data[one.row.end : one.end]
            yield _Import(tuple(one.module.split(".")), one.row.start, wildcard)


def _dotted(receiver: Receiver) -> tuple[str, ...]:
    """The names of a dotted expression; () where it is anything else."""
    found = list[str]()
    at: Receiver | None = receiver
    while at is not None and at.kind == "attribute":
        found.append(at.name)
        at = at.base
    return (at.name, *reversed(found)) if at is not None and at.kind == "name" else ()
