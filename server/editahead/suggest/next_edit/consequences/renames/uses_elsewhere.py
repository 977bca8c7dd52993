"""References in other files to what a file declares, resolved by their imports and not by the name alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import PurePosixPath
from posixpath import normpath
from urllib.parse import unquote, urlsplit

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.module_paths import Binding
from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.renames.package_folders import SeenPackages
from editahead.suggest.next_edit.consequences.renames.path_uses import path_uses
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace


def is_exported(binding: Binding) -> bool:
    """Whether other files can import a binding."""
    return binding.scope == MODULE_SCOPE and not binding.loose


LeadsTo = Callable[[str, str, str], bool]
"""Whether a dotted module in the file of the first URI denotes the file of the second URI."""


def files_naming(moment: Moment, document: Document, name: str) -> Iterator[tuple[Document, Resolver]]:
    """Yield the other related open documents that contain a name, with their resolvers. Raises Cancelled."""
    for other_document in (moment.document, *moment.document.others):
        moment.check()
        is_other = other_document is not document and is_related(other_document, document)
        if not is_other or name.encode() not in other_document.syntax.buffer.data:
            continue
        resolver = moment.resolver(other_document.uri, other_document.syntax, Parts(frozenset({name.encode()})))
        if resolver is not None:
            yield other_document, resolver


def open_uses(
    moment: Moment, document: Document, resolver: Resolver, binding: Binding
) -> Iterator[tuple[Document, Resolver, NameAt]]:
    """Yield the uses of a binding of a document: from the cursor on, from the top, then in the other open documents."""
    cursor = moment.byte if document is moment.document else 0
    for use in sorted(resolver.references(binding), key=lambda name: (name.start < cursor, name.start)):
        if use.occurrence.action is not Action.BIND:
            yield document, resolver, use
    for other, theirs in files_naming(moment, document, binding.name) if is_exported(binding) else ():
        for use in uses_elsewhere(theirs, binding.name, document.uri, other.uri):
            yield other, theirs, use


def uses_elsewhere(
    resolver: Resolver, name: str, declaring_uri: str, uri: str, leads_to: LeadsTo | None = None
) -> list[NameAt]:
    """The references in the file `uri` to a name that the module `declaring_uri` declares, in text order.

    Dotted modules are compared by the ends of their paths, or by `leads_to`.
    """
    references_by_offset: dict[int, NameAt] = {}
    if resolver.table.imports.path_words:
        uses_by_path = path_uses(resolver, name, path_of(declaring_uri), path_of(uri))
        return sorted({use.start: use for use in uses_by_path}.values())
    if resolver.table.imports.includes:
        return _included_uses(resolver, name, path_of(declaring_uri), path_of(uri))
    is_declaring_module = declaring_module_test(name, declaring_uri, uri, leads_to)
    table, data = resolver.table.imports, resolver.scopes.facts.data
    packages = SeenPackages(data, table, path_of(declaring_uri), path_of(uri))
    for reference in resolver.names(name):
        occurrence = reference.occurrence
        is_binding = occurrence.action is Action.BIND
        is_import = occurrence.action is Action.IMPORTED or (is_binding and occurrence.kind == "import")
        if is_import and occurrence.module and is_declaring_module(occurrence.module):
            binding = resolver.binding(reference) if is_binding else None
            if binding is not None and not all(map(is_declaring_module, _imported_from(resolver, binding))):
                continue
            references_by_offset[reference.start] = reference
            uses = resolver.references(binding) if binding is not None else []
            references_by_offset.update({use.start: use for use in uses})
        elif occurrence.action is Action.ATTRIBUTE:
            is_member = _is_module_member(resolver, reference, is_declaring_module)
            if is_member or is_package_member(resolver, reference, packages):
                references_by_offset[reference.start] = reference
        elif packages.has_bare_names and _is_type_use(reference) and resolver.binding(reference) is None:
            references_by_offset[reference.start] = reference  # a class of the same package needs no import
    return sorted(references_by_offset.values())


def _included_uses(resolver: Resolver, name: str, declaring_path: PurePosixPath, path: PurePosixPath) -> list[NameAt]:
    """The references in a file to a name of a header that it includes, or of the source beside that header.

    A variable of the header is defined in a source. Functions are matched elsewhere, by their parameters.
    """
    if not has_header(resolver, declaring_path) and path.stem != declaring_path.stem:
        return []
    names = resolver.names(name)
    uses = [use for use in names if use.occurrence.action in (Action.USE, Action.ATTRIBUTE)]
    types = [use for use in uses if use.occurrence.action is Action.USE or use.occurrence.namespace is Namespace.TYPE]
    free = [use for use in types if (binding := resolver.binding(use)) is None or not resolver.declarations(binding)]
    variables = {resolver.binding(use) for use in names if _is_shared_variable(resolver, use)}
    references = (resolver.references(binding) for binding in variables if binding is not None)
    return sorted({*free, *chain.from_iterable(references)})


def _is_shared_variable(resolver: Resolver, use: NameAt) -> bool:
    """Whether a name declares a variable of a file that other files may see."""
    occurrence, data = use.occurrence, resolver.scopes.facts.data
    if occurrence.action is not Action.BIND or occurrence.kind != "variable":
        return False
    is_prototype = data[use.end : use.end + 16].lstrip().startswith(b"(")
    is_static = b"static" in data[data.rfind(b"\n", 0, use.start) + 1 : use.start].split()
    is_outermost = resolver.scopes.placed(use.unit, occurrence.scope) == MODULE_SCOPE
    return is_outermost and not is_prototype and not is_static


def has_header(resolver: Resolver, declaring_path: PurePosixPath) -> bool:
    """Whether a file of C includes a header, or the header beside a source."""
    return has_include(resolver.scopes.facts.data, re.escape(declaring_path.stem.encode()) + rb"\.[hH]\w*")


def has_include(data: bytes, name_pattern: bytes) -> bool:
    """Whether a text of C includes a file of which the last part of the path matches a pattern."""
    line = rb'^[ \t]*#[ \t]*include[ \t]*["<](?:[^">\n]*/)?' + name_pattern + rb'[">]'
    return re.search(line, data, re.MULTILINE) is not None


def declaring_module_test(name: str, declaring_uri: str, uri: str, leads_to: LeadsTo | None) -> Callable[[str], bool]:
    """A predicate: whether a module, as it is written in the file `uri`, is the file `declaring_uri`."""
    declaring_path, importing_path = path_of(declaring_uri), path_of(uri)

    def is_home(module: str) -> bool:
        is_path = module[:1] in ("'", '"')
        if leads_to and not is_path:
            return leads_to(module, uri, declaring_uri)
        return is_module(module, name, declaring_path, importing_path)

    return is_home


def is_package_member(resolver: Resolver, reference: NameAt, packages: SeenPackages) -> bool:
    """Whether an attribute is a member of a package: `shop.Load`, `Shop.Models.Row` as a type."""
    root = reference.occurrence.receiver
    if root is None or root.kind not in ("name", "attribute") or not packages.has_name(root.name):
        return False
    while root.kind == "attribute" and root.base is not None:
        root = root.base
    if reference.occurrence.namespace is Namespace.TYPE or root.kind != "name":
        return reference.occurrence.namespace is Namespace.TYPE
    scope = resolver.scopes.placed(reference.unit, reference.occurrence.scope)
    start = resolver.scopes.facts.units[reference.unit].start + root.start
    binding = resolver.lookup(scope, Namespace.VALUE, root.name, start)
    declarations = resolver.declarations(binding) if binding is not None else []
    return all(declaration.occurrence.kind == "import" for declaration in declarations)


def _imported_from(resolver: Resolver, binding: Binding) -> Iterator[str]:
    """The modules of the imports of a name, of which there may be several."""
    for declaration in resolver.declarations(binding):
        if declaration.occurrence.kind == "import" and declaration.occurrence.module:
            yield declaration.occurrence.module


def _is_type_use(reference: NameAt) -> bool:
    return reference.occurrence.action is Action.USE and reference.occurrence.namespace is not Namespace.METHOD


def is_module(module: str, name: str, declaring_path: PurePosixPath, importing_path: PurePosixPath) -> bool:
    """Whether a module, as it is written in the file `importing_path`, is the file `declaring_path`.

    `name` is what is imported from it.
    """
    if module[:1] in ("'", '"'):
        return _is_relative_module(module.strip("'\""), declaring_path, importing_path)
    dots = len(module) - len(module.lstrip("."))
    parts = [part for part in module[dots:].split(".") if part]
    if declaring_path.suffix == ".java":
        is_same_name = parts[-1:] == [declaring_path.stem]
        return is_same_name and list(declaring_path.with_suffix("").parts[-len(parts) :]) == parts
    module_path = declaring_path.with_suffix("").parts
    module_path = module_path[:-1] if module_path[-1] == "__init__" else module_path
    if dots:
        base = importing_path.parent.parts[: len(importing_path.parent.parts) - (dots - 1)]
        return (*base, *parts) == module_path
    return bool(parts) and list(module_path[-len(parts) :]) == parts


def _is_relative_module(module: str, declaring_path: PurePosixPath, importing_path: PurePosixPath) -> bool:
    """Whether a relative path denotes a file: `./shop`, `./shop.js` for shop.ts, `.` for index.ts."""
    if not module.startswith("."):
        return False
    imported_path = PurePosixPath(normpath(importing_path.parent / module))
    module_path = declaring_path.with_suffix("")
    return module_path in (imported_path, imported_path / "index") or (
        bool(imported_path.suffix) and module_path == imported_path.with_suffix("")
    )


def path_of(uri: str) -> PurePosixPath:
    """The path of a URI."""
    return PurePosixPath(unquote(urlsplit(uri).path))


def _is_module_member(resolver: Resolver, reference: NameAt, is_declaring_module: Callable[[str], bool]) -> bool:
    """Whether an attribute is a member of the module: `first.name` after `import first` or `from . import first`.

    So are `a.first.name` after `import a.first`, and `b.name` after `import first as b`. All imports that bind the
    first name must lead to the module.
    """
    member_path, receiver = list[str](), reference.occurrence.receiver
    while receiver is not None and receiver.kind == "attribute":
        member_path.insert(0, receiver.name)
        receiver = receiver.base
    if receiver is None or receiver.kind != "name":
        return False
    scope = resolver.scopes.placed(reference.unit, reference.occurrence.scope)
    start = resolver.scopes.facts.units[reference.unit].start + receiver.start
    binding = resolver.lookup(scope, reference.occurrence.namespace, receiver.name, start)
    declarations = resolver.declarations(binding) if binding is not None else []
    modules = {
        _module_of(resolver, declaration) for declaration in declarations if declaration.occurrence.kind == "import"
    }
    return bool(modules) and all(module and is_declaring_module(".".join((module, *member_path))) for module in modules)


def _module_of(resolver: Resolver, declaration: NameAt) -> str:
    """The module that an import may bind, as it is written; empty if it binds something else."""
    occurrence = declaration.occurrence
    if occurrence.aliased or occurrence.module[:1] in ("'", '"'):
        return occurrence.aliased
    if occurrence.module == occurrence.name or _is_module_import(resolver, declaration):
        return occurrence.name
    if not occurrence.module:
        return ""
    return f"{occurrence.module}{'' if occurrence.module.endswith('.') else '.'}{occurrence.name}"


def _is_module_import(resolver: Resolver, declaration: NameAt) -> bool:
    """Whether an import binds the first part of a dotted module: `import a.first` binds `a`."""
    data = resolver.scopes.facts.data
    return data[data.rfind(b"\n", 0, declaration.start) + 1 : declaration.start].split()[:1] == [b"import"]
