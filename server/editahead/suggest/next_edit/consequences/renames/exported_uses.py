"""References in other files to an exported name, in languages whose files name their packages.

A member is resolved by the class of its receiver. Overloads are distinguished by their number of arguments. Uncertain
references are omitted.
"""

from __future__ import annotations

from functools import cached_property

from editahead.analysis.resolver.file_scopes import NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.renames.exported_types import (
    ExportedName,
    is_open,
    modifiers,
    parameter_types,
)
from editahead.suggest.next_edit.consequences.renames.objects_elsewhere import ExportedClass, Objects
from editahead.suggest.next_edit.consequences.renames.renamed_uses import OtherUse, OtherUses
from editahead.suggest.types import Document, UnopenedProject
from editahead.syntax.scope_table import Action, Namespace, ScopeKind


class ExportedUses:
    """The uses of an exported name in a file; `class_` is the exported class, or that of the exported member."""

    def __init__(self, exported: ExportedName, class_: ExportedClass, resolver: Resolver, document: Document) -> None:
        self._resolver, self._exported, self._class, self._uri = resolver, exported, class_, document.uri
        self._types = class_.types_in(resolver, document.uri)
        self._has_conflict = self._has_override = False

    @cached_property
    def _objects(self) -> Objects:
        return Objects(self._resolver, self._class, self._uri)

    def find(self, new: str, project: UnopenedProject | None) -> OtherUses:
        """The references; none if the name `new` would have another meaning at any of them."""
        exported, types, offsets = self._exported, self._types, set[int]()
        if not types.is_declared_once:
            return OtherUses([])
        qualified_name = exported.qualified_name
        for statement in types.imports:
            if statement.parts[: len(qualified_name)] == qualified_name:
                self._has_conflict |= not exported.alone  # it imports other members of that name, too
                offsets.add(statement.start + len(".".join((*qualified_name[:-1], "")).encode()))
        is_imported, is_type = bool(offsets), exported.kind == "class"
        references = types.find() if is_type else [*filter(self._is_member, self._resolver.names(exported.name))]
        offsets.update(reference.start for reference in references)
        has_clash = (is_imported or is_type) and bool(self._resolver.names(new))
        has_conflict = bool(offsets) and (
            self._has_conflict
            or has_clash
            or any(self._is_taken(reference, new) for reference in references)
            or (is_type and not is_imported and self._is_hidden(new, project))
        )
        uses = [] if has_conflict or self._has_override else [OtherUse(start) for start in sorted(offsets)]
        return OtherUses(uses, has_conflict, self._has_override)

    def _is_hidden(self, new: str, project: UnopenedProject | None) -> bool:
        """Whether a wildcard import or the package of the file declares another type of the new name."""
        packages = {*map(".".join, self._types.wildcards), self._types.own_package} - {self._exported.package}
        is_declared = project is not None and any(project.declares(new, package, self._uri) for package in packages)
        return is_declared or (bool(packages) and new in self._resolver.table.builtins)

    def _is_member(self, at: NameAt) -> bool:
        """Whether an occurrence is the exported member."""
        occurrence, exported = at.occurrence, self._exported
        if occurrence.namespace is not exported.namespace:
            return False
        if occurrence.action is Action.BIND:
            return occurrence.kind != "import" and self._is_override(at)
        is_reference = exported.kind == "method" and occurrence.arguments < 0  # `Cart::total` may be any overload
        is_member = (is_reference or self._can_take(occurrence.arguments)) and self._is_reference(at)
        self._has_conflict |= is_member and is_reference and exported.may_be_overloaded
        return is_member

    def _is_reference(self, at: NameAt) -> bool:
        """Whether a use of a name is a use of the exported member, if its number of arguments fits."""
        occurrence, resolver, exported = at.occurrence, self._resolver, self._exported
        is_bare = occurrence.action is Action.USE
        if is_bare and occurrence.receiver is not None and self._objects.has_member(at):
            return True  # the label of a case
        binding = resolver.binding(at)
        if binding is None:
            is_seen = is_bare and self._is_seen(resolver.scopes.placed(at.unit, occurrence.scope))
            return is_seen or (not is_bare and self._objects.has_member(at))
        declarations = resolver.declarations(binding)
        modules = {each.occurrence.module for each in declarations if each.occurrence.kind == "import"}
        if modules:
            return exported.alone and modules == {".".join(exported.qualified_name)}
        shadowing = [each for each in declarations if self._can_take(each.occurrence.arguments)]  # no other overloads
        return all(map(self._is_override, shadowing)) if shadowing else self._objects.is_subclass(binding.scope)

    def _can_take(self, arguments: int) -> bool:
        """Whether a call with a number of arguments may call the exported method; true for fields."""
        exported = self._exported
        if exported.kind != "method":
            return True
        return arguments >= exported.parameters - 1 if exported.is_variadic else arguments == exported.parameters

    def _is_seen(self, scope: ScopeRef) -> bool:
        """Whether an unbound bare name is the exported member: inherited, or imported by a wildcard."""
        for outer_scope in self._resolver.scopes.around(scope):
            if self._resolver.scopes.kind(outer_scope) is ScopeKind.CLASS:
                if self._objects.is_subclass(outer_scope):
                    return True
                if is_open(self._resolver, outer_scope):
                    return False
        return {parts for parts in self._types.wildcards if parts[-1][:1].isupper()} == {self._types.qualified_name}

    def _is_override(self, at: NameAt) -> bool:
        """Whether a declaration overrides the exported method; sets `_has_override` if that is uncertain."""
        occurrence, exported = at.occurrence, self._exported
        scope = self._resolver.scopes.placed(at.unit, occurrence.scope)
        is_in_subclass = self._resolver.scopes.kind(scope) is ScopeKind.CLASS and self._objects.is_subclass(scope)
        is_inherited_method = exported.inherited and occurrence.kind == "function"
        if not (is_in_subclass and is_inherited_method and self._can_take(occurrence.arguments)):
            return False
        if b"@Override" in modifiers(self._resolver, at.start) and occurrence.arguments == exported.parameters:
            return True
        is_visible = exported.is_public or self._types.own_package == exported.package
        if is_visible and parameter_types(self._resolver, at.start) == exported.parameter_types:
            return True
        self._has_override = True
        return False

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
