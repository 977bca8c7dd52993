"""Files that re-export what others declare: `export * from "./cart"`, and packages of Python.

What a file exports under another name is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.environment.classes.script_modules import DEFAULT, ScriptFile, read_script_file
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding
from editahead.suggest.next_edit.consequences.renames.renamed_uses import parts_with, renamed_uses
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    LeadsTo,
    declaring_module_test,
    is_exported,
    path_of,
)
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action
from editahead.text.memo import remembered_by_identity
from editahead.text.words import word_offsets

PACKAGE = "__init__"  # the stem of the file of a package, which may re-export what its modules declare
_MAX_FILES = 8  # through which a name is followed
_EXPORT_FROM = re.compile(rb"export\s{1,8}(?:type\s{1,8})?[*{]")
_STAR_IMPORT = re.compile(rb"^from[ \t]+([\w.]+)[ \t]+import[ \t]*\*", re.MULTILINE)
_NO_EXPORTS = ScriptFile({}, {}, ())


class Exported(NamedTuple):
    """A name, the URI of the file that declares it, and whether it is that file's default export."""

    name: str
    uri: str
    is_default: bool = False


def importable_from(
    exported: Exported, files: Iterable[Document], resolver_of: Callable[[Document], Resolver | None]
) -> list[str]:
    """The URIs from which a name can be imported under its own name: of its file, then of those that re-export it."""
    uris, files = [exported.uri], list(files)
    for uri in uris:
        declared = exported if uri == exported.uri else Exported(exported.name, uri)
        for file in files if len(uris) < _MAX_FILES else ():
            if file.uri not in uris and (has_all_of(file, declared) or _has_exported(file, declared, resolver_of)):
                uris.append(file.uri)
    return uris


def reexporting_files(
    moment: Moment, declaring_uri: str, renamed: RenamedBinding, files: Iterable[Document], leads_to: LeadsTo | None
) -> Iterator[str]:
    """Yield the URIs of files that re-export the renamed binding, by its old or already by its new name.

    A package in which the new name is taken keeps the old name, and so do its importers; so do those of a script that
    names what it re-exports, as it keeps the exported name.
    """
    old, new = renamed.renaming.old, renamed.renaming.new
    for document in files:
        if document.uri == declaring_uri:
            continue
        moment.check()
        if has_all_of(document, Exported(old, declaring_uri), leads_to):
            yield document.uri
        resolve = ResolverCache().of if leads_to else moment.resolver
        is_package = path_of(document.uri).stem == PACKAGE
        resolver = resolve(document.uri, document.syntax, parts_with(renamed)) if is_package else None
        if resolver is None:
            continue
        if _is_imported(resolver, new, declaring_uri, document.uri, leads_to):
            yield document.uri
        elif _is_imported(resolver, old, declaring_uri, document.uri, leads_to):
            uses = renamed_uses(renamed, declaring_uri, resolver, document, leads_to)
            if uses.uses:
                yield document.uri


def has_all_of(file: Document, exported: Exported, leads_to: LeadsTo | None = None) -> bool:
    """Whether a file re-exports all that the declaring file exports, and declares no other thing of the name."""
    is_declaring = declaring_module_test(exported.name, exported.uri, file.uri, leads_to)
    if _is_script(file):
        script = _exports(file.syntax.buffer.data)
        return exported.name not in script.exported and any(is_declaring(f"'{path}'") for path in script.wildcards)
    if path_of(file.uri).stem != PACKAGE or exported.name.startswith("_"):
        return False
    return any(
        is_declaring(match[1].decode("utf-8", "replace")) for match in _STAR_IMPORT.finditer(file.syntax.buffer.data)
    )


def _has_exported(file: Document, exported: Exported, resolver_of: Callable[[Document], Resolver | None]) -> bool:
    """Whether a file re-exports a name by itself."""
    if exported.name.encode() not in file.syntax.buffer.data:
        return False
    if not _is_script(file):
        resolver = resolver_of(file) if path_of(file.uri).stem == PACKAGE else None
        return resolver is not None and _is_imported(resolver, exported.name, exported.uri, file.uri)
    script = _exports(file.syntax.buffer.data)
    source = script.exported.get(exported.name)
    if source is not None and not source.path:
        source = script.imported.get(source.name)
    names = {exported.name, DEFAULT} if exported.is_default else {exported.name}
    is_declaring = declaring_module_test(exported.name, exported.uri, file.uri, None)
    return source is not None and source.name in names and is_declaring(f"'{source.path}'")


def _is_imported(resolver: Resolver, name: str, declaring_uri: str, uri: str, leads_to: LeadsTo | None = None) -> bool:
    """Whether the file of a package imports a name at module level from the file `declaring_uri` alone.

    Other files can then import it from the package. A name that is imported under an alias is not re-exported.
    """
    is_declaring_module = declaring_module_test(name, declaring_uri, uri, leads_to)
    for reference in resolver.names(name):
        if reference.occurrence.action is Action.BIND and reference.occurrence.kind == "import":
            binding = resolver.binding(reference)
            if binding is None or not is_exported(binding):
                continue
            declarations = resolver.declarations(binding)
            occurrences = [declaration.occurrence for declaration in declarations]
            return all(each.kind == "import" and is_declaring_module(each.module or "") for each in occurrences)
    return False


def _is_script(file: Document) -> bool:
    table = file.syntax.language.scopes
    return table is not None and bool(table.imports.export_keyword)


@remembered_by_identity
def _exports(data: bytes) -> ScriptFile:
    """What a script re-exports; read only where an export may name no declaration."""
    has_exports = any(_EXPORT_FROM.match(data, offset) for offset in word_offsets(data, "export"))
    return read_script_file(data) if has_exports else _NO_EXPORTS
