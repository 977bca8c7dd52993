"""What expressions are in a file that uses a type of another one: of that type, of a class of the file, or unknown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.import_statements import imports_of
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.index.packages import package_of
from editahead.suggest.next_edit.consequences.renames.exported_types import ExportedName
from editahead.syntax.scope_table import Namespace
from editahead.syntax.snapshot import SyntaxSnapshot

_DEEPEST = 6  # expressions and bases that are followed
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)*")

Leads = Callable[[str], bool]
"""Whether a type as it is written in the file is the exported one: its dotted name, or its name alone."""


class NamedImport(NamedTuple):
    """An import: the parts of its name, which begins at a byte, and whether it ends in `*`."""

    parts: tuple[str, ...]
    start: int
    wildcard: bool


class ExportedReceivers:
    """The types of expressions in one file, as far as they lead to one exported name."""

    def __init__(self, names: Resolver, syntax: SyntaxSnapshot, exported: ExportedName, leads: Leads) -> None:
        self._names, self._exported, self._leads = names, exported, leads
        self.package = tuple(part for part in exported.package.split(".") if part)
        self.own_package = package_of(syntax.buffer.data)
        self.imports = list(_imports(syntax, names))
        self._beside = self.own_package == exported.package
        self._derived: dict[ScopeRef, bool] = {}

    def derives(self, ref: ScopeRef, depth: int = 0) -> bool:
        """Whether a class of the file extends the exported type."""
        known = self._derived.get(ref)
        if known is None:
            self._derived[ref] = False  # ends a circle
            facts, outer = self._names.scopes.local(ref), self._names.scopes.parent(ref)
            unit = ref[0] if ref[0] >= 0 else self._names.scopes.facts.containers[ref[1]].head
            bases = facts.bases if facts is not None and outer is not None and depth < _DEEPEST else ()
            found = [self._type_name(base, unit, outer) for base in bases if outer is not None]
            if facts is not None and not facts.name and not bases:  # the body of a constant of an enum around it
                found += [one for one in list(self._names.scopes.around(outer))[:1] if one != MODULE_SCOPE]
            known = self._derived[ref] = any(
                self.derives(one, depth + 1) if isinstance(one, tuple) else one == len(self._exported.path)
                for one in found
            )
        return known

    def type_of(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> int | ScopeRef:
        """What an expression is, or an instance of: so many of the types of the path, a class of the file, or 0."""
        names = self._names
        if receiver is None or depth > _DEEPEST:
            return 0
        kind, whole = receiver.kind, receiver.dotted
        for count in range(1, len(self._exported.path) + 1) if len(whole) > 1 and self.package else ():
            if whole == (*self.package, *self._exported.path[:count]):
                return count
        if kind == "name":
            start = names.scopes.facts.units[unit].start + receiver.start
            binding = names.lookup(scope, Namespace.VALUE, receiver.name, start)
            if binding is not None and binding.namespace is Namespace.VALUE:
                return self._declared(names.declarations(binding))
        if kind in ("name", "type", "this-of"):
            return self._type_name(receiver._replace(kind="name"), unit, scope)
        if kind in ("this", "super"):
            around = names.classes.class_around(unit, scope)
            facts, outer = (names.scopes.local(around), names.scopes.parent(around)) if around else (None, None)
            if kind == "this" or facts is None or outer is None or around is None:
                return around or 0
            head = around[0] if around[0] >= 0 else names.scopes.facts.containers[around[1]].head
            return self._type_name(facts.bases[0], head, outer) if facts.bases else 0
        if kind == "call":
            return self._type_name(receiver.base, unit, scope)
        if kind == "attribute":
            base = self.type_of(receiver.base, unit, scope, depth + 1)
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
            for row in self._names.members.typing(rows)
        }
        return found.pop() if len(found) == 1 else 0

    def _type_name(self, receiver: Receiver | None, unit: int, scope: ScopeRef) -> int | ScopeRef:
        """What a name means where a type stands."""
        if receiver is None or receiver.kind != "name":
            return 0
        start = self._names.scopes.facts.units[unit].start + receiver.start
        return self.named(receiver.name, scope, start) or self._names.classes.class_named(receiver, unit, scope) or 0

    def named(self, name: str, scope: ScopeRef, start: int) -> int:
        """How many of the types of the path a bare name leads to; 0 where it is another type, or nobody knows."""
        path = self._exported.path
        if name not in path:
            return 0
        binding = self._names.lookup(scope, Namespace.TYPE, name, start)
        if binding is not None:
            rows = self._names.declarations(binding)
            modules = {row.occurrence.module for row in rows if row.occurrence.kind == "import"}
            whole = [".".join((*self.package, *path[:count])) for count in range(1, len(path) + 1)]
            return next((count for count, one in enumerate(whole, 1) if modules == {one}), 0)
        count = path.index(name) + 1
        holder = (*self.package, *path[: count - 1])
        wildcard = any(one.wildcard and one.parts == holder for one in self.imports)
        return count if ((count == 1 and self._beside) or wildcard) and self._leads(name) else 0


def _imports(syntax: SyntaxSnapshot, names: Resolver) -> Iterator[NamedImport]:
    data = syntax.buffer.data
    for one in imports_of(syntax, names.table):
        if _DOTTED.fullmatch(one.module) is not None:
            wildcard = b"*" in data[one.row.end : one.end]
            yield NamedImport(tuple(one.module.split(".")), one.row.start, wildcard)
