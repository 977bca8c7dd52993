"""Lookup of bare names: through the enclosing scopes, innermost first, and through imports."""

from __future__ import annotations

from editahead.analysis.facts.facts import Occurrence
from editahead.analysis.resolver.classes import Classes
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.members import Members
from editahead.analysis.resolver.module_paths import SPACES, Binding, ModulePaths
from editahead.syntax.scope_table import Namespace, ScopeKind, ScopeTable

_MAX_SCOPES = 100  # enclosing scopes that are searched


class ScopeLookup:
    """Looks names up in the scopes of a version of a file."""

    def __init__(
        self, scopes: FileScopes, table: ScopeTable, modules: ModulePaths, classes: Classes, members: Members
    ) -> None:
        self._scopes, self._table, self._modules = scopes, table, modules
        self._classes, self._members = classes, members
        self._runs_in_order = table.hoisted and not table.classes.members_need_receiver  # the body of a class
        self._following: set[int] = set()  # imports whose paths are being followed, by their bytes

    def lookup(self, scope: ScopeRef, namespace: Namespace, name: str, at: int) -> Binding | None:
        """The binding of a bare name in a scope at a byte; None where nothing in the file binds it."""
        if namespace is Namespace.EITHER:
            value, named = (self.lookup(scope, space, name, at) for space in (Namespace.VALUE, Namespace.TYPE))
            return value if named is None or value == named else None
        if namespace is Namespace.MACRO:
            macro = self.lookup(scope, Namespace.TYPE, name, at)
            return macro if macro is not None and self._is_imported(macro) else None
        takes_all = False
        for number, ref in enumerate(self._scopes.around(scope)):
            if number >= _MAX_SCOPES:
                return None
            facts = self._scopes.local(ref)
            takes_all = takes_all or (facts is not None and facts.has_wildcard)
            if facts is not None and name in facts.global_names:
                return Binding(MODULE_SCOPE, namespace, name) if self.binds(MODULE_SCOPE, namespace, name) else None
            if facts is not None and name in facts.nonlocal_names:
                continue
            if self._scopes.kind(ref) is ScopeKind.CLASS and not self._can_name_member(ref, namespace, name, number):
                continue
            binding = self._lookup_in(ref, namespace, name, at, is_inside=number == 0)
            if binding is not None:
                return binding
            if facts is not None and facts.implicit_name == name and namespace is Namespace.VALUE:
                return None
            if facts is not None and facts.is_module and not takes_all:
                break  # a module does not see the names around it
        if namespace is Namespace.VALUE and Namespace.TYPE in self._table.namespaces:
            return self.lookup(scope, Namespace.TYPE, name, at)
        is_bound_later = (
            self._runs_in_order and self._scopes.kind(scope) is ScopeKind.CLASS and self.binds(scope, namespace, name)
        )
        return self.member(scope, namespace, name) if is_bound_later else None

    def resolve_import(self, row: NameAt, spaces: tuple[Namespace, ...]) -> Binding | None:
        """The declaration in the file that an import refers to in some namespaces; else the import's own name."""
        occurrence = row.occurrence
        scope = self._scopes.placed(row.unit, occurrence.scope)
        if occurrence.receiver is not None and row.start not in self._following:
            self._following.add(row.start)
            try:
                module = self._modules.module(occurrence.receiver, row.unit, scope)
                if module is not None and self._modules.declared(module, (*spaces, *SPACES), occurrence.name):
                    return self.declared_in(module, spaces, occurrence.name)
            finally:
                self._following.discard(row.start)
        return self.binding_of(scope, occurrence, row.start)

    def declared_in(self, module: ScopeRef, spaces: tuple[Namespace, ...], name: str) -> Binding | None:
        """The binding of a name in a module of the file; imports are followed."""
        rows = self._modules.declared(module, spaces, name)
        if rows and rows[0].occurrence.kind == "import":
            return self.resolve_import(rows[0], spaces)
        return _first_binding(module, rows) if rows else None

    def binding_of(self, ref: ScopeRef, occurrence: Occurrence, start: int) -> Binding:
        """The binding that an occurrence at a byte makes in a scope."""
        kind = self._scopes.kind(ref)
        if kind is ScopeKind.CLASS:
            return self.member(ref, occurrence.namespace, occurrence.name) or Binding(
                ref, occurrence.namespace, occurrence.name
            )
        if occurrence.spans is not None:
            return Binding(ref, occurrence.namespace, occurrence.name, start)
        if kind is ScopeKind.BLOCK and not self._table.hoisted:
            if self._table.same_in_block:
                start = self._scopes.bound_in(ref, occurrence.namespace, occurrence.name)[0].start
            return Binding(ref, occurrence.namespace, occurrence.name, start)
        return Binding(ref, occurrence.namespace, occurrence.name)

    def member(self, owner: ScopeRef, namespace: Namespace, name: str) -> Binding | None:
        """The binding of a class member, loose where no declaration in the file binds it."""
        facts = self._scopes.local(owner) if namespace is Namespace.TYPE else None
        if facts is not None and facts.fields_are_types:
            namespace = self._table.field_namespace
        declaring = self._members.owner(owner, namespace, name)
        return Binding(declaring or owner, namespace, name, loose=declaring is None)

    def binds(self, ref: ScopeRef, namespace: Namespace, name: str) -> bool:
        """Whether a scope itself binds a name."""
        return bool(self._scopes.bound_in(ref, namespace, name))

    def _is_imported(self, binding: Binding) -> bool:
        """Whether a name is bound by imports only."""
        rows = self._scopes.bound_in(binding.scope, binding.namespace, binding.name)
        return bool(rows) and all(row.occurrence.kind == "import" for row in rows)

    def _lookup_in(self, ref: ScopeRef, namespace: Namespace, name: str, at: int, *, is_inside: bool) -> Binding | None:
        """The binding of a name at a byte by a scope itself. `is_inside`: it is the innermost scope at that byte."""
        kind, facts = self._scopes.kind(ref), self._scopes.local(ref)
        declarations = self._scopes.bound_in(ref, namespace, name)
        if self._table.flow.tests:
            declarations = [row for row in declarations if row.occurrence.spans is None or self._is_in_spans(row, at)]
        imports = self._modules.imports(ref, name)
        if imports:
            own = [row for row in declarations if row not in imports]
            declarations = [row for row in own if kind is not ScopeKind.BLOCK or self._is_in_effect(row, at)]
            if not declarations:
                return self.resolve_import(imports[0], (namespace,))
        if kind is ScopeKind.CLASS and is_inside and self._runs_in_order:
            declarations = [row for row in declarations if self._first_byte(row, row.end) <= at]
        if kind is ScopeKind.BLOCK and not self._table.hoisted:
            starts = [row.start for row in declarations if self._is_in_effect(row, at)]
            if starts:
                return Binding(ref, namespace, name, starts[0 if self._table.same_in_block else -1])
        elif declarations and kind is ScopeKind.CLASS:
            return self.member(ref, namespace, name)
        elif declarations:
            last = declarations[-1]
            has_spans = last.occurrence.spans is not None
            return self.binding_of(ref, last.occurrence, last.start) if has_spans else _first_binding(ref, declarations)
        elif kind is ScopeKind.CLASS and self._table.classes.scope_is_inherited:
            inherited = self.member(ref, namespace, name)
            if inherited is not None and not inherited.loose:
                return inherited
        if kind is ScopeKind.FUNCTION and facts is not None and facts.is_extension and not declarations:
            owner = self._classes.class_around(ref[0], ref)
            member = self.member(owner, namespace, name) if owner is not None else None
            return member if member is not None and not member.loose else None
        return None

    def _is_in_effect(self, declaration: NameAt, at: int) -> bool:
        """Whether a declaration in a block is in effect at a byte: from there on, of a function everywhere."""
        start = self._first_byte(declaration, declaration.start)
        is_hoisted = declaration.occurrence.kind in ("function", "class", "label")
        return start <= at or declaration.start == at or is_hoisted

    def _is_in_spans(self, declaration: NameAt, at: int) -> bool:
        """Whether a name that a condition binds is visible at a byte."""
        spans = declaration.occurrence.spans
        if at <= declaration.start or not spans:
            return at == declaration.start
        offset = at - self._scopes.facts.units[declaration.unit].start
        return offset < spans[-1][1] and any(start <= offset < end for start, end in spans)

    def _first_byte(self, declaration: NameAt, default: int) -> int:
        """The first byte where a declaration is in effect; the default where it does not say."""
        since = declaration.occurrence.since
        return default if since < 0 else self._scopes.facts.units[declaration.unit].start + since

    def _can_name_member(self, ref: ScopeRef, namespace: Namespace, name: str, distance: int) -> bool:
        """Whether a bare name may refer to a member of a class that is so many scopes around it.

        Type parameters are always visible, and so are the members of an enum to their own values: `B = A << 1`.
        """
        table, facts = self._table, self._scopes.local(ref)
        is_enum = facts is not None and facts.fields_are_types
        inside = distance == 0 and (is_enum or not table.classes.members_need_receiver)
        if table.classes.scope_is_inherited or inside or namespace in (Namespace.TYPE, Namespace.LABEL):
            return True
        return self._scopes.has_type_parameter(ref, namespace, name)


def _first_binding(ref: ScopeRef, declarations: list[NameAt]) -> Binding:
    """The binding of a scope by the first declaration; `import static a.b` binds a method and a value."""
    occurrence = declarations[0].occurrence
    return Binding(ref, occurrence.namespace, occurrence.name)
