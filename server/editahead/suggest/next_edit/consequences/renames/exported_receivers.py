"""Types of the expressions in a file that uses an exported type: that type, a class of the file, or unknown."""

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

_MAX_DEPTH = 6  # expressions and bases that are followed
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)*")

Leads = Callable[[str], bool]
"""Whether a type, as its simple or qualified name is written in the file, is the exported type."""


class NamedImport(NamedTuple):
    """An import: the parts of its name, the offset of the name, and whether it ends in `*`."""

    parts: tuple[str, ...]
    start: int
    wildcard: bool


class ExportedReceivers:
    """Resolves the types of expressions in a file to the types of an exported name."""

    def __init__(self, resolver: Resolver, syntax: SyntaxSnapshot, exported: ExportedName, leads: Leads) -> None:
        self._resolver, self._exported, self._leads = resolver, exported, leads
        self.package = tuple(part for part in exported.package.split(".") if part)
        self.own_package = package_of(syntax.buffer.data)
        self.imports = list(_imports(syntax, resolver))
        self._is_same_package = self.own_package == exported.package
        self._derived: dict[ScopeRef, bool] = {}

    def is_subclass(self, ref: ScopeRef, depth: int = 0) -> bool:
        """Whether a class of the file extends the exported type."""
        is_derived = self._derived.get(ref)
        if is_derived is None:
            self._derived[ref] = False  # ends a cycle
            facts, outer = self._resolver.scopes.local(ref), self._resolver.scopes.parent(ref)
            unit = ref[0] if ref[0] >= 0 else self._resolver.scopes.facts.containers[ref[1]].head
            bases = facts.bases if facts is not None and outer is not None and depth < _MAX_DEPTH else ()
            base_types = [self._named_type(base, unit, outer) for base in bases if outer is not None]
            if facts is not None and not facts.name and not bases:  # the body of a constant of an enum around it
                enclosing = list(self._resolver.scopes.around(outer))[:1]
                base_types += [scope for scope in enclosing if scope != MODULE_SCOPE]
            path_length = len(self._exported.path)
            is_derived = self._derived[ref] = any(
                self.is_subclass(base_type, depth + 1) if isinstance(base_type, tuple) else base_type == path_length
                for base_type in base_types
            )
        return is_derived

    def type_of(self, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0) -> int | ScopeRef:
        """The type of an expression: a number of types of the exported path, a class of the file, or 0 if unknown."""
        resolver = self._resolver
        if receiver is None or depth > _MAX_DEPTH:
            return 0
        kind, dotted_name = receiver.kind, receiver.dotted
        for count in range(1, len(self._exported.path) + 1) if len(dotted_name) > 1 and self.package else ():
            if dotted_name == (*self.package, *self._exported.path[:count]):
                return count
        if kind == "name":
            start = resolver.scopes.facts.units[unit].start + receiver.start
            binding = resolver.lookup(scope, Namespace.VALUE, receiver.name, start)
            if binding is not None and binding.namespace is Namespace.VALUE:
                return self._declared_type(resolver.declarations(binding))
        if kind in ("name", "type", "this-of"):
            return self._named_type(receiver._replace(kind="name"), unit, scope)
        if kind in ("this", "super"):
            class_scope = resolver.classes.class_around(unit, scope)
            if class_scope is None:
                return 0
            facts, outer = resolver.scopes.local(class_scope), resolver.scopes.parent(class_scope)
            if kind == "this" or facts is None or outer is None:
                return class_scope
            head = class_scope[0] if class_scope[0] >= 0 else resolver.scopes.facts.containers[class_scope[1]].head
            return self._named_type(facts.bases[0], head, outer) if facts.bases else 0
        if kind == "call":
            return self._named_type(receiver.base, unit, scope)
        if kind == "attribute":
            base = self.type_of(receiver.base, unit, scope, depth + 1)
            if isinstance(base, tuple):
                owner = resolver.members.owner(base, Namespace.VALUE, receiver.name)
                return (
                    self._declared_type(resolver.scopes.bound_in(owner, Namespace.VALUE, receiver.name)) if owner else 0
                )
            is_nested = 0 < base < len(self._exported.path) and self._exported.path[base] == receiver.name
            return base + 1 if is_nested else 0
        return 0

    def _declared_type(self, declarations: list[NameAt]) -> int | ScopeRef:
        """The declared type that all declarations of a name share; 0 if they differ."""
        types, placed = set[int | ScopeRef](), self._resolver.scopes.placed
        for declaration in self._resolver.members.typed_declarations(declarations):
            unit, occurrence = declaration.unit, declaration.occurrence
            types.add(self._named_type(occurrence.declared_type, unit, placed(unit, occurrence.scope)))
        return types.pop() if len(types) == 1 else 0

    def _named_type(self, receiver: Receiver | None, unit: int, scope: ScopeRef) -> int | ScopeRef:
        """The type that a name denotes, as in `type_of`."""
        if receiver is None or receiver.kind != "name":
            return 0
        start = self._resolver.scopes.facts.units[unit].start + receiver.start
        return (
            self.count_named_types(receiver.name, scope, start)
            or self._resolver.classes.class_named(receiver, unit, scope)
            or 0
        )

    def count_named_types(self, name: str, scope: ScopeRef, start: int) -> int:
        """The number of types of the exported path that a bare name denotes; 0 for another or an unknown type."""
        path = self._exported.path
        if name not in path:
            return 0
        binding = self._resolver.lookup(scope, Namespace.TYPE, name, start)
        if binding is not None:
            declarations = self._resolver.declarations(binding)
            occurrences = [declaration.occurrence for declaration in declarations]
            modules = {occurrence.module for occurrence in occurrences if occurrence.kind == "import"}
            qualified_names = [".".join((*self.package, *path[:count])) for count in range(1, len(path) + 1)]
            return next((count for count, qualified in enumerate(qualified_names, 1) if modules == {qualified}), 0)
        count = path.index(name) + 1
        outer_path = (*self.package, *path[: count - 1])
        has_wildcard_import = any(each.wildcard and each.parts == outer_path for each in self.imports)
        is_visible = (count == 1 and self._is_same_package) or has_wildcard_import
        return count if is_visible and self._leads(name) else 0


def _imports(syntax: SyntaxSnapshot, resolver: Resolver) -> Iterator[NamedImport]:
    data = syntax.buffer.data
    for statement in imports_of(syntax, resolver.table):
        if _DOTTED.fullmatch(statement.module) is not None:
            is_wildcard = b"*" in data[statement.row.end : statement.end]
            yield NamedImport(tuple(statement.module.split(".")), statement.row.start, is_wildcard)
