"""Imports that a change wrote of names that the module, a file of the project, does not declare. Python only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from editahead.analysis.import_statements import import_at
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.check.leftover import FileVersions, Leftover, NamesOf
from editahead.check.python_modules import has_dynamic_bindings
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action

UNDEFINED = "undefined-import"
MAX_IMPORTS = 400
"""Imported names of all files that are looked up."""
_ROOTS = ("src", "lib")
"""Folders that are often the root of imports, besides those above the file."""


class WrittenImport(NamedTuple):
    """A name that a change imports from a module; `modules` are the paths, without an ending, that this may be.

    `packages`: the file that makes a package of the folder in which such a path begins; there it is another module.
    """

    document: Document
    at: NameAt
    modules: tuple[str, ...]
    packages: dict[str, str]

    @property
    def name(self) -> str:
        """The imported name."""
        return self.at.occurrence.name

    @property
    def paths(self) -> list[str]:
        """The files that the module or the name, which may be a module itself, can be."""
        stems = (*self.modules, *(f"{module}/{self.name}" for module in self.modules))
        return [*(path for stem in stems for path in _files(stem)), *self.packages.values()]


def written_imports(files: Sequence[FileVersions], added: Sequence[Document], names_of: NamesOf) -> list[WrittenImport]:
    """The imports that a change wrote into its files, and all imports of its new files."""
    imports: list[WrittenImport] = []
    for versions in files:
        document = versions.file.document
        if versions.table.classes.explicit_self and versions.now is not None and _has_new_import(versions):
            written = _imports(document, versions.now)
            imports += [row for row in written if versions.is_touched(row.at.start, row.at.end)]
    for document in added:
        table = document.syntax.language.scopes
        names = names_of(document) if table is not None and table.classes.explicit_self else None
        imports += _imports(document, names) if names is not None else []
    return imports[:MAX_IMPORTS]


def _has_new_import(versions: FileVersions) -> bool:
    data = versions.file.document.syntax.buffer.data
    return any(b"import" in data[max(0, change.start - 2000) : change.end + 200] for change in versions.file.changes)


def _imports(document: Document, names: Resolver) -> Iterator[WrittenImport]:
    for number, unit in enumerate(names.scopes.facts.units):
        if names.scopes.facts.data.find(b"import", unit.start, unit.end) < 0:
            continue
        for row in unit.facts.occurrences:
            taken = row.action is Action.IMPORTED or (row.action is Action.BIND and row.kind == "import")
            if taken and row.module and row.module != row.name:
                at = NameAt(unit.start + row.start, unit.start + row.end, number, row)
                modules = _modules(row.module, PurePosixPath(document.uri))
                statement = import_at(document.syntax, names.table, at.start)
                if modules and statement is not None and statement.takes_names:
                    yield WrittenImport(document, at, tuple(modules), {k: v for k, v in modules.items() if v})


def _modules(module: str, here: PurePosixPath) -> dict[str, str]:
    """The paths, without an ending, of a module as it is written in a file; with the package that may not hold it."""
    dots = len(module) - len(module.lstrip("."))
    parts = [part for part in module[dots:].split(".") if part]
    if dots:
        above = here.parent.parts
        return {"/".join((*above[: len(above) - (dots - 1)], *parts)): ""} if dots <= len(above) + 1 else {}
    if not parts or parts[0] in sys.stdlib_module_names:
        return {}
    roots = dict.fromkeys((*(str(folder) for folder in here.parents), *_ROOTS))
    return {str(PurePosixPath(root, *parts)): str(PurePosixPath(root, "__init__.py")) for root in roots}


def _files(stem: str) -> tuple[str, str]:
    return (f"{stem}.py", f"{stem}/__init__.py") if stem else ("__init__.py", "__init__.py")


def missing_imports(
    written: Sequence[WrittenImport],
    available: Sequence[Document],
    at: Callable[[Sequence[str]], Sequence[Document]],
    names_of: NamesOf,
) -> Iterator[Leftover]:
    """The imports of names that their module does not declare; `at` reads the existing files of some paths."""
    documents = {document.uri: document for document in available}
    wanted = dict.fromkeys(path for row in written for path in row.paths if path not in documents)
    documents.update((document.uri, document) for document in (at(list(wanted)) if wanted else ()))
    for row in written:
        stems = [stem for stem in row.modules if row.packages.get(stem) not in documents]
        declaring = [path for stem in stems for path in _files(stem) if path in documents]
        inner = [path for stem in stems for path in _files(f"{stem}/{row.name}") if path in documents]
        if len(set(declaring)) != 1 or inner or declaring[0] == row.document.uri:
            continue
        path_of_module = declaring[0]
        names = names_of(documents[path_of_module])
        if names is None or names.exists(row.name, MODULE_SCOPE) or row.name.startswith("__"):
            continue
        if names.scopes.has_wildcard_import() or names.exists("__getattr__", MODULE_SCOPE):
            continue
        if has_dynamic_bindings(documents[path_of_module].syntax.buffer.data):
            continue
        reason = f"imports `{row.name}` from {path_of_module}, which does not declare it"
        yield Leftover(row.document, row.at.start, row.at.end, UNDEFINED, row.name, reason)
