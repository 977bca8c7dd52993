"""References to an exported name in other files of its project, in languages whose files name their packages.

A type is resolved by its import, its package or its qualified name; a member by the type of its receiver: a variable by
its declared type, a class of the file by its bases. Overloads are distinguished by their number of arguments.
Uncertain references are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.import_statements import imports_of
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.index.packages import package_of
from editahead.suggest.next_edit.consequences.renames.exported_types import (
    ExportedName,
    is_open,
    modifiers,
    parameter_types,
)
from editahead.syntax.scope_table import Action, Namespace, ScopeKind
from editahead.syntax.snapshot import SyntaxSnapshot

_MAX_DEPTH = 6  # expressions and bases that are followed
_DOTTED = re.compile(r"[\w$]+(?:\.[\w$]+)*")

Leads = Callable[[str], bool]
"""Whether a type, as its simple or qualified name is written in the file, is the exported type."""
_SELECTED = re.compile(rb"\s*(?:\.|::)")
_IDENTIFIER = re.compile(rb"[\w$.\x80-\xff]")


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


class TypeUses:
    """The uses of an exported name in a file.

    `declares` tells whether a package has another type of the new name. After `starts`, `has_conflict` and
    `has_override` are as in `renamed_uses.OtherUses`.
    """

    def __init__(
        self,
        resolver: Resolver,
        syntax: SyntaxSnapshot,
        exported: ExportedName,
        leads: Leads,
        declares: Callable[[str], bool],
    ) -> None:
        self._resolver, self._exported, self._leads, self._declares = resolver, exported, leads, declares
        self._data = syntax.buffer.data
        self._read = ExportedReceivers(resolver, syntax, exported, leads)
        self.has_conflict = self.has_override = False

    def starts(self, new: str) -> list[int]:
        """The offsets of the references; empty if the name `new` would have another meaning at any of them."""
        exported, offsets, package = self._exported, set[int](), self._read.package
        if not self._leads(".".join((*package, exported.path[0]))):
            return []
        qualified_name = (*package, *exported.types, exported.name)
        for statement in self._read.imports:
            if statement.parts[: len(qualified_name)] == qualified_name:
                self.has_conflict |= not exported.alone  # it imports other members of that name, too
                offsets.add(statement.start + len(".".join((*qualified_name[:-1], ""))))
        is_imported, is_use = bool(offsets), self._is_type if exported.kind == "class" else self._is_member
        references = [reference for reference in self._resolver.names(exported.name) if is_use(reference)]
        offsets.update(reference.start for reference in references)
        has_clash = (is_imported or exported.kind == "class") and bool(self._resolver.names(new))
        self.has_conflict = bool(offsets) and (
            self.has_conflict
            or has_clash
            or any(self._is_taken(reference, new) for reference in references)
            or (exported.kind == "class" and not is_imported and self._is_hidden(new))
        )
        return [] if self.has_conflict or self.has_override else sorted(offsets)

    def _is_hidden(self, new: str) -> bool:
        """Whether a wildcard import or the package of the file declares another type of the new name."""
        wildcards = {".".join(statement.parts) for statement in self._read.imports if statement.wildcard}
        packages = (wildcards | {self._read.own_package}) - {self._exported.package}
        return bool(packages) and (any(map(self._declares, packages)) or new in self._resolver.table.builtins)

    def _is_type(self, at: NameAt) -> bool:
        """Whether an occurrence is the exported type."""
        occurrence, resolver, path = at.occurrence, self._resolver, self._exported.path
        scope = resolver.scopes.placed(at.unit, occurrence.scope)
        if occurrence.action is Action.ATTRIBUTE and occurrence.namespace is not Namespace.METHOD:
            outer_type = self._read.type_of(occurrence.receiver, at.unit, scope)
            return outer_type == len(path) - 1 > 0 or self._is_whole(at)
        if occurrence.action is not Action.USE or occurrence.namespace is Namespace.METHOD:
            return False
        if occurrence.namespace is Namespace.VALUE:
            value = resolver.lookup(scope, Namespace.VALUE, occurrence.name, at.start)
            if _SELECTED.match(self._data, at.end) is None or (value and value.namespace is Namespace.VALUE):
                return False
        return self._read.count_named_types(occurrence.name, scope, at.start) == len(path)

    def _is_whole(self, at: NameAt) -> bool:
        """Whether a type is written with its package and its outer types."""
        qualifier = ".".join((*self._read.package, *self._exported.types, "")).encode()
        start = at.start - len(qualifier)
        is_delimited = start <= 0 or _IDENTIFIER.match(self._data, start - 1) is None
        return bool(self._read.package) and start >= 0 and is_delimited and self._data.startswith(qualifier, start)

    def _is_member(self, at: NameAt) -> bool:
        """Whether an occurrence is the exported member."""
        occurrence, resolver, exported = at.occurrence, self._resolver, self._exported
        scope = resolver.scopes.placed(at.unit, occurrence.scope)
        if occurrence.namespace is not exported.namespace:
            return False
        if occurrence.action is Action.BIND:
            return occurrence.kind != "import" and self._is_override(at)
        if occurrence.action is Action.ATTRIBUTE:
            owner = self._read.type_of(occurrence.receiver, at.unit, scope)
            is_exported_member = self._is_inherited(owner) if isinstance(owner, tuple) else owner == len(exported.path)
            is_method_reference = exported.kind == "method" and occurrence.arguments < 0
            if is_exported_member and is_method_reference:  # `Cart::total` may be any overload
                self.has_conflict |= exported.may_be_overloaded
                return True
            return is_exported_member and self._can_take(occurrence.arguments)
        if occurrence.action is not Action.USE or not self._can_take(occurrence.arguments):
            return False
        receiver = occurrence.receiver
        if receiver is not None and self._read.type_of(receiver, at.unit, scope) == len(exported.path):
            return True  # the label of a case
        binding = resolver.binding(at)
        if binding is not None:
            declarations = resolver.declarations(binding)
            qualified_name = ".".join((*self._read.package, *exported.types, exported.name))
            imports = [declaration for declaration in declarations if declaration.occurrence.kind == "import"]
            if imports:
                modules = {declaration.occurrence.module for declaration in imports}
                return exported.alone and modules == {qualified_name}
            shadowing = self._shadowing(declarations)
            return all(map(self._is_override, shadowing)) if shadowing else self._read.is_subclass(binding.scope)
        return self._is_seen(scope)

    def _can_take(self, arguments: int) -> bool:
        """Whether a call with a number of arguments may call the exported method; true for fields."""
        exported = self._exported
        if exported.kind != "method":
            return True
        return arguments >= exported.parameters - 1 if exported.is_variadic else arguments == exported.parameters

    def _shadowing(self, declarations: list[NameAt]) -> list[NameAt]:
        """The declarations that shadow the exported member in a class: other overloads do not."""
        if self._exported.kind != "method":
            return declarations
        return [declaration for declaration in declarations if self._can_take(declaration.occurrence.arguments)]

    def _is_seen(self, scope: ScopeRef) -> bool:
        """Whether an unbound bare name is the exported member: inherited, or imported by a wildcard."""
        for outer_scope in self._resolver.scopes.around(scope):
            if self._resolver.scopes.kind(outer_scope) is ScopeKind.CLASS:
                if self._read.is_subclass(outer_scope):
                    return True
                if is_open(self._resolver, outer_scope):
                    return False
        type_path = (*self._read.package, *self._exported.types)
        wildcards = [
            statement for statement in self._read.imports if statement.wildcard and statement.parts[-1][:1].isupper()
        ]
        return len(wildcards) == 1 and wildcards[0].parts == type_path

    def _is_override(self, at: NameAt) -> bool:
        """Whether a declaration overrides the exported method; sets `has_override` if that is uncertain."""
        occurrence, exported = at.occurrence, self._exported
        scope = self._resolver.scopes.placed(at.unit, occurrence.scope)
        is_in_subclass = self._resolver.scopes.kind(scope) is ScopeKind.CLASS and self._read.is_subclass(scope)
        is_inherited_method = exported.inherited and occurrence.kind == "function"
        if not (is_in_subclass and is_inherited_method and self._can_take(occurrence.arguments)):
            return False
        if b"@Override" in modifiers(self._resolver, at.start) and occurrence.arguments == exported.parameters:
            return True
        has_same_parameters = parameter_types(self._data, at.end) == exported.parameter_types is not None
        is_visible = exported.is_public or self._read.own_package == exported.package
        if has_same_parameters and is_visible:
            return True
        self.has_override = True
        return False

    def _is_inherited(self, ref: ScopeRef) -> bool:
        """Whether a class of the file inherits the exported member or overrides it."""
        owner = self._resolver.members.owner(ref, self._exported.namespace, self._exported.name)
        exported, scopes = self._exported, self._resolver.scopes
        declarations = scopes.bound_in(owner, exported.namespace, exported.name) if owner else []
        shadowing = self._shadowing(declarations)
        return all(map(self._is_override, shadowing)) if shadowing else self._read.is_subclass(ref)

    def _is_taken(self, at: NameAt, new: str) -> bool:
        """Whether the new name already means something else where a reference stands."""
        occurrence = at.occurrence
        scope = self._resolver.scopes.placed(at.unit, occurrence.scope)
        if occurrence.action is Action.ATTRIBUTE:
            return False
        if occurrence.action is Action.BIND:
            return self._resolver.members.owner(scope, occurrence.namespace, new) is not None
        is_method = occurrence.namespace is Namespace.METHOD
        namespaces = (Namespace.METHOD,) if is_method else (Namespace.VALUE, Namespace.TYPE)
        return any(self._resolver.lookup(scope, namespace, new, at.start) is not None for namespace in namespaces)
