"""Where a file uses what another file of its project exports, where files name their packages: certain places alone.

A type is meant by its import, by its package, or by its whole name. A member is one of the exported type where the file
says that what stands before it is that type: a variable by its declaration, a class of the file by what it extends. Of
methods of one name, the number of arguments tells which one is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.renames.exported_receivers import ExportedReceivers, Leads
from editahead.suggest.next_edit.consequences.renames.exported_types import (
    ExportedName,
    is_open,
    modifiers,
    parameter_types,
)
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.syntax.snapshot import SyntaxSnapshot

_SELECTED = re.compile(rb"\s*(?:\.|::)")
_IDENTIFIER = re.compile(rb"[\w$.\x80-\xff]")


class TypeUses:
    """The uses of one exported name in one file.

    `declares` says of a package whether it has another type of the new name. After `starts`, `taken` and `overridden`
    are as in `renamed_uses.OtherUses`.
    """

    def __init__(
        self,
        names: Resolver,
        syntax: SyntaxSnapshot,
        exported: ExportedName,
        leads: Leads,
        declares: Callable[[str], bool],
    ) -> None:
        self._names, self._exported, self._leads, self._declares = names, exported, leads, declares
        self._data = syntax.buffer.data
        self._read = ExportedReceivers(names, syntax, exported, leads)
        self.taken = self.overridden = False

    def starts(self, new: str) -> list[int]:
        """The bytes where the name is used; none at all where one of them would mean something else by `new`."""
        exported, found, package = self._exported, set[int](), self._read.package
        if not self._leads(".".join((*package, exported.path[0]))):
            return []
        whole = (*package, *exported.types, exported.name)
        for one in self._read.imports:
            if one.parts[: len(whole)] == whole:
                self.taken |= not exported.alone  # it imports other members of that name, too
                found.add(one.start + len(".".join((*whole[:-1], ""))))
        imported, is_use = bool(found), self._is_type if exported.kind == "class" else self._is_member
        uses = [at for at in self._names.names(exported.name) if is_use(at)]
        found.update(at.start for at in uses)
        clash = (imported or exported.kind == "class") and bool(self._names.names(new))
        self.taken = bool(found) and (
            self.taken
            or clash
            or any(self._is_taken(at, new) for at in uses)
            or (exported.kind == "class" and not imported and self._is_hidden(new))
        )
        return [] if self.taken or self.overridden else sorted(found)

    def _is_hidden(self, new: str) -> bool:
        """Whether a type of the new name would be another one in a file that sees all types of some packages."""
        seen = {".".join(one.parts) for one in self._read.imports if one.wildcard} | {self._read.own_package}
        others = seen - {self._exported.package}
        return bool(others) and (any(map(self._declares, others)) or new in self._names.table.builtins)

    def _is_type(self, at: NameAt) -> bool:
        """Whether an occurrence is the exported type."""
        one, names, path = at.occurrence, self._names, self._exported.path
        scope = names.scopes.placed(at.unit, one.scope)
        if one.action is Action.ATTRIBUTE and one.namespace is not Namespace.METHOD:
            around = self._read.type_of(one.receiver, at.unit, scope)
            return around == len(path) - 1 > 0 or self._is_whole(at)
        if one.action is not Action.USE or one.namespace is Namespace.METHOD:
            return False
        if one.namespace is Namespace.VALUE:
            value = names.lookup(scope, Namespace.VALUE, one.name, at.start)
            if _SELECTED.match(self._data, at.end) is None or (value and value.namespace is Namespace.VALUE):
                return False
        return self._read.named(one.name, scope, at.start) == len(path)

    def _is_whole(self, at: NameAt) -> bool:
        """Whether the package stands before a type, and the types around it."""
        before = ".".join((*self._read.package, *self._exported.types, "")).encode()
        start = at.start - len(before)
        outside = start <= 0 or _IDENTIFIER.match(self._data, start - 1) is None
        return bool(self._read.package) and start >= 0 and outside and self._data.startswith(before, start)

    def _is_member(self, at: NameAt) -> bool:
        """Whether an occurrence is the exported member."""
        one, names, exported = at.occurrence, self._names, self._exported
        scope = names.scopes.placed(at.unit, one.scope)
        if one.namespace is not exported.namespace:
            return False
        if one.action is Action.BIND:
            return one.kind != "import" and self._overrides(at)
        if one.action is Action.ATTRIBUTE:
            owner = self._read.type_of(one.receiver, at.unit, scope)
            mine = self._is_inherited(owner) if isinstance(owner, tuple) else owner == len(exported.path)
            if mine and exported.kind == "method" and one.arguments < 0:  # `Cart::total` may be any of that name
                self.taken |= exported.may_be_overloaded
                return True
            return mine and self._takes(one.arguments)
        if one.action is not Action.USE or not self._takes(one.arguments):
            return False
        if one.receiver is not None and self._read.type_of(one.receiver, at.unit, scope) == len(exported.path):
            return True  # the label of a case
        binding = names.binding(at)
        if binding is not None:
            rows = names.declarations(binding)
            whole = ".".join((*self._read.package, *exported.types, exported.name))
            imported = [row for row in rows if row.occurrence.kind == "import"]
            if imported:
                return exported.alone and all(row.occurrence.module == whole for row in imported)
            same = self._same_form(rows)
            return all(map(self._overrides, same)) if same else self._read.derives(binding.scope)
        return self._is_seen(scope)

    def _takes(self, arguments: int) -> bool:
        """Whether a call with so many arguments may be one of the exported method; of a field nobody asks."""
        exported = self._exported
        if exported.kind != "method":
            return True
        return arguments >= exported.parameters - 1 if exported.is_variadic else arguments == exported.parameters

    def _same_form(self, rows: list[NameAt]) -> list[NameAt]:
        """The declarations that hide the exported member where a class has them: other overloads do not."""
        return [row for row in rows if self._exported.kind != "method" or self._takes(row.occurrence.arguments)]

    def _is_seen(self, scope: ScopeRef) -> bool:
        """Whether a bare name that the file does not bind is the exported member: inherited, or imported with all."""
        for ref in self._names.scopes.around(scope):
            if self._names.scopes.kind(ref) is ScopeKind.CLASS:
                if self._read.derives(ref):
                    return True
                if is_open(self._names, ref):
                    return False
        whole = (*self._read.package, *self._exported.types)
        wildcards = [one for one in self._read.imports if one.wildcard and one.parts[-1][:1].isupper()]
        return len(wildcards) == 1 and wildcards[0].parts == whole

    def _overrides(self, at: NameAt) -> bool:
        """Whether a declaration overrides the exported method; one that may do so, or may not, stops the renaming."""
        one, exported = at.occurrence, self._exported
        scope = self._names.scopes.placed(at.unit, one.scope)
        inside = self._names.scopes.kind(scope) is ScopeKind.CLASS and self._read.derives(scope)
        if not inside or not exported.inherited or one.kind != "function" or not self._takes(one.arguments):
            return False
        if b"@Override" in modifiers(self._names, at.start) and one.arguments == exported.parameters:
            return True
        alike = parameter_types(self._data, at.end) == exported.parameter_types is not None
        seen = exported.is_public or self._read.own_package == exported.package
        if alike and seen:
            return True
        self.overridden = True
        return False

    def _is_inherited(self, ref: ScopeRef) -> bool:
        """Whether the member of a class of the file is the exported one."""
        owner = self._names.members.owner(ref, self._exported.namespace, self._exported.name)
        rows = self._names.scopes.bound_in(owner, self._exported.namespace, self._exported.name) if owner else []
        same = self._same_form(rows)
        return all(map(self._overrides, same)) if same else self._read.derives(ref)

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
