"""Objects of a class in the other open files: by its name there, or by what files that use the class declare.

`store.load()` is of the class `Store` by the annotation of `store`, a constructor call, the class around it, or because
the file of the class, or another file that uses it, declares what gives the object: `open_store()`, `app.store`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.index.packages import package_of
from editahead.suggest.next_edit.consequences.renames.imported_names import (
    DEFAULT,
    default_name,
    import_aliases,
    renamed_imports,
    required_names,
    without_default_imports,
)
from editahead.suggest.next_edit.consequences.renames.package_folders import SeenPackages
from editahead.suggest.next_edit.consequences.renames.reexports import Exported, importable_from
from editahead.suggest.next_edit.consequences.renames.type_uses import TypeUses
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    LeadsTo,
    declaring_module_test,
    has_header,
    is_exported,
    path_of,
    uses_elsewhere,
)
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.types import Document
from editahead.syntax.construct_tables import BY_NAMESPACES, BY_PATHS
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeKind

_WORD = re.compile(rb"[^\W\d][\w$]*")
_MAX_DEPTH = 4  # bases that are followed
_MAX_HEAD = 400  # bytes of the head of a function
_MAX_FILES = 2  # files that lead from an object to its class
_MAX_ROOTS = 64  # names of a file of which it is read to what file they lead


class ExportedClass:
    """A class by its exported name, the document that declares it, and the resolver of that document."""

    def __init__(
        self,
        moment: Moment,
        document: Document,
        resolver: Resolver,
        scope: ScopeRef,
        path: tuple[str, ...],
        leads_to: LeadsTo | None = None,
    ) -> None:
        """`path`: the classes down to it from the outermost on. `leads_to` is given for files that are not open."""
        self.document, self.resolver, self.scope, self._moment = document, resolver, scope, moment
        self._path, self.name, self._leads_to = path, path[-1], leads_to
        self._objects: dict[str, Objects] = {}
        self._sources: dict[tuple[str, str], list[str]] = {}

    def uses_in(self, resolver: Resolver, uri: str, name: str = "", document: Document | None = None) -> list[NameAt]:
        """The references in a file to the class, or to a name that a document of `exports` declares."""
        if resolver.table.imports.names_package:
            return self.types_in(resolver, uri, name, document).find()
        name, declaring = name or self.name, document or self.document
        sources = self._sources_of(name, declaring)
        uses = [use for source in sources for use in uses_elsewhere(resolver, name, source, uri)]
        if not resolver.table.imports.export_keyword:
            return uses
        is_default = bool(name) and default_name(declaring.syntax.buffer.data) == name
        uses = uses if is_default else without_default_imports(resolver, uses)
        uses += uses_elsewhere(resolver, DEFAULT, declaring.uri, uri) if is_default and name != DEFAULT else []
        leads = declaring_module_test(name, declaring.uri, uri, None)
        uses += required_names(resolver, name, leads)
        return [*uses, *renamed_imports(resolver, uses, leads if is_default else None)]

    def _sources_of(self, name: str, declaring: Document) -> list[str]:
        """The URIs from which a name of a document can be imported."""
        key = name, declaring.uri
        if key not in self._sources:
            is_default = bool(name) and default_name(declaring.syntax.buffer.data) == name
            parts = Parts(frozenset({name.encode()}), (0,))

            def resolver_of(file: Document) -> Resolver | None:
                return self._moment.resolver(file.uri, file.syntax, parts)

            files = self.related_files()
            self._sources[key] = importable_from(Exported(name, declaring.uri, is_default), files, resolver_of)
        return self._sources[key]

    def types_in(self, resolver: Resolver, uri: str, name: str = "", document: Document | None = None) -> TypeUses:
        """As `uses_in`, where files name their packages."""
        declaring = document or self.document
        package = package_of(declaring.syntax.buffer.data)

        def leads(written: str) -> bool:
            is_visible = bool(package) or path_of(declaring.uri).parent == path_of(uri).parent
            return is_visible and (self._leads_to is None or self._leads_to(written, uri, declaring.uri))

        return TypeUses(resolver, package, (name,) if name else self._path, leads)

    def related_files(self) -> Iterator[Document]:
        """Yield the other open documents that may use the class."""
        for other in (self._moment.document, *self._moment.document.others):
            if other is not self.document and is_related(other, self.document):
                yield other

    def is_reachable(self, other: Document) -> bool:
        """Whether a file names the class, or anything of the files that do."""
        data = other.syntax.buffer.data
        return self.name.encode() in data or self.has_exports(data)

    def has_exports(self, data: bytes) -> bool:
        """Whether a text names anything but the class that the files which name the class declare."""
        words = {word.decode("utf-8", "replace") for word in _WORD.findall(data)} - {self.name}
        return DEFAULT in self.exports or not self.exports.keys().isdisjoint(words)

    def objects_in(self, document: Document, resolver: Resolver) -> Objects:
        """The objects of the class in another file of `exports`."""
        if document.uri not in self._objects:
            self._objects[document.uri] = Objects(resolver, self, document.uri)
        return self._objects[document.uri]

    @cached_property
    def exports(self) -> dict[str, list[tuple[Document, Resolver]]]:
        """The documents that declare a name and use the class, that of the class first, by the declared names."""
        files: dict[str, list[tuple[Document, Resolver]]] = {}
        parts = Parts(frozenset({self.name.encode()}), (0,))
        for document in (self.document, *self.related_files()):
            self._moment.check()
            is_own = document is self.document
            if not is_own and self.name.encode() not in document.syntax.buffer.data:
                continue
            resolver = self.resolver if is_own else self._moment.resolver(document.uri, document.syntax, parts)
            if resolver is None or not (is_own or self.uses_in(resolver, document.uri)):
                continue
            is_default = resolver.table.imports.export_keyword and default_name(document.syntax.buffer.data)
            for declared in _declared_names(resolver) | ({DEFAULT} if is_default else set()):
                files.setdefault(declared, []).append((document, resolver))
        return files


def _declared_names(resolver: Resolver) -> set[str]:
    """The names that a file declares outside of classes and functions."""
    scopes = resolver.scopes
    outer = [number for number in range(len(scopes.facts.units)) if scopes.placed(number, 0) == MODULE_SCOPE]
    return {name for number in outer for _, name in scopes.facts.units[number].facts.scopes[0].bound}


class Objects:
    """The objects of a class in a file that is not the class's own."""

    def __init__(self, resolver: Resolver, class_: ExportedClass, uri: str) -> None:
        self._resolver, self._class, self._name, self._uri = resolver, class_, class_.name, uri
        declaring_uri, table = class_.document.uri, resolver.table.imports
        self._imported: dict[tuple[str, str], set[int]] = {}
        self._packages = SeenPackages(resolver.scopes.facts.data, table, path_of(declaring_uri))
        uses = class_.uses_in(resolver, uri)
        bindings = ((use, resolver.binding(use)) for use in uses)
        self._bindings = {binding for _, binding in bindings if binding is not None and is_exported(binding)}
        self._starts = {use.start for use in uses}
        is_included = table.includes and has_header(resolver, path_of(declaring_uri))
        self._is_named = bool(self._starts) or is_included or table.packages == BY_PATHS

    def __bool__(self) -> bool:
        """Whether the file names the class, or what may lead to it."""
        return self._is_named or self._is_brought_in or self._class.has_exports(self._resolver.scopes.facts.data)

    def overriding_uses(self, declaration: NameAt) -> Iterator[NameAt]:
        """Yield the uses of a field that overrides the member, in a derived class or in an object literal.

        In Go a field hides that of an embedded struct, and in C++ a variable that of the base.
        """
        table, occurrence = self._resolver.table, declaration.occurrence
        binding = self._resolver.binding(declaration) if occurrence.action is Action.BIND else None
        facts = self._resolver.scopes.local(binding.scope) if binding is not None else None
        if binding is None or facts is None or facts.kind is not ScopeKind.CLASS or occurrence.is_hidden_anew:
            return
        after = self._resolver.scopes.facts.data[declaration.end : declaration.end + 1]
        if table.classes.embedded or (table.imports.includes and after != b"("):
            return
        if (occurrence.kind == "field" or facts.is_literal) and self.is_subclass(binding.scope):
            yield from self._resolver.references(binding)

    def has_member(self, use: NameAt) -> bool:
        """Whether a member stands behind an object of the class, or behind the class itself."""
        receiver, unit = use.occurrence.receiver, use.unit
        scope = self._resolver.scopes.placed(unit, use.occurrence.scope)
        if receiver is not None and self._is_super(receiver):
            around = self._resolver.classes.class_around(unit, scope)
            return around is not None and self.is_subclass(around)
        if receiver is None or receiver.kind == "this":
            if self._resolver.table.imports.includes:
                return self._is_inside(scope)
            if receiver is None:
                return self._is_brought_in
        if use.occurrence.action is Action.KEYWORD:
            return self._is_class_name(receiver, unit, scope)
        if receiver.kind == "argument":
            return self.is_object(receiver, unit, scope)
        own = self._resolver.members.class_of(receiver, unit, scope)
        if own is not None:
            return self._is_namespace(own) or self.is_subclass(own)
        if self._is_class_name(receiver, unit, scope):
            return True
        if receiver.kind in ("call", "creation") and self._is_class_name(receiver.base, unit, scope):
            return True
        return self.is_object(receiver, unit, scope)

    def _is_super(self, receiver: Receiver) -> bool:
        """Whether an expression is the object as that of its base class."""
        base = receiver.base if receiver.kind == "call" else None
        is_call = base is not None and base.kind == "name" and base.name == self._resolver.table.classes.super_function
        return receiver.kind == "super" or is_call

    @cached_property
    def _is_brought_in(self) -> bool:
        """Whether the members of the class are used by their bare names: `using static Shop.Prices;`."""
        data, table = self._resolver.scopes.facts.data, self._resolver.table.imports
        line = rb"^[ \t]*(?:global[ \t]+)?using[ \t]+static[ \t]+(?:[\w.]+\.)?" + self._name.encode() + rb"[ \t]*;"
        return table.packages == BY_NAMESPACES and re.search(line, data, re.MULTILINE) is not None

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

    def is_subclass(self, ref: ScopeRef, depth: int = 0) -> bool:
        """Whether a class of the file has the class as a base."""
        scopes = self._resolver.scopes
        outer = scopes.parent(ref)
        for unit, head in scopes.heads(ref) if outer is not None and depth < _MAX_DEPTH else ():
            if outer is not None and any(self._is_base(base, unit, outer) for base in head.bases):
                return True
        return any(
            self.is_subclass(base, depth + 1) for base in self._resolver.classes.bases(ref) if depth < _MAX_DEPTH
        )

    def _is_base(self, base: Receiver, unit: int, scope: ScopeRef) -> bool:
        """Whether a base is the class, by its name or, of an object literal, by the context."""
        if base.kind == "name" or self._is_class_name(base, unit, scope):
            return self._is_class_name(base, unit, scope)
        return self.is_object(base, unit, scope)

    def is_object(self, receiver: Receiver, unit: int, scope: ScopeRef, depth: int = 0) -> bool:
        """Whether an expression is an object of the class: by a test, its type, or its declaration elsewhere."""
        for row in self._resolver.members.narrowed.at(receiver, unit, scope):
            if self.is_object(*row, depth) if row[0].kind == "step" else self._is_class_name(*row):
                return True
        written = self._resolver.members.types.type_of(receiver, unit, scope)
        if written is not None and self._is_class_name(written.type, written.unit, written.scope):
            return True
        if depth == _MAX_FILES:
            return False
        if written is not None:  # a class, or a function of another file
            called = Receiver("call", base=written.type)
            return written.type.kind == "name" and self._is_object_elsewhere(called, written.unit, written.scope, depth)
        if self._is_object_elsewhere(receiver, unit, scope, depth):
            return True
        binding = None
        if receiver.kind == "name":
            start = self._resolver.scopes.facts.units[unit].start + receiver.start
            binding = self._resolver.lookup(scope, Namespace.VALUE, receiver.name, start)
        rows = self._resolver.declarations(binding) if binding is not None else []
        declared, at, where = (
            self._resolver.members.type_of_declaration(rows[0]) if len(rows) == 1 else (None, 0, scope)
        )
        return (
            declared is not None
            and declared.kind in ("call", "step")
            and self._is_object_elsewhere(declared, at, where, depth)
        )

    def _is_object_elsewhere(self, expression: Receiver, unit: int, scope: ScopeRef, depth: int) -> bool:
        """Whether an expression is an object of the class by what other files declare: `load()`, `{}` in `load({})`."""
        chain = [expression]
        while chain[-1].base is not None:
            chain.append(chain[-1].base)
        for at in range(len(chain) - 1, -1, -1):
            root, where = chain[at], unit
            if root.kind == "name" and (written := self._resolver.members.types.type_of(root, unit, scope)) is not None:
                root, where = written.type, written.unit
            if root.kind in ("name", "type", "attribute") and self._is_object_in_file(root, where, chain[:at], depth):
                return True
        return False

    def _is_object_in_file(self, root: Receiver, unit: int, steps: Sequence[Receiver], depth: int) -> bool:
        """Whether steps from a name, the outermost first, lead to an object of the class in the file of that name."""
        for document, resolver, declared in self._files_declaring(root, unit):
            end = len(resolver.scopes.facts.data) - resolver.scopes.facts.units[0].start
            for kind in ("name", "type"):
                there = Receiver(kind, declared, end)
                for step in reversed(steps):
                    there = step._replace(base=there)
                if document is self._class.document:
                    is_object = resolver.members.class_of(there, 0, MODULE_SCOPE) == self._class.scope
                else:
                    objects = self._class.objects_in(document, resolver)
                    is_object = objects.is_object(there, 0, MODULE_SCOPE, depth + 1)
                if is_object:
                    return True
        return False

    def _files_declaring(self, name: Receiver, unit: int) -> Iterator[tuple[Document, Resolver, str]]:
        """Yield the open document to which a name leads, that of the class first, and its own name for it."""
        start, exports = self._resolver.scopes.facts.units[unit].start + name.start, self._class.exports
        names = dict.fromkeys((name.name, self._aliases.get(name.name, "")))
        rows = ((exported, *row) for exported in names for row in exports.get(exported, ()))
        for exported, document, resolver in rows:
            declared = default_name(document.syntax.buffer.data) if exported == DEFAULT else exported
            key = document.uri, declared
            if document.uri != self._uri and key not in self._imported and len(self._imported) < _MAX_ROOTS:
                uses = self._class.uses_in(self._resolver, self._uri, declared, document)
                self._imported[key] = {use.start for use in uses}
            if start in self._imported.get(key, ()):
                yield document, resolver, declared
                return

    @cached_property
    def _aliases(self) -> dict[str, str]:
        """The local names of imports in the file, with the exported names, where imports may rename."""
        is_renaming = bool(self._resolver.table.imports.export_keyword)
        return import_aliases(self._resolver.scopes.facts.data) if is_renaming else {}

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
