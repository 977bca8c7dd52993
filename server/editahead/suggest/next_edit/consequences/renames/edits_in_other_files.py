"""Edits of the references to a renamed binding, with the keys by which they are rated, grouped and rejected.

In a file that is not open, all references are edited or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.renames.exported_types import exported_name
from editahead.suggest.next_edit.consequences.renames.exported_uses import ExportedUses
from editahead.suggest.next_edit.consequences.renames.names_in_mocks import mocked_names
from editahead.suggest.next_edit.consequences.renames.objects_elsewhere import ExportedClass
from editahead.suggest.next_edit.consequences.renames.package_folders import is_hidden
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding, site_of
from editahead.suggest.next_edit.consequences.renames.renamed_uses import parts_with, renamed_uses
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import (
    LeadsTo,
    declaring_module_test,
    path_of,
)
from editahead.suggest.next_edit.consequences.types import Cause, Consequence, Moment
from editahead.suggest.next_edit.related_documents import is_related
from editahead.suggest.types import Document
from editahead.text.edits import ByteEdit

SOURCE = "rename"


def kind_of(renamed: RenamedBinding) -> str:
    """The kind of a renaming, by which its candidates are rated."""
    times = "again" if len(renamed.replaced) > 1 else "once"
    return f"{renamed.resolver.kind(renamed.binding)}/{site_of(renamed)}/{times}"


def _cause(document: Document, renamed: RenamedBinding, note: str) -> Cause:
    """What all candidates of a renaming share; `note` is appended to the reason."""
    binding, renaming = renamed.binding, renamed.renaming
    span = renamed.resolver.scopes.span(binding.scope)[0] if binding.scope[0] >= 0 or binding.scope[1] else 0
    text = f"{document.uri} {binding.name} {renaming.new} {binding.namespace.value} {span} {binding.at}"
    line = document.syntax.buffer.line_at(renaming.changes[-1].start)
    reason = f"`{renaming.old}` is now `{renaming.new}`{note}"
    return Cause(SOURCE, text, reason, line, len(renamed.replaced), is_whole=True)


def shorthand_of(renamed: RenamedBinding, name: NameAt, text: bytes, start: int) -> str:
    """The second meaning of a reference (`Occurrence.shorthand`) that its edit has to preserve; `start` is in `text`.

    Importers follow what the file declares, so that an export keeps its name only if it re-exports an import. An import
    keeps its imported name if the file binds the local name to something else as well: `except ImportError: a = None`.
    """
    if name.occurrence.shorthand == "export":
        return "export" if renamed.resolver.kind(renamed.binding) == "import" else ""
    if name.occurrence.kind == "import" and text[max(0, start - 16) : start].split()[-1:] != [b"as"]:
        declarations = renamed.resolver.declarations(renamed.binding)
        is_declaration = name in declarations  # else it follows what the file declares
        kinds = {declaration.occurrence.kind for declaration in declarations} if is_declaration else set[str]()
        return "import" if kinds - {"import"} else ""
    return name.occurrence.shorthand


def rename_candidate(
    moment: Moment,
    document: Document,
    edited_document: Document,
    renamed: RenamedBinding,
    kind: str,
    start: int,
    *,
    shorthand: str,
    note: str = "",
) -> Iterator[Consequence]:
    """Yield the candidate that renames the reference at `start`, unless the user rejected it.

    A shorthand becomes a key and a name, an export keeps its exported name, and an import the imported name. `note` is
    appended to the reason.
    """
    old, new = renamed.renaming.old, renamed.renaming.new
    table = edited_document.syntax.language.scopes
    sign = table.literals.key_sign if table is not None else ": "
    forms = {"name": f"{old}{sign}{new}", "key": f"{new}{sign}{old}", "export": f"{new} as {old}"}
    forms["import"] = f"{old} as {new}"
    edit = ByteEdit(start, start + len(old.encode()), forms.get(shorthand, new).encode())
    yield from moment.consequence(_cause(document, renamed, note), edited_document, edit, kind)


class OtherFileEdits(NamedTuple):
    """The edits in other files, and the URIs of files with references that are skipped.

    `is_blocked`: a partial renaming would break the program, so that there are no edits.
    """

    edits: list[Consequence]
    skipped_uris: set[str]
    is_blocked: bool = False


def edits_in_other_files(
    moment: Moment,
    document: Document,
    renamed: RenamedBinding,
    files: Iterable[Document],
    kind: str,
    leads_to: LeadsTo | None = None,
    *,
    uri: str,
) -> OtherFileEdits:
    """Edits of the references in other files that import the renamed binding.

    They import it from `uri`: `document`, or a package that re-exports it. `kind` labels the files. `leads_to` is given
    for files that are not open.
    """
    old, new, label = renamed.renaming.old, renamed.renaming.new, f"{kind_of(renamed)}/{kind}"
    collected, table, project = OtherFileEdits([], set()), renamed.resolver.table.imports, moment.document.unopened
    exported = exported_name(renamed) if table.names_package else None
    path = exported.path if exported is not None else (old,)
    class_ = ExportedClass(moment, document, renamed.resolver, renamed.binding.scope, path, leads_to)
    parts = parts_with(renamed, path)
    is_type = exported is not None and exported.kind == "class" and not exported.types
    if exported is not None and is_type and project and project.declares(new, exported.package, document.uri):
        return collected._replace(is_blocked=True)
    files, importing = list(files), [uri]
    for other_document in files:
        moment.check()
        is_other = other_document is not document and is_related(other_document, document)
        if not is_other or old.encode() not in other_document.syntax.buffer.data:
            continue
        if is_hidden(new, table, path_of(uri), path_of(other_document.uri)):
            continue
        resolve = ResolverCache().of if leads_to else moment.resolver  # what is not open is not kept
        resolver = resolve(other_document.uri, other_document.syntax, parts)
        if resolver is None:
            continue
        if exported is None:
            references = renamed_uses(renamed, uri, resolver, other_document, leads_to)
        else:
            references = ExportedUses(exported, class_, resolver, other_document).find(new, project)
        if references.has_override:
            return OtherFileEdits([], set(), is_blocked=True)
        edits = [
            candidate
            for reference in references.uses
            for candidate in rename_candidate(
                moment, document, other_document, renamed, label, reference.start, shorthand=reference.shorthand
            )
        ]
        is_complete = leads_to is None or len(edits) == len(references.uses)
        if references.has_conflict or not is_complete:
            collected.skipped_uris.add(other_document.uri)
        else:
            collected.edits.extend(edits)
            importing += [other_document.uri] if edits else []
    if table.mocks:
        collected.edits.extend(_edits_in_mocks(moment, document, renamed, files, importing, label, leads_to))
    return collected


def _edits_in_mocks(
    moment: Moment,
    document: Document,
    renamed: RenamedBinding,
    files: list[Document],
    importing: list[str],
    label: str,
    leads_to: LeadsTo | None,
) -> Iterator[Consequence]:
    """Edits in tests that replace the renamed binding in any of the files that declare or import it."""
    old = renamed.renaming.old
    for file in files:
        modules = [declaring_module_test(old, uri, file.uri, leads_to) for uri in importing]
        data = file.syntax.buffer.data if file is not document and is_related(file, document) else b""
        for start, shorthand in mocked_names(data, old, renamed.resolver.table.imports.mocks, modules):
            yield from rename_candidate(moment, document, file, renamed, label, start, shorthand=shorthand)
