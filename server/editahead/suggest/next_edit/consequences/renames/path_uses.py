"""References in other files by paths (Rust): `crate::store::load`, `use super::store::load`.

A file's path below the source folder, or beside the other file, gives its module. Wildcard imports are not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.module_paths import file_module, path_names
from editahead.analysis.resolver.resolver import Resolver
from editahead.syntax.construct_tables import ImportTable
from editahead.syntax.scope_table import Action, Namespace

_MAX_DEPTH = 4  # imports that a path leads through

ModulePath = tuple[str, ...]
"""The names that lead from the root of the package to a module."""


def path_uses(resolver: Resolver, name: str, declaring_path: PurePosixPath, path: PurePosixPath) -> Iterator[NameAt]:
    """Yield the references in the file `path` to a name that the module `declaring_path` declares."""
    package, declaring = _package_and_module(declaring_path, resolver.table.imports)
    own_package, own = _package_and_module(path, resolver.table.imports)
    if declaring is None or own is None or package != own_package:
        return
    for reference in resolver.names(name):
        occurrence, scope = reference.occurrence, resolver.scopes.placed(reference.unit, reference.occurrence.scope)
        if _module(resolver, own, occurrence.receiver, reference.unit, scope) != declaring:
            continue
        yield reference
        binding = resolver.binding(reference) if occurrence.action is Action.BIND else None
        if binding is not None and resolver.declarations(binding) == [reference]:
            yield from resolver.references(binding)


def _package_and_module(path: PurePosixPath, table: ImportTable) -> tuple[tuple[str, ...], ModulePath | None]:
    """The package of a file, by its source folder or its own folder, and the module of the file."""
    folders, source = path.parts[:-1], table.source_folder
    depth = len(folders) - folders[::-1].index(source) if source in folders else len(folders)
    return folders[:depth], file_module("/".join((source, *path.parts[depth:])), table)


def _module(
    resolver: Resolver, own: ModulePath, receiver: Receiver | None, unit: int, scope: ScopeRef, depth: int = 0
) -> ModulePath | None:
    """The module that the path before a name leads to, seen from the module `own` of the file; None if uncertain."""
    names = path_names(receiver) if receiver is not None and depth < _MAX_DEPTH else []
    if receiver is None or not names:
        return None
    words = resolver.table.imports.path_words
    first = words.get(names[0], "")
    if first == "root":
        return tuple(names[1:])
    if resolver.modules.around(scope) != MODULE_SCOPE:
        return None  # an inner module of the file
    if first:
        outer = sum(words.get(word) == "outer" for word in names)
        return (*own[: len(own) - outer], *names[1 if first == "own" else outer :]) if outer <= len(own) else None
    binding = resolver.lookup(scope, Namespace.TYPE, names[0], resolver.scopes.facts.units[unit].start + receiver.start)
    declarations = resolver.declarations(binding) if binding is not None else []
    if len(declarations) != 1:
        return None
    declared = declarations[0].occurrence
    if declared.kind != "import":
        before = resolver.scopes.facts.data[max(0, declarations[0].start - 4) : declarations[0].start]
        return (*own, *names) if before == b"mod " else None
    around = resolver.scopes.placed(declarations[0].unit, declared.scope)
    module = _module(resolver, own, declared.receiver, declarations[0].unit, around, depth + 1)
    return (*module, *names) if module is not None else None
