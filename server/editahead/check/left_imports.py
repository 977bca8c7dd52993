"""Stale imports after a change: of names that a module no longer declares, or that a file no longer uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from posixpath import commonpath
from typing import NamedTuple

from editahead.analysis.import_statements import import_at, is_used_by_tags
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.check.given_elsewhere import has_implicit_imports
from editahead.check.leftover import MAX_LEFT, WORD, FileVersions, Leftover, NamesOf
from editahead.check.texts import ChangedFile, RepositoryTexts, changed_file
from editahead.git import RawChange
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import LeadsTo, path_of, uses_elsewhere
from editahead.suggest.types import Document
from editahead.syntax.scope_table import Action
from editahead.text.edits import lines_around

MAX_GONE = 200  # modules that are compared, by path
_FOLDER_FILES = ("__init__", "index")
_ENDINGS = (
    *(".py", ".pyi", ".pyx", ".pyd", ".so"),
    *(".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte"),
)


def gone_modules(texts: RepositoryTexts, entries: Sequence[RawChange]) -> list[ChangedFile]:
    """The modules that a diff took from their path, as they were; each is empty now.

    Paths that git ignores now are skipped: a program writes that file. So are modules that another file provides now.
    Raises CheckError.
    """
    taken = [entry for entry in entries if entry.status == "D" or (entry.status == "R" and entry.before != entry.after)]
    imported = [entry for entry in taken if _is_imported(texts, entry.before)][:MAX_GONE]
    ignored = texts.repository.ignored_paths([entry.before for entry in imported])
    kept = [entry for entry in imported if entry.before not in ignored]
    imported = [entry for entry in kept if not is_replaced(entry.before, texts.has_file)]
    old_blobs = texts.repository.blobs(entry.old for entry in imported)
    files: list[ChangedFile] = []
    for entry in imported:
        language, data = texts.language(entry.before), old_blobs.get(entry.old, b"\0")
        if language is None or b"\0" in data:
            continue
        file = changed_file(entry.before, language, data, b"", texts.settings)
        if file is not None:
            files.append(ChangedFile(file.document, file.changes, entry.after if entry.status == "R" else ""))
    return files


def _is_imported(texts: RepositoryTexts, path: str) -> bool:
    """Whether other files import what a file declares by the name of its module."""
    language = texts.language(path)
    return language is not None and language.scopes is not None and not has_implicit_imports(language.scopes)


def is_replaced(path: str, exists: Callable[[str], bool], name: str = "") -> bool:
    """Whether another file provides the module of a path now, or a module `name` in it."""
    old_path = PurePosixPath(path)
    stem = old_path.parent if old_path.stem in _FOLDER_FILES else old_path.with_suffix("")
    stem = stem / name if name else stem
    files = (f"{stem}{ending}" for ending in _ENDINGS)
    inner = (f"{stem}/{file}{ending}" for file in _FOLDER_FILES for ending in _ENDINGS)
    return any(exists(file) for file in (*files, *inner) if file != path)


def by_path(is_module_of: LeadsTo) -> LeadsTo:
    """A module test in which a single name never refers to a deleted file: a library may have that name as well."""

    def is_dotted_module_of(module: str, uri: str, home_uri: str) -> bool:
        return "." in module and is_module_of(module, uri, home_uri)

    return is_dotted_module_of


GONE, UNUSED, UNUSED_NEW = "removed-import", "unused-import", "unused-new-import"
MAX_LOST = 100  # removed names of a module
MAX_IMPORTERS = 300  # files that are searched for uses of a module
_OUTER_LINE = re.compile(rb"^[^\W\d][^\n]*", re.MULTILINE)
_IMPORTS = re.compile(rb"\bimport\s*(?:[({][^)}]{0,20000}[)}]|(?:[^\n;\\]|\\\r?\n)*)|\brequire\b[^\n]*")
_DOTS = re.compile(rb"\bfrom\s+\.+\s+import\b|['\"]\.+/?['\"]")
_NOT_MEANT = re.compile(rb"noqa|pylint: *disable|type: *ignore|isort: *skip|NOLINT|eslint-disable")


def lost_names(versions: FileVersions, exists: Callable[[str], bool]) -> list[str]:
    """The names that a changed module declared before and no longer declares, in the order of the changes.

    Only names in lines that are not indented count: others are declared in blocks. `exists` tests paths
    of the project: a folder with the name of a deleted module may declare its names.
    """
    if versions.table.imports.folder_is_one_module:
        return []
    words = versions.old_words
    lines = _OUTER_LINE.findall(versions.file.document.history.anchor.data) if words else []
    outer = {word for line in lines for word in WORD.findall(line)}
    names = (word.decode("utf-8", "replace") for word in words if word in outer)
    removed = [name for name in names if name not in versions.table.keywords and versions.has_lost(name)][:MAX_LOST]
    path, is_gone = versions.file.document.uri, versions.file.moved is not None
    return [name for name in removed if not (is_gone and is_replaced(path, exists, name))]


class Importer(NamedTuple):
    """A file that may import from another file, by its text: the words of its imports, and the other file's module."""

    document: Document
    words: frozenset[bytes]
    module: bytes

    def can_use(self, name: str) -> bool:
        """Whether it may use a name of that module: it imports the name, or has it behind the module and a dot."""
        word = name.encode()
        return word in self.words or self.module + b"." + word in self.document.syntax.buffer.data


