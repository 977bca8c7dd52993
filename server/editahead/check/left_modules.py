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
from editahead.check.python_modules import binds_by_text
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
    """The imports of names that a change wrote into its files, and all those of its new files."""
    found: list[WrittenImport] = []
    for versions in files:
        document = versions.file.document
        if versions.table.classes.explicit_self and versions.now is not None and _writes_import(versions):
            found += [one for one in _imports(document, versions.now) if versions.touched(one.at.start, one.at.end)]
    for document in added:
        table = document.syntax.language.scopes
        names = names_of(document) if table is not None and table.classes.explicit_self else None
        found += _imports(document, names) if names is not None else []
    return found[:MAX_IMPORTS]


def _writes_import(versions: FileVersions) -> bool:
    """Whether a line with a change holds an import, or goes on with one."""
    data = versions.file.document.syntax.buffer.data
    return any(b"import" in data[max(0, one.start - 2000) : one.end + 200] for one in versions.file.changes)


def _imports(document: Document, names: Resolver) -> Iterator[WrittenImport]:
    for number, unit in enumerate(names.scopes.facts.units):
        if names.scopes.facts.data.find(b"import", unit.start, unit.end) < 0:
            continue
        for one in unit.facts.occurrences:
            taken = one.action is Action.IMPORTED or (one.action is Action.BIND and one.kind == "import")
            if taken and one.module and one.module != one.name:
                at = NameAt(unit.start + one.start, unit.start + one.end, number, one)
                modules = _modules(one.module, PurePosixPath(document.uri))
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
    known: Sequence[Document],
    at: Callable[[Sequence[str]], Sequence[Document]],
    names_of: NamesOf,
) -> Iterator[Leftover]:
    """The imports of names that their module does not declare; `at` reads those of some paths that there are."""
    documents = {document.uri: document for document in known}
    wanted = dict.fromkeys(path for one in written for path in one.paths if path not in documents)
    documents.update((document.uri, document) for document in (at(list(wanted)) if wanted else ()))
    for one in written:
        stems = [stem for stem in one.modules if one.packages.get(stem) not in documents]
        homes = [path for stem in stems for path in _files(stem) if path in documents]
        inner = [path for stem in stems for path in _files(f"{stem}/{one.name}") if path in documents]
        if len(set(homes)) != 1 or inner or homes[0] == one.document.uri:
            continue
        home = homes[0]
        names = names_of(documents[home])
        if names is None or names.exists(one.name, MODULE_SCOPE) or one.name.startswith("__"):
            continue
        if names.scopes.has_wildcard_import() or names.exists("__getattr__", MODULE_SCOPE):
            continue
        if binds_by_text(documents[home].syntax.buffer.data):
            continue
        reason = f"imports `{one.name}` from {home}, which does not declare it"
        yield Leftover(one.document, one.at.start, one.at.end, UNDEFINED, one.name, reason)
