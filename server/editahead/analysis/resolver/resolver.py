"""Second pass of the resolver: the declaration that an occurrence of a name refers to, and all its references."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import NamedTuple, cast

from editahead.analysis.facts.facts import Occurrence, OuterType, Receiver
from editahead.analysis.facts.file_facts import FactsCache, file_facts
from editahead.analysis.resolver.classes import Classes, Constructors
from editahead.analysis.resolver.expression_types import Answers
from editahead.analysis.resolver.file_scopes import FileScopes, NameAt, ScopeRef
from editahead.analysis.resolver.members import Members
from editahead.analysis.resolver.module_paths import SPACES, Binding, ModulePaths, file_module
from editahead.analysis.resolver.scope_lookup import ScopeLookup
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot


class VisibleName(NamedTuple):
    """A name that is visible at some byte, the kind of its binding, and the number of scopes up to it."""

    name: str
    kind: str
    distance: int


class Resolver:
    """The names of a version of a file."""

    def __init__(
        self,
        syntax: SyntaxSnapshot,
        table: ScopeTable,
        cache: FactsCache | None = None,
        parts: Parts | None = None,
        module: tuple[str, ...] | None = None,
        scopes: FileScopes | None = None,
    ) -> None:
        """`parts`: the parts of a large file to read; others may be skipped.

        `module`: the names that lead from the root of its package to the file, None where they are unknown.
        `scopes`: the scopes of the text if they were read before.
        """
        self.table, self._module = table, module
        if scopes is None:
            facts = file_facts(syntax, table, FactsCache() if cache is None else cache, parts)
            scopes = FileScopes(facts, table.imports.wildcard_words)
        self.scopes = scopes
        names = cast("Resolver", weakref.proxy(self))  # a reference cycle would keep the syntax trees alive
        lookup = partial(Resolver.lookup, names)
        self.modules = ModulePaths(self.scopes, table, module, lookup)
        self.classes = Classes(self.scopes, table, lookup, partial(_class_of, names), self.modules)
        self.members = Members(self.scopes, table, self.classes, lookup)
        self.constructors = Constructors(self.scopes, lookup)
        self._buffer = syntax.buffer
        self._lookup = ScopeLookup(self.scopes, table, self.modules, self.classes, self.members)
        self.outer_types: Answers[OuterType] = Answers()
        self._meanings: dict[str, dict[Binding, list[NameAt]]] = {}
        self._bindings: dict[tuple[int, int], Binding | None] = {}

    def patched(
        self, old: SyntaxSnapshot, new: SyntaxSnapshot, cache: FactsCache, *, of_parts: bool = False
    ) -> Resolver | None:
        """The names of another version of the file, reusing these; None where too much differs.

        `of_parts`: parts that were not read may differ too, and stay unread.
        """
        from editahead.analysis.facts.patched_facts import patched_facts  # not before an edit is verified
        from editahead.analysis.resolver.patched_scopes import PatchedScopes

        patch = patched_facts(self.scopes.facts, old, new, self.table, cache, of_parts=of_parts)
        if patch is None:
            return None
        return Resolver(new, self.table, module=self._module, scopes=PatchedScopes(patch[0], self.scopes, patch[1]))

    def name_at(self, byte: int, name: str) -> NameAt | None:
        """The occurrence of a name that begins at a byte; of several (`import static`) the first."""
        number = self.scopes.unit_at(byte)
        rows = self.scopes.in_unit(number, name) if number >= 0 else ()
        return next((use for use in rows if use.start == byte), None)

    def names(self, name: str) -> list[NameAt]:
        """All occurrences of a name, whatever they refer to."""
        return self.scopes.index(name).all

    def binding(self, at: NameAt) -> Binding | None:
        """The binding that an occurrence refers to; None where the file does not say."""
        key = at.unit, id(at.occurrence)  # a unit keeps its occurrences
        if key not in self._bindings:
            self._bindings[key] = self._find_binding(at)
        return self._bindings[key]

    def binding_at(self, byte: int, name: str) -> Binding | None:
        """The binding that a name at a byte refers to; None where it is no name, or the file does not say."""
        at = self.name_at(byte, name)
        return self.binding(at) if at is not None else None

    def _find_binding(self, at: NameAt) -> Binding | None:
        binding = self._resolve(at)
        if binding is None or binding.namespace is not Namespace.TYPE or not self.table.classes.joined_kinds:
            return binding
        value = binding._replace(namespace=Namespace.VALUE)
        return value if self._joined_types(value) else binding

    def _joined_types(self, value: Binding) -> list[NameAt]:
        """The declarations of a namespace, and of types, that share their binding with a value of the same name."""
        if value.namespace is not Namespace.VALUE or self.scopes.kind(value.scope) is ScopeKind.CLASS:
            return []
        types = self.scopes.bound_in(value.scope, Namespace.TYPE, value.name)
        if not any(row.occurrence.kind == "variable" for row in types):
            return []
        rows = self.scopes.bound_in(value.scope, Namespace.VALUE, value.name)
        return types if any(row.occurrence.kind in self.table.classes.joined_kinds for row in rows) else []

    def _resolve(self, at: NameAt) -> Binding | None:
        occurrence = at.occurrence
        scope = self.scopes.placed(at.unit, occurrence.scope)
        if occurrence.action is Action.BIND:
            spaces = SPACES if occurrence.receiver is not None else ()
            imported = {self._lookup.resolve_import(at, (space,)) for space in spaces} - {None}
            if len(imported) == 1:
                return imported.pop()
            return self._lookup.binding_of(self.scopes.binding_scope(scope, occurrence.name), occurrence, at.start)
        if occurrence.action is Action.USE:
            owner = self.members.class_of(occurrence.receiver, at.unit, scope)
            member = self._lookup.member(owner, occurrence.namespace, occurrence.name) if owner is not None else None
            if member is not None and not member.loose:
                return member
            return self.lookup(scope, occurrence.namespace, occurrence.name, at.start)
        if occurrence.action in (Action.GLOBAL, Action.NONLOCAL):
            target = self.scopes.binding_scope(scope, occurrence.name)
            is_bound = self._lookup.binds(target, occurrence.namespace, occurrence.name)
            return Binding(target, occurrence.namespace, occurrence.name) if is_bound else None
        if occurrence.action is Action.ATTRIBUTE:
            module = self.modules.module(occurrence.receiver, at.unit, scope)
            if module is not None:
                return self._lookup.declared_in(module, (occurrence.namespace, *SPACES), occurrence.name)
            owner = self.members.owner_of(occurrence, at.unit, scope)
            member = self._lookup.member(owner, occurrence.namespace, occurrence.name) if owner is not None else None
            if member is not None and not member.loose:
                return member
            extension = self.members.extensions.find(occurrence.name, occurrence.receiver, at.unit, scope)
            return self.binding(extension) if extension is not None else member
        if occurrence.action is Action.KEYWORD:
            return self._keyword(at, scope)
        return None

    def lookup(self, scope: ScopeRef, namespace: Namespace, name: str, at: int) -> Binding | None:
        """The binding of a bare name in a scope at a byte; None where nothing in the file binds it."""
        return self._lookup.lookup(scope, namespace, name, at)

    def references(self, binding: Binding) -> list[NameAt]:
        """All occurrences of a binding in the file, declarations included, in text order."""
        is_class = self.scopes.kind(binding.scope) is ScopeKind.CLASS
        inner = binding.scope[0] >= 0 and not is_class and not self.modules.is_module(binding.scope)
        if not inner:
            return list(self.meanings(binding.name).get(binding, ()))
        number = binding.scope[0]  # outside of its unit only a call can name it
        outside = [use for use in self.scopes.keywords(binding.name) if use.unit != number]
        rows = self.scopes.in_unit(number, binding.name)
        rows = sorted([*rows, *outside], key=attrgetter("start")) if outside else rows
        return [use for use in rows if self.binding(use) == binding]

    def meanings(self, name: str) -> dict[Binding, list[NameAt]]:
        """The bindings that a name refers to in the file, each with its occurrences in text order."""
        if name not in self._meanings:
            meanings: dict[Binding, list[NameAt]] = {}
            for use in self.scopes.index(name).all:
                binding = self.binding(use)
                if binding is not None:
                    meanings.setdefault(binding, []).append(use)
            self._meanings[name] = meanings
        return self._meanings[name]

    def declarations(self, binding: Binding) -> list[NameAt]:
        """The occurrences that declare a binding."""
        bound = self.scopes.bound_in(binding.scope, binding.namespace, binding.name)
        if binding.at >= 0:
            return [use for use in bound if use.start == binding.at or self.table.same_in_block]
        if self.table.classes.joined_kinds:
            bound = [*bound, *self._joined_types(binding)]
        if self.scopes.kind(binding.scope) is ScopeKind.CLASS:
            return sorted([*bound, *self.members.assigned(binding.name, binding.namespace).get(binding.scope, [])])
        return bound

    def kind(self, binding: Binding) -> str:
        """The kind of a binding: parameter, variable, function, method, class, import, type-parameter or field."""
        declared = self.declarations(binding)
        kind = declared[0].occurrence.kind if declared else "field"
        in_class = self.scopes.kind(binding.scope) is ScopeKind.CLASS
        return {"function": "method", "accessor": "method", "variable": "field"}.get(kind, kind) if in_class else kind

    def exists(self, name: str, scope: ScopeRef) -> bool:
        """Whether a scope itself binds a name, in any namespace."""
        return any(self.scopes.bound_in(scope, namespace, name) for namespace in Namespace)

    def is_self(self, occurrence: Occurrence, scope: ScopeRef) -> bool:
        """Whether an attribute in a scope belongs to the object itself (`self.name`)."""
        receiver = occurrence.receiver
        if receiver is None or not self.table.classes.explicit_self:
            return receiver is not None and receiver.kind == "this"
        function = self.scopes.function_around(scope)
        facts = self.scopes.local(function) if function is not None else None
        return facts is not None and receiver.name == facts.first_parameter

    def column(self, byte: int) -> int:
        """The column of a byte, in bytes."""
        return byte - self._buffer.line_span(self._buffer.line_at(byte))[0]

    def names_in(self, ref: ScopeRef) -> Iterator[tuple[str, NameAt]]:
        """Yield the names that a scope binds, as written, each with its first declaration."""
        for number, unit in self.scopes.units_in(ref):
            for at, scope in enumerate(unit.facts.scopes):
                if self.scopes.placed(number, at) == ref:
                    for (space, name), rows in scope.bound.items():
                        if space is Namespace.LABEL:
                            continue
                        occurrence = unit.facts.occurrences[rows[0]]
                        yield (
                            self.table.as_written(space, name),
                            NameAt(unit.start + occurrence.start, unit.start + occurrence.end, number, occurrence),
                        )

    def _keyword(self, at: NameAt, scope: ScopeRef) -> Binding | None:
        name, namespace = at.occurrence.name, at.occurrence.namespace
        called = self.members.called(at.occurrence.receiver, at.unit, scope)
        if called is None:
            callee = at.occurrence.receiver
            copied = callee.base if callee is not None and callee.name in self.table.parameters.copying else None
            owner = self.members.class_of(copied, at.unit, scope)
            member = self._lookup.member(owner, namespace, name) if owner is not None else None
            return member if member is not None and not member.loose else None
        if self.scopes.kind(called) is ScopeKind.CLASS and self.table.classes.named_constructors:
            holder = self.constructors.holder(at, called, scope)
            if holder is None or holder != called:
                return Binding(holder, namespace, name) if holder is not None else None
        if self.scopes.kind(called) is ScopeKind.CLASS:
            member = self._lookup.member(called, namespace, name)
            return member if member is not None and self._lookup.binds(member.scope, namespace, name) else None
        facts = self.scopes.local(called)
        bound = self.scopes.bound_in(called, namespace, name)
        if facts is None or not any(parameter.occurrence.kind == "parameter" for parameter in bound):
            return None
        return Binding(called, namespace, name)


def _class_of(names: Resolver, receiver: Receiver, unit: int, scope: ScopeRef) -> ScopeRef | None:
    return names.members.class_of(receiver, unit, scope)


def resolver_of(
    syntax: SyntaxSnapshot, cache: FactsCache | None = None, parts: Parts | None = None, path: str = ""
) -> Resolver | None:
    """The names of a file; None in a language without a scope table. `path`: tells the file's module in its package."""
    table = syntax.language.scopes
    return Resolver(syntax, table, cache, parts, file_module(path, table.imports)) if table is not None else None
