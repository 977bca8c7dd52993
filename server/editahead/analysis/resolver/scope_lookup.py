"""What a bare name means: scope after scope around it, and through the imports that bring it."""

from __future__ import annotations

from typing import NamedTuple

from editahead.analysis.facts.facts import Occurrence
from editahead.analysis.resolver.classes import Classes
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.members import Members
from editahead.analysis.resolver.module_paths import SPACES, ModulePaths
from editahead.syntax.scope_table import Namespace, ScopeKind, ScopeTable

_DEEPEST = 100  # scopes around a name: no person nests more


class Binding(NamedTuple):
    """What a name means: it is bound in a scope.

    `at`: of a name that a block declares anew the byte of its declaration, else -1. `loose`: the member of a class that
    no declaration in the file binds.
    """

    scope: ScopeRef
    namespace: Namespace
    name: str
    at: int = -1
    loose: bool = False


class ScopeLookup:
    """Finds names in the scopes of one version of one file."""

    def __init__(
        self, scopes: FileScopes, table: ScopeTable, modules: ModulePaths, classes: Classes, members: Members
    ) -> None:
        self._scopes, self._table, self._modules = scopes, table, modules
        self._classes, self._members = classes, members
        self._runs_in_order = table.hoisted and not table.classes.members_need_receiver  # the body of a class
        self._following: set[int] = set()  # imports whose paths are being followed, by their bytes

    def lookup(self, scope: ScopeRef, namespace: Namespace, name: str, at: int) -> Binding | None:
        """What a bare name means that stands in a scope at a byte; None where nothing in the file binds it."""
        if namespace is Namespace.EITHER:
            value, named = (self.lookup(scope, one, name, at) for one in (Namespace.VALUE, Namespace.TYPE))
            return value if named is None or value == named else None
        if namespace is Namespace.MACRO:
            brought = self.lookup(scope, Namespace.TYPE, name, at)
            return brought if brought is not None and self._is_imported(brought) else None
        takes_all = False
        for number, ref in enumerate(self._scopes.around(scope)):
            if number >= _DEEPEST:
                return None
            facts = self._scopes.local(ref)
            takes_all = takes_all or (facts is not None and facts.has_wildcard)
            if facts is not None and name in facts.global_names:
                return Binding(MODULE_SCOPE, namespace, name) if self.binds(MODULE_SCOPE, namespace, name) else None
            if facts is not None and name in facts.nonlocal_names:
                continue
            if self._scopes.kind(ref) is ScopeKind.CLASS and not self._sees_class(ref, namespace, name, number):
                continue
            found = self._lookup_in(ref, namespace, name, at, is_inside=number == 0)
            if found is not None:
                return found
            if facts is not None and facts.implicit_name == name and namespace is Namespace.VALUE:
                return None
            if facts is not None and facts.is_module and not takes_all:
                break  # a module does not see the names around it
        if namespace is Namespace.VALUE and Namespace.TYPE in self._table.namespaces:
            return self.lookup(scope, Namespace.TYPE, name, at)
        later = (
            self._runs_in_order and self._scopes.kind(scope) is ScopeKind.CLASS and self.binds(scope, namespace, name)
        )
        return self.member(scope, namespace, name) if later else None

    def imported(self, row: NameAt, spaces: tuple[Namespace, ...]) -> Binding | None:
        """What an import brings into its scope in some namespaces: what the file declares, or a name of its own."""
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
        return self.bound(scope, occurrence, row.start)

    def declared_in(self, module: ScopeRef, spaces: tuple[Namespace, ...], name: str) -> Binding | None:
        """What a module of the file declares under a name; of what it imports, what that is."""
        rows = self._modules.declared(module, spaces, name)
        if rows and rows[0].occurrence.kind == "import":
            return self.imported(rows[0], spaces)
        return self._shared(module, rows[0]) if rows else None

    def bound(self, ref: ScopeRef, occurrence: Occurrence, start: int) -> Binding:
        """What an occurrence at a byte binds in a scope."""
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
        """The member of a class; a loose one where no declaration in the file binds it."""
        facts = self._scopes.local(owner) if namespace is Namespace.TYPE else None
        if facts is not None and facts.fields_are_types:
            namespace = self._table.field_namespace
        declaring = self._members.owner(owner, namespace, name)
        return Binding(declaring or owner, namespace, name, loose=declaring is None)

    def binds(self, ref: ScopeRef, namespace: Namespace, name: str) -> bool:
        """Whether a scope itself binds a name."""
        return bool(self._scopes.bound_in(ref, namespace, name))

    def _is_imported(self, binding: Binding) -> bool:
        """Whether imports alone bind a name."""
        rows = self._scopes.bound_in(binding.scope, binding.namespace, binding.name)
        return bool(rows) and all(row.occurrence.kind == "import" for row in rows)

    def _shared(self, ref: ScopeRef, first: NameAt) -> Binding:
        """A binding of a scope; `import static a.b` binds a method and a value, which are one name."""
        return Binding(ref, first.occurrence.namespace, first.occurrence.name)

    def _lookup_in(self, ref: ScopeRef, namespace: Namespace, name: str, at: int, *, is_inside: bool) -> Binding | None:
        """What a scope itself says that a name means at a byte. `is_inside`: no other scope holds that byte."""
        kind, facts = self._scopes.kind(ref), self._scopes.local(ref)
        declared = self._scopes.bound_in(ref, namespace, name)
        if self._table.flow.tests:
            declared = [one for one in declared if one.occurrence.spans is None or self._is_seen(one, at)]
        imports = self._modules.imports(ref, name)
        if imports:
            own = [one for one in declared if one not in imports]
            declared = [one for one in own if kind is not ScopeKind.BLOCK or self._holds(one, at)]
            if not declared:
                return self.imported(imports[0], (namespace,))
        if kind is ScopeKind.CLASS and is_inside and self._runs_in_order:
            declared = [one for one in declared if self._is_bound_before(one, at)]
        if kind is ScopeKind.BLOCK and not self._table.hoisted:
            before = [one.start for one in declared if self._holds(one, at)]
            if before:
                return Binding(ref, namespace, name, before[0 if self._table.same_in_block else -1])
        elif declared and kind is ScopeKind.CLASS:
            return self.member(ref, namespace, name)
        elif declared:
            last = declared[-1]
            is_tested = last.occurrence.spans is not None
            return self.bound(ref, last.occurrence, last.start) if is_tested else self._shared(ref, declared[0])
        elif kind is ScopeKind.CLASS and self._table.classes.scope_is_inherited:
            inherited = self.member(ref, namespace, name)
            if inherited is not None and not inherited.loose:
                return inherited
        if kind is ScopeKind.FUNCTION and facts is not None and facts.is_extension and not declared:
            owner = self._classes.class_around(ref[0], ref)
            member = self.member(owner, namespace, name) if owner is not None else None
            return member if member is not None and not member.loose else None
        return None

    def _holds(self, bound: NameAt, at: int) -> bool:
        """Whether a binding of a block is meant at a byte: from its declaration on, a function everywhere."""
        since = bound.occurrence.since
        start = bound.start if since < 0 else self._scopes.facts.units[bound.unit].start + since
        return start <= at or bound.start == at or bound.occurrence.kind in ("function", "class", "label")

    def _is_seen(self, bound: NameAt, at: int) -> bool:
        """Whether a byte is where what a test binds is seen: at that test, or somewhere behind it."""
        spans = bound.occurrence.spans
        if at <= bound.start or not spans:
            return at == bound.start
        inside = at - self._scopes.facts.units[bound.unit].start
        return inside < spans[-1][1] and any(start <= inside < end for start, end in spans)

    def _is_bound_before(self, bound: NameAt, at: int) -> bool:
        """Whether a statement that binds a name has run before what stands at a byte."""
        since = bound.occurrence.since
        return (bound.end if since < 0 else self._scopes.facts.units[bound.unit].start + since) <= at

    def _sees_class(self, ref: ScopeRef, namespace: Namespace, name: str, distance: int) -> bool:
        """Whether a bare name may mean what a class binds, so many scopes around it: at least type parameters."""
        table = self._table
        inside = distance == 0 and not table.classes.members_need_receiver
        if table.classes.scope_is_inherited or inside or namespace in (Namespace.TYPE, Namespace.LABEL):
            return True
        return self._scopes.has_type_parameter(ref, namespace, name)
