"""Uses of a member in other open files, behind objects whose class is written there: `store.load()`.

The class is imported, or declared in the same folder where its files form a module. Objects are resolved by their
annotations, constructor calls, fields and the class around them; others are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.name_changes import Renaming, reverted_offsets
from editahead.suggest.next_edit.consequences.renames.package_folders import SeenPackages, is_hidden
from editahead.suggest.next_edit.consequences.renames.rename import is_being_typed, revert_renaming
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding, same_overload
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    files_naming,
    has_include,
    is_exported,
    path_of,
    uses_elsewhere,
)
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

_USES = (Action.ATTRIBUTE, Action.USE, Action.KEYWORD)
_MAX_DEPTH = 4  # bases that are followed
_MAX_HEAD = 400  # bytes of the head of a function
_MAX_FILES = 2  # files that lead from an object to its class
_MAX_ROOTS = 64  # names of a file of which it is read to what file they lead


def renamed_member_uses(
    moment: Moment, document: Document, renamed: RenamedBinding
) -> Iterator[tuple[Document, NameAt]]:
    """Yield the uses of a renamed member of an exported class in the other open documents. Raises Cancelled."""
    declarations, table = renamed.resolver.declarations(renamed.binding), renamed.resolver.table.imports
    for other, _, use in member_uses(moment, document, renamed.resolver, renamed.binding):
        is_seen = not is_hidden(renamed.renaming.new, table, path_of(document.uri), path_of(other.uri))
        if is_seen and use in same_overload(renamed, [*declarations, use]):
            yield other, use


def member_uses(
    moment: Moment, document: Document, resolver: Resolver, binding: Binding
) -> Iterator[tuple[Document, Resolver, NameAt]]:
    """Yield the uses of a member that an exported class of a document declares, in the other open documents.

    `resolver` is that of the document, or of its text before the member was renamed. Raises Cancelled.
    """
    class_name = _exported_class(resolver, binding)
    declaring = _Class(moment, document, resolver, binding.scope, class_name)
    words, has_keywords = frozenset({binding.name.encode(), class_name.encode()}), _is_filled_by_keyword(declaring)
    for other in declaring.related_files() if class_name else ():
        moment.check()
        if binding.name.encode() not in other.syntax.buffer.data:
            continue
        theirs = moment.resolver(other.uri, other.syntax, Parts(words, (0,)))
        if theirs is not None:
            objects = _Objects(theirs, declaring, other.uri)
            names = [use for use in theirs.names(binding.name) if use.occurrence.namespace is binding.namespace]
            members = [use for use in names if _is_undeclared(theirs, use) and objects.has_member(use)]
            members = [use for use in members if has_keywords or use.occurrence.action is not Action.KEYWORD]
            for use in chain(members, *map(objects.overriding_uses, names)):
                yield other, theirs, use


def _is_undeclared(resolver: Resolver, use: NameAt) -> bool:
    """Whether a name is used that the file does not declare."""
    if use.occurrence.kind == "function" or use.occurrence.action not in _USES:
        return False
    binding = resolver.binding(use)
    return binding is None or not resolver.declarations(binding)


def _is_filled_by_keyword(declaring: _Class) -> bool:
    """Whether calls of the class name the member: `Point(x=1)` of a dataclass, which declares no constructor."""
    resolver, constructor = declaring.resolver, declaring.resolver.table.classes.constructor
    return bool(constructor) and not resolver.scopes.bound_in(declaring.scope, Namespace.VALUE, constructor)


def _exported_class(resolver: Resolver, binding: Binding) -> str:
    """The name of the exported class or namespace that declares a member; empty if other files cannot see it."""
    scope = binding.scope
    facts, transparent = resolver.scopes.local(scope), {ScopeKind.BLOCK}  # around the name of an alias: `type A = {}`
    if resolver.table.imports.includes:  # namespaces are classes
        transparent.add(ScopeKind.CLASS)
    around = (each for each in resolver.scopes.around(scope) if each != scope)
    outer = next((each for each in around if resolver.scopes.kind(each) not in transparent), None)
    is_member = resolver.scopes.kind(scope) is ScopeKind.CLASS and binding.namespace is not Namespace.PRIVATE
    return facts.name if is_member and facts is not None and outer == MODULE_SCOPE else ""


def defined_members(
    moment: Moment, document: Document, renaming: Renaming
) -> Iterator[tuple[Document, RenamedBinding]]:
    """Yield the members of C++ whose definitions outside of their classes were renamed, with the open headers.

    A header declares the member under its old name, once. Raises Cancelled.
    """
    if document is moment.document and is_being_typed(moment, renaming):
        return
    old, original = renaming.old, reverted_offsets(renaming)
    parts = Parts(frozenset({old.encode()}), tuple(change.start for change in original.changes))
    resolver = moment.resolver(document.uri, revert_renaming(document.syntax, renaming), parts)
    names = (resolver.name_at(change.start, old) for change in original.changes) if resolver is not None else ()
    occurrences = (name.occurrence for name in names if name is not None)
    owners = {each.receiver.name for each in occurrences if each.kind == "function" and each.receiver is not None}
    for owner in owners:
        for header, theirs in files_naming(moment, document, owner):
            if has_include(document.syntax.buffer.data, re.escape(path_of(header.uri).name.encode())):
                declared = [name for name in theirs.names(old) if _declaring_class(theirs, name) == owner]
                binding = theirs.binding(declared[0]) if len(declared) == 1 else None
                if binding is not None:
                    yield header, RenamedBinding(theirs, binding, renaming, declared)


def _declaring_class(resolver: Resolver, name: NameAt) -> str:
    """The class that declares a member; empty for a use."""
    facts = resolver.scopes.local(resolver.scopes.placed(name.unit, name.occurrence.scope))
    return facts.name if facts is not None and name.occurrence.action is Action.BIND else ""


class _Class(NamedTuple):
    """A class with its exported name, the document that declares it, and the resolver of that document."""

    moment: Moment
    document: Document
    resolver: Resolver
    scope: ScopeRef
    name: str

    def related_files(self) -> Iterator[Document]:
        """Yield the other open documents that may use the class."""
        for other in (self.moment.document, *self.moment.document.others):
            if other is not self.document and is_related(other, self.document):
                yield other


class _Objects:
    """The objects of a class in a file that is not the class's own."""

    def __init__(self, resolver: Resolver, class_: _Class, uri: str) -> None:
        self._resolver, self._class, self._name, self._uri = resolver, class_, class_.name, uri
        declaring_uri, table = class_.document.uri, resolver.table.imports
        self._imported: dict[tuple[str, str], set[int]] = {}
        self._packages = SeenPackages(resolver.scopes.facts.data, table, path_of(declaring_uri))
        uses = uses_elsewhere(resolver, self._name, declaring_uri, uri)
        bindings = ((use, resolver.binding(use)) for use in uses)
        self._bindings = {binding for _, binding in bindings if binding is not None and is_exported(binding)}
        self._starts = {use.start for use in uses}

    def overriding_uses(self, declaration: NameAt) -> Iterator[NameAt]:
        """Yield the uses of a field that overrides the member, in a derived class or in an object literal."""
        occurrence = declaration.occurrence
        binding = self._resolver.binding(declaration) if occurrence.action is Action.BIND else None
        facts = self._resolver.scopes.local(binding.scope) if binding is not None else None
        if binding is None or facts is None or facts.kind is not ScopeKind.CLASS or occurrence.is_hidden_anew:
            return
        if (occurrence.kind == "field" or facts.is_literal) and self._is_subclass(binding.scope):
            yield from self._resolver.references(binding)

    def has_member(self, use: NameAt) -> bool:
        """Whether a member stands behind an object of the class, or behind the class itself."""
        receiver, unit = use.occurrence.receiver, use.unit
        scope = self._resolver.scopes.placed(unit, use.occurrence.scope)
        if receiver is None or receiver.kind == "this":
            if self._resolver.table.imports.includes:
                return self._is_inside(scope)
            if receiver is None:
                return False
        if use.occurrence.action is Action.KEYWORD:
            return self._is_class_name(receiver, unit, scope)
        if receiver.kind == "argument":
            return self._is_object(receiver, unit, scope)
        own = self._resolver.members.class_of(receiver, unit, scope)
        if own is not None:
            return self._is_namespace(own) or self._is_subclass(own)
        if self._is_class_name(receiver, unit, scope):
            return True
        if receiver.kind in ("call", "creation") and self._is_class_name(receiver.base, unit, scope):
            return True
        return self._is_object(receiver, unit, scope)

    def _is_namespace(self, ref: ScopeRef) -> bool:
        """Whether a scope is another part of the namespace of C++."""
        facts = self._resolver.scopes.local(ref)
        return self._resolver.table.imports.includes and facts is not None and facts.name == self._name

    def _is_inside(self, scope: ScopeRef) -> bool:
        """Whether code of C++ stands in the namespace, or in a method that is defined outside of its class."""
        scopes = self._resolver.scopes
        around = list(scopes.around(scope))
        if any(map(self._is_namespace, around)):
            return True
        function = next((each for each in around if scopes.kind(each) is ScopeKind.FUNCTION), None)
        start, end = scopes.span(function) if function is not None else (0, 0)
        head = scopes.facts.data[start : min(end, start + _MAX_HEAD)].partition(b"{")[0]
        method = rb"\b" + re.escape(self._name.encode()) + rb"\s*(?:<[^<>]*>)?\s*::\s*~?\w+\s*\("
        return re.search(method, head) is not None

    def _is_subclass(self, ref: ScopeRef, depth: int = 0) -> bool:
        """Whether a class of the file has the class as a base."""
        scopes = self._resolver.scopes
        outer = scopes.parent(ref)
        for unit, head in scopes.heads(ref) if outer is not None and depth < _MAX_DEPTH else ():
            if outer is not None and any(self._is_base(base, unit, outer) for base in head.bases):
                return True
        return any(
            self._is_subclass(base, depth + 1) for base in self._resolver.classes.bases(ref) if depth < _MAX_DEPTH
        )

    def _is_base(self, base: Receiver, unit: int, scope: ScopeRef) -> bool:
        """Whether a base is the class, by its name or, of an object literal, by the context."""
        if base.kind == "name" or self._is_class_name(base, unit, scope):
            return self._is_class_name(base, unit, scope)
        return self._is_object(base, unit, scope)

    def _is_object(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int = 0) -> bool:
        """Whether an expression is an object of the class: by its type, or by what it is declared with elsewhere."""
        written = self._resolver.members.types.type_of(receiver, unit, scope)
        if written is not None and self._is_class_name(written.type, written.unit, written.scope):
            return True
        if depth == _MAX_FILES:
            return False
        if written is not None:  # a class, or a function of another file
            called = Receiver("call", base=written.type)
            return written.type.kind == "name" and self._is_made(called, written.unit, written.scope, depth)
        if self._is_made(receiver, unit, scope, depth):
            return True
        binding = None
        if receiver.kind == "name":
            start = self._resolver.scopes.facts.units[unit].start + receiver.start
            binding = self._resolver.lookup(scope, Namespace.VALUE, receiver.name, start)
        rows = self._resolver.declarations(binding) if binding is not None else []
        declared, at, where = (
            self._resolver.members.type_of_declaration(rows[0]) if len(rows) == 1 else (None, 0, scope)
        )
        return declared is not None and declared.kind in ("call", "step") and self._is_made(declared, at, where, depth)

    def _is_made(self, made: Receiver, unit: int, scope: ScopeRef, depth: int) -> bool:
        """Whether an expression is an object of the class by what other files declare: `load()`, `{}` in `load({})`."""
        chain = [made]
        while chain[-1].base is not None:
            chain.append(chain[-1].base)
        for at in range(len(chain) - 1, -1, -1):
            root, where = chain[at], unit
            if root.kind == "name" and (written := self._resolver.members.types.type_of(root, unit, scope)) is not None:
                root, where = written.type, written.unit
            if root.kind in ("name", "type", "attribute") and self._is_declared_so(root, where, chain[:at], depth):
                return True
        return False

    def _is_declared_so(self, root: Receiver, unit: int, steps: Sequence[Receiver], depth: int) -> bool:
        """Whether steps from a name, the outermost first, lead to an object of the class in the file of that name."""
        for document, resolver in self._files_declaring(root, unit):
            end = len(resolver.scopes.facts.data) - resolver.scopes.facts.units[0].start
            for kind in ("name", "type"):
                there = Receiver(kind, root.name, end)
                for step in reversed(steps):
                    there = step._replace(base=there)
                if document is self._class.document:
                    is_object = resolver.members.class_of(there, 0, MODULE_SCOPE) == self._class.scope
                else:
                    objects = _Objects(resolver, self._class, document.uri)
                    is_object = objects._is_object(there, 0, MODULE_SCOPE, depth + 1)
                if is_object:
                    return True
        return False

    def _files_declaring(self, name: Receiver, unit: int) -> Iterator[tuple[Document, Resolver]]:
        """Yield the open document to which a name leads, that of the class first."""
        start = self._resolver.scopes.facts.units[unit].start + name.start
        moment, declaring = self._class.moment, self._class.document
        for document in (declaring, *self._class.related_files()):
            key, data = (document.uri, name.name), document.syntax.buffer.data
            if document.uri == self._uri or name.name.encode() not in data:
                continue
            if key not in self._imported and len(self._imported) < _MAX_ROOTS:
                uses = uses_elsewhere(self._resolver, name.name, document.uri, self._uri)
                self._imported[key] = {use.start for use in uses}
            if start in self._imported.get(key, ()):
                words = Parts(frozenset({name.name.encode(), self._name.encode()}), (0,))
                is_own = document is declaring
                resolver = self._class.resolver if is_own else moment.resolver(document.uri, document.syntax, words)
                if resolver is not None:
                    yield document, resolver
                return

    def _is_class_name(self, receiver: Receiver | None, unit: int, scope: ScopeRef) -> bool:
        if receiver is None or receiver.kind not in ("name", "type", "attribute"):
            return False
        start = self._resolver.scopes.facts.units[unit].start + receiver.start
        if start in self._starts:
            return True
        if receiver.kind == "attribute":
            package = receiver.base.name if receiver.base is not None and receiver.name == self._name else ""
            return self._packages.has_name(package)
        for namespace in self._resolver.table.namespaces:
            binding = self._resolver.lookup(scope, namespace, receiver.name, start)
            if binding is not None:
                return binding in self._bindings
        return False
