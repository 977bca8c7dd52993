"""References in other files to a type, in languages whose files name their packages (Java).

A type is resolved by its import, its package or its qualified name. Uncertain references are omitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.index.packages import package_of
from editahead.syntax.scope_table import Action, Namespace

Leads = Callable[[str], bool]
"""Whether a type, as its simple or qualified name is written in the file, is the exported type."""
_IMPORT = re.compile(rb"import\s+(?:static\s+)?([\w$.\x80-\xff]+?)(\.\*)?\s*;")
_SELECTED = re.compile(rb"\s*(?:\.|::)")
_QUALIFIER = re.compile(rb"(?<![\w$.\x80-\xff])(?:[\w$\x80-\xff]+\.)+$")
_MAX_QUALIFIER_BYTES = 400


class NamedImport(NamedTuple):
    """An import: the parts of its name, the offset of the name, and whether it ends in `*`."""

    parts: tuple[str, ...]
    start: int
    wildcard: bool


class TypeUses:
    """The uses in a file of a type of a package; `path` names the types down to it from the outermost on."""

    def __init__(self, resolver: Resolver, package: str, path: tuple[str, ...], leads: Leads) -> None:
        self._resolver, self._path, self._leads, self.package = resolver, path, leads, package
        self.own_package = package_of(resolver.scopes.facts.data)
        self._package_parts = tuple(part for part in package.split(".") if part)
        self.qualified_name = (*self._package_parts, *path)
        self.imports = list(_imports(resolver))
        self.is_declared_once = leads(".".join((*self._package_parts, path[0])))
        """Whether no other file declares a type of that name in the package; else there are no uses."""

    def find(self) -> list[NameAt]:
        """The references to the type in text order, without those in imports."""
        return [name for name in self._resolver.names(self._path[-1]) if self.is_declared_once and self._is_use(name)]

    def _is_use(self, at: NameAt) -> bool:
        occurrence, data = at.occurrence, self._resolver.scopes.facts.data
        if occurrence.action not in (Action.USE, Action.ATTRIBUTE) or occurrence.namespace is Namespace.METHOD:
            return False
        is_value = occurrence.namespace is Namespace.VALUE
        if occurrence.action is Action.USE:
            is_selected = not is_value or _SELECTED.match(data, at.end) is not None
            return is_selected and self._count_types(at, occurrence.name, at.start) == len(self._path)
        qualifier = _QUALIFIER.search(data, max(0, at.start - _MAX_QUALIFIER_BYTES), at.start)
        if qualifier is None:
            return False
        dotted = (*qualifier[0].decode("utf-8", "replace").split(".")[:-1], occurrence.name)
        if self._package_parts and dotted == self.qualified_name:
            return True
        count = self._count_types(at, dotted[0], qualifier.start())
        return count > 0 and dotted[1:] == self._path[count:]

    def _count_types(self, at: NameAt, name: str, start: int) -> int:
        """The number of types of the path that a name before or at an occurrence denotes; 0 for any other name."""
        path, resolver, package = self._path, self._resolver, self._package_parts
        if name not in path:
            return 0
        scope = resolver.scopes.placed(at.unit, at.occurrence.scope)
        binding = resolver.lookup(scope, at.occurrence.namespace, name, start)
        if binding is not None:
            declared = {each.occurrence.module for each in resolver.declarations(binding)}
            imported = tuple(declared.pop().split(".")) if len(declared) == 1 else ()
            count = len(imported) - len(package)
            return count if count > 0 and imported == self.qualified_name[: len(imported)] else 0
        count = path.index(name) + 1
        qualified_name = self.qualified_name[: len(package) + count]
        is_visible = (count == 1 and self.own_package == self.package) or qualified_name[:-1] in self.wildcards
        is_imported = (qualified_name, False) in ((each.parts, each.wildcard) for each in self.imports)  # as static
        return count if is_imported or (is_visible and self._leads(name)) else 0

    @property
    def wildcards(self) -> set[tuple[str, ...]]:
        """The packages and types of which the file imports all names."""
        return {statement.parts for statement in self.imports if statement.wildcard}


def _imports(resolver: Resolver) -> Iterator[NamedImport]:
    data = resolver.scopes.facts.data
    for unit in resolver.scopes.facts.units:
        if unit.inner >= 0:
            break  # the head of a class, behind the imports
        statement = _IMPORT.match(data, unit.start, unit.end)
        if statement is not None:
            parts = statement[1].decode("utf-8", "replace").split(".")
            yield NamedImport(tuple(parts), statement.start(1), statement[2] is not None)
