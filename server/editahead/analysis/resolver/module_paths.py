"""Modules inside a file, and the paths to what they declare: `super::a::B`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, FileScopes, NameAt, ScopeRef
from editahead.syntax.construct_tables import ImportTable
from editahead.syntax.scope_table import Namespace, ScopeTable

_MAX_NAMES = 16  # names of a path
SPACES = (Namespace.TYPE, Namespace.VALUE)  # namespaces of what modules declare


class Binding(NamedTuple):
    """The entity that a name refers to, by the scope that binds it.

    `at`: the byte of the declaration where a block may declare the name again, else -1. `loose`: a class member that
    no declaration in the file binds.
    """

    scope: ScopeRef
    namespace: Namespace
    name: str
    at: int = -1
    loose: bool = False


Lookup = Callable[[ScopeRef, Namespace, str, int], "Binding | None"]


def file_module(path: str, table: ImportTable) -> tuple[str, ...] | None:
    """The names that lead from the root of a package to the module that a file is; None where its path does not say."""
    *folders, file_name = path.split("/")
    stem = file_name.rpartition(".")[0]
    if not table.source_folder or table.source_folder not in folders:
        return None
    inner = tuple(folders[len(folders) - folders[::-1].index(table.source_folder) :])
    if stem in table.root_files and not inner:
        return ()
    return inner if stem == table.folder_file else (*inner, stem)


class ModulePaths:
    """The modules of a version of a file; paths into other files are not resolved."""

    def __init__(self, scopes: FileScopes, table: ScopeTable, file: tuple[str, ...] | None, lookup: Lookup) -> None:
        """`file`: the names that lead to the module of the file itself, None where they are uncertain."""
        self._scopes, self._table, self._file, self._lookup = scopes, table, file, lookup

    def module(self, path: Receiver | None, unit: int, scope: ScopeRef) -> ScopeRef | None:
        """The module of the file that a path in a scope means."""
        names = path_names(path) if path is not None and self._table.modules else []
        if not names or len(names) > _MAX_NAMES:
            return None
        first, rest = names[0], names[1:]
        words = self._table.imports.path_words
        at: ScopeRef | None = self.around(scope)
        if first not in words:  # a module that the enclosing module declares
            rest = [] if self._is_value(path, unit, scope) else names
            at = at if rest else None
        elif words[first] == "root":
            if self._file is None or tuple(rest[: len(self._file)]) != self._file:
                return None
            at, rest = MODULE_SCOPE, rest[len(self._file) :]
        elif words[first] == "outer":
            rest = names
        for name in rest:
            if at is None:
                return None
            at = self._outer(at) if words.get(name) == "outer" else self._inner(at, name)
        return at

    def _is_value(self, path: Receiver | None, unit: int, scope: ScopeRef) -> bool:
        """Whether what looks like a path is an expression: a member of a value."""
        while path is not None and path.base is not None:
            path = path.base
        if path is None:
            return False
        start = self._scopes.facts.units[unit].start + path.start
        binding = self._lookup(scope, Namespace.VALUE, path.name, start)
        return binding is not None and binding.namespace is Namespace.VALUE

    def around(self, scope: ScopeRef) -> ScopeRef:
        """The module around a scope."""
        return next((ref for ref in self._scopes.around(scope) if self.is_module(ref)), MODULE_SCOPE)

    def is_module(self, ref: ScopeRef) -> bool:
        """Whether a scope is a module inside of the file."""
        facts = self._scopes.local(ref)
        return facts is not None and facts.is_module

    def declared(self, module: ScopeRef, spaces: tuple[Namespace, ...], name: str) -> list[NameAt]:
        """What a module binds to a name in the first of some namespaces that has it; else what imports bring."""
        imports = self.imports(module, name)
        for space in dict.fromkeys(spaces):
            rows = [row for row in self._scopes.bound_in(module, space, name) if row not in imports]
            if rows:
                return rows
        return imports

    def imports(self, ref: ScopeRef, name: str) -> list[NameAt]:
        """The imports of a scope that bring a name into it, in whichever namespaces."""
        rows = self._scopes.bound_in(ref, Namespace.TYPE, name) if self._table.modules else []
        return [row for row in rows if row.occurrence.kind == "import"]

    def _outer(self, module: ScopeRef) -> ScopeRef | None:
        outer = self._scopes.parent(module)
        return self.around(outer) if outer is not None else None

    def _inner(self, module: ScopeRef, name: str) -> ScopeRef | None:
        rows = self._scopes.bound_in(module, Namespace.TYPE, name)
        inner = self._scopes.declared_by(rows[0].start) if len(rows) == 1 else None
        return inner if inner is not None and self.is_module(inner) else None


def path_names(path: Receiver) -> list[str]:
    """The names of a path, the word before it among them; none where it is anything else."""
    names = list[str]()
    while path.kind == "attribute" and path.base is not None and len(names) <= _MAX_NAMES:
        names.append(path.name)
        path = path.base
    return [*names, path.name][::-1] if path.kind in ("name", "module") and path.name else []