def importers(declaring: Document, documents: Sequence[Document]) -> list[Importer]:
    """The other files of its language that may import from a file, nearest folders first.

    Such a file has a line of an import with the name of the module, or with only dots. A list of names over several
    lines may precede the module. At most MAX_IMPORTERS.
    """
    path = path_of(declaring.uri)
    whole = path.stem in ("__init__", "index")
    stem = (path.parent if whole else path).stem.encode()
    named = re.compile(rb"\b(?:import|from|require)\b[^\n]*(?<!\w)" + re.escape(stem) + rb"(?!\w)")
    related = [other for other in documents if other.uri != declaring.uri and _can_import(other, declaring)]
    importing = [
        other
        for other in related
        if (stem in (data := other.syntax.buffer.data) and named.search(data)) or (whole and _DOTS.search(data))
    ]
    importing.sort(key=lambda other: (-len(commonpath([f"/{declaring.uri}", f"/{other.uri}"])), other.uri))
    return [Importer(other, _imported(other.syntax.buffer.data), stem) for other in importing[:MAX_IMPORTERS]]


def _imported(data: bytes) -> frozenset[bytes]:
    """The words of all imports of a text, by its looks."""
    return frozenset(word for match in _IMPORTS.finditer(data) for word in WORD.findall(match.group()))


def left_imports(
    versions: FileVersions, lost: Sequence[str], importing: Sequence[Importer], names_of: NamesOf, is_module_of: LeadsTo
) -> Iterator[Leftover]:
    """Imports of removed names of a changed file in those that may import from it; without imports, attribute uses."""
    document, moved = versions.file.document, versions.file.moved
    resolves = is_module_of if moved != "" else by_path(is_module_of)
    for name in lost:
        cause, count = (document.uri, versions.line_of(name)) if moved is None else None, 0
        for other in (row.document for row in importing if row.can_use(name)):
            names = names_of(other)
            uses = uses_elsewhere(names, name, document.uri, other.uri, resolves) if names is not None else []
            imported = [at for at in uses if is_import(at)]
            for at in imported or [at for at in uses if at.occurrence.action is Action.ATTRIBUTE]:
                verb, count = "imports" if imported else "uses", count + 1
                reason = f"{verb} `{name}`, which this change removed from {document.uri}"
                if moved is not None:
                    change = f"renamed to {moved}" if moved else "deleted"
                    reason = f"{verb} `{name}` from {document.uri}, which this change {change}"
                yield Leftover(other, at.start, at.end, GONE, name, reason, cause)
            if count >= MAX_LEFT:
                break


def _can_import(first: Document, second: Document) -> bool:
    """Whether files of two languages import from each other, as those of TypeScript and JavaScript do."""
    tables = first.syntax.language.scopes, second.syntax.language.scopes
    words = {table.imports.export_keyword if table is not None else "" for table in tables}
    return first.language_id == second.language_id or (len(words) == 1 and "" not in words)


def is_import(at: NameAt) -> bool:
    """Whether a name stands in an import; `a = None` where that fails binds it as well."""
    occurrence = at.occurrence
    return occurrence.action is Action.IMPORTED or (occurrence.action is Action.BIND and occurrence.kind == "import")


def unused_imports(versions: FileVersions) -> Iterator[Leftover]:
    """Imports of a changed file whose name stands nowhere else: the change took the last use, or wrote the import."""
    document = versions.file.document
    if path_of(document.uri).name == "__init__.py" or not versions.table.imports.statements:
        return
    data = document.syntax.buffer.data
    times, old_counts = Counter(WORD.findall(data)), Counter(WORD.findall(document.history.anchor.data))
    for word in dict.fromkeys((*versions.old_words, *versions.new_words)):
        if times[word] != 1 or versions.now is None:  # comments and strings count as uses
            continue
        name = word.decode("utf-8", "replace")
        for at in versions.now.names(name) if not is_used_by_tags(name, versions.table, data) else ():
            row = at.occurrence
            if row.action is not Action.BIND or row.kind != "import" or row.module.startswith("__future__"):
                continue
            statement = import_at(document.syntax, versions.table, at.start)
            if statement is None or _NOT_MEANT.search(data, *lines_around(data, statement.start, statement.end)):
                continue
            new = versions.is_touched(at.start, at.end)
            if new and versions.before is not None and versions.before.exists(row.name, MODULE_SCOPE):
                continue  # it was declared here, and others still import it from here
            if new or old_counts[word] > 1:
                kind = UNUSED_NEW if new else UNUSED
                reason = f"imports `{row.name}`, which nothing here uses{'' if new else ' any more'}"
                yield Leftover(document, at.start, at.end, kind, row.name, reason)
